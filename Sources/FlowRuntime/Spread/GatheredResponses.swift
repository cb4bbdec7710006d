internal import JSONSyntax
internal import ReactorCore
internal import Synchronization

/// The responses to the requests of a range, each for one equal request.
final class GatheredResponses: Sendable {
  /// The maximum size of all bodies together, in bytes: 16 MiB. What does not fit is requested again.
  static let largest = 16 << 20

  private struct State {
    /// The responses of each request, in the order of arrival.
    var kept: [String: [SharedResponse]] = [:]
    var size = 0
  }

  private let state = Mutex(State())

  /// The size of all bodies, in bytes.
  var size: Int { state.withLock { $0.size } }

  var isEmpty: Bool { state.withLock { $0.kept.isEmpty } }

  /// Keeps a response unless there is no room for it.
  func add(_ response: SharedResponse, to resource: Resource) {
    let key = resource.fingerprint()
    state.withLock { state in
      guard state.size + response.body.count <= Self.largest else { return }
      state.size += response.body.count
      state.kept[key, default: []].append(response)
    }
  }

  /// Takes the next response to a request; nil if there is none.
  func take(_ resource: Resource) -> SharedResponse? {
    let key = resource.fingerprint()
    return state.withLock { state in
      guard let next = state.kept[key]?.first else { return nil }
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

  init() {}

  /// Reads responses; nil for other bytes.
  init?(_ bytes: [UInt8]) {
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
