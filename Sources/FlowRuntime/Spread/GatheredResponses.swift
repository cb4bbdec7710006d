internal import JSONSyntax
internal import ReactorCore
internal import Synchronization

/// The responses to the requests of a range, each for one equal request of a flow with the same credentials.
final class GatheredResponses: Sendable {
  /// The maximum size of all bodies together, in bytes: 16 MiB. What does not fit is requested again.
  static let largest = 16 << 20

  private struct State {
    /// The responses of each request, in the order of arrival.
    var kept: [String: [SharedResponse]] = [:]
    var size = 0
    var taken = 0
    var missed = 0
  }

  private let state = Mutex(State())
  /// What the responses depend on besides their requests (`FlowPlan.responseScope`).
  private let scope: String

  init(scope: String) { self.scope = scope }

  /// The size of all bodies, in bytes.
  var size: Int { state.withLock { $0.size } }

  /// Whether a request has been answered.
  var isUsed: Bool { state.withLock { $0.taken > 0 } }

  /// Whether no request has been answered, and some were not: the process that has got the responses has other
  /// credentials, or can pass none on.
  var isUseless: Bool { state.withLock { $0.taken == 0 && $0.missed > 2 } }

  /// Keeps a response unless there is no room for it.
  func add(_ response: SharedResponse, to resource: Resource) {
    let key = resource.fingerprint(scope: scope)
    state.withLock { state in
      guard state.size + response.body.count <= Self.largest else { return }
      state.size += response.body.count
      state.kept[key, default: []].append(response)
    }
  }

  /// Takes the next response to a request; nil if there is none.
  func take(_ resource: Resource) -> SharedResponse? {
    let key = resource.fingerprint(scope: scope)
    return state.withLock { state in
      guard let next = state.kept[key]?.first else {
        state.missed += 1
        return nil
      }
      state.taken += 1
      state.kept[key]?.removeFirst()
      state.size -= next.body.count
      return next
    }
  }

  // MARK: - Bytes

  /// For each response a line of JSON, then the body: `{"request":"9f…","status":200,"size":12,…}`.
  var bytes: [UInt8] {
    let kept = state.withLock { $0.kept }
    var bytes: [UInt8] = []
    for (request, responses) in kept.sorted(by: { $0.key < $1.key }) {
      for response in responses {
        JSONWriter.write(.object(response.head(of: request)), into: &bytes)
        bytes.append(0x0A)
        bytes += response.body
      }
    }
    return bytes
  }

  /// Reads responses; nil for other bytes.
  convenience init?(_ bytes: [UInt8], scope: String) {
    self.init(scope: scope)
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let end = rest.firstIndex(of: 0x0A), let head = try? JSONValue(parsing: Array(rest[..<end])),
        let request = head["request"]?.string, let size = head["size"]?.int64, size >= 0,
        size <= Int64(rest.endIndex - end - 1)
      else { return nil }
      let body = rest[(end + 1)...].prefix(Int(size))
      guard let response = SharedResponse(head: head, Array(body)) else { return nil }
      state.withLock { state in
        state.size += response.body.count
        state.kept[request, default: []].append(response)
      }
      rest = rest[body.endIndex...]
    }
  }
}

extension SharedResponse {
  private static let meanings: [(ResponseMeaning, String)] = [
    (.noRecords, "none"), (.noRecordsAndEnd, "end"), (.noRecordsAndCap, "cap"), (.noRecordsAndShrink, "shrink"),
  ]

  fileprivate func head(of request: String) -> JSONObject {
    var head = JSONObject()
    head["request"] = .string(request)
    head["status"] = .integer(Int64(status))
    head["url"] = .string(url)
    head["size"] = .integer(Int64(body.count))
    head["headers"] = .array(headers.fields.map { .array([.string($0.name), .string($0.value)]) })
    if let word = Self.meanings.first(where: { $0.0 == meaning })?.1 { head["meaning"] = .string(word) }
    return head
  }

  fileprivate init?(head: JSONValue, _ body: [UInt8]) {
    guard let status = head["status"]?.int64, let url = head["url"]?.string, let list = head["headers"]?.array else {
      return nil
    }
    var headers = Headers()
    for field in list {
      guard let field = field.array, field.count == 2, let name = field[0].string, let value = field[1].string else {
        return nil
      }
      headers.fields.append(Headers.Field(name, value))
    }
    let word = head["meaning"]?.string
    let meaning = Self.meanings.first { $0.1 == word }?.0
    guard (meaning == nil) == (word == nil) else { return nil }
    self.init(status: Int(clamping: status), headers: headers, url: url, meaning: meaning, body: body)
  }
}
