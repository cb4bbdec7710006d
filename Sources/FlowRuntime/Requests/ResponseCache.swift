internal import ReactorCore
internal import Synchronization

/// The responses of a run that equal requests share.
///
/// It contains only complete responses, in memory. Their total size is bounded: the least recently used are dropped
/// first.
final class ResponseCache: Sendable {
  /// Identifies a request by everything on which its response depends.
  struct Key: Hashable, Sendable {
    /// What a response depends on besides the request: the server, the network settings, the credentials.
    var scope: String
    /// The fingerprint of the request.
    var request: String
  }

  /// The maximum size of a body that is kept, in bytes: 4 MiB.
  static let largest = 4 << 20
  /// The maximum size of all bodies together, in bytes: 64 MiB.
  static let capacity = 64 << 20
  /// The maximum number of remembered requests whose responses cannot be kept.
  private static let mostUnshared = 10_000
  /// The approximate size of an entry without its body, in bytes.
  private static let overhead = 1 << 10

  private struct Entry {
    var response: SharedResponse
    /// The sequence number of the last use of the entry: the least recently used entries have the smallest numbers.
    var used: Int
    var size: Int
  }

  private struct State {
    var kept: [Key: Entry] = [:]
    /// The requests that are being sent.
    var sending: [Key: SharedWork<SharedResponse?>] = [:]
    /// The requests whose responses cannot be kept.
    var unshared: Set<Key> = []
    var uses = 0
    var bytes = 0

    mutating func add(_ entry: Entry, as key: Key, _ capacity: Int) {
      bytes += entry.size - (kept.updateValue(entry, forKey: key)?.size ?? 0)
      guard bytes > capacity else { return }
      // Half of the entries are dropped at once, so that not every further response has to search for the oldest.
      for (key, entry) in kept.sorted(by: { $0.value.used < $1.value.used }) where bytes > capacity / 2 {
        kept[key] = nil
        bytes -= entry.size
      }
    }
  }

  private let state = Mutex(State())
  private let capacity: Int

  init(capacity: Int = ResponseCache.capacity) { self.capacity = capacity }

  /// Returns the kept response of a request; sends the request when there is none.
  ///
  /// Equal requests wait for the one that is being sent. When that one fails, or its response cannot be kept, each of
  /// them is sent separately.
  func response(
    for key: Key, sending send: @escaping @Sendable () async throws(ReactorError) -> Response
  ) async throws(ReactorError) -> Response {
    let own = OwnResponse()
    switch step(for: key) {
    case .kept(let kept): return kept.response
    case .unshared: return try await send()
    case .wait(let work):
      let kept = try await work.value { [self] in
        let received: Result<Response, ReactorError>
        do throws(ReactorError) {
          received = .success(try await send())
        } catch {
          received = .failure(error)
        }
        let kept = await keep(received, of: key, for: own)
        return .success(kept)
      }
      if let received = own.received.withLock({ $0 }) { return try received.get() }
      if let kept { return kept.response }
      return try await send()
    }
  }

  /// Holds the received response for the task that sent the request.
  private final class OwnResponse: Sendable {
    let received = Mutex<Result<Response, ReactorError>?>(nil)
  }

  private enum Step {
    case kept(SharedResponse)
    case wait(SharedWork<SharedResponse?>)
    case unshared
  }

  private func step(for key: Key) -> Step {
    state.withLock { state in
      state.uses += 1
      if let response = state.kept[key]?.response {
        state.kept[key]?.used = state.uses
        return .kept(response)
      }
      if state.unshared.contains(key) { return .unshared }
      if let work = state.sending[key] { return .wait(work) }
      let work = SharedWork<SharedResponse?>()
      state.sending[key] = work
      return .wait(work)
    }
  }

  /// Keeps a response if that is possible, and passes the response to the task that sent the request.
  private func keep(
    _ received: Result<Response, ReactorError>, of key: Key, for own: OwnResponse
  ) async -> SharedResponse? {
    var kept: SharedResponse?
    var received = received
    if case .success(let response) = received, SharedResponse.mayBeKept(response) {
      do throws(ReactorError) {
        let (whole, rest) = try await SharedResponse.read(response, upTo: Self.largest)
        kept = whole
        received = .success(rest)
      } catch {
        received = .failure(error)
      }
    }
    own.received.withLock { [received] in $0 = received }
    let isFailure = if case .failure = received { true } else { false }
    state.withLock { [kept] state in
      state.sending[key] = nil
      if let kept {
        state.add(Entry(response: kept, used: state.uses, size: kept.body.count + Self.overhead), as: key, capacity)
      } else if !isFailure {
        // Requests may be forgotten: a forgotten request only waits once more for an equal one.
        if state.unshared.count >= Self.mostUnshared { state.unshared = [] }
        state.unshared.insert(key)
      }
    }
    return kept
  }
}

/// A complete response in memory.
struct SharedResponse: Sendable {
  let status: Int
  let headers: Headers
  var url: String
  let meaning: ResponseMeaning?
  let body: [UInt8]

  /// A copy of the response for one more equal request.
  var response: Response {
    var response = Response(status: status, headers: headers, url: url, body: ResponseBody(bytes: body))
    response.meaning = meaning
    return response
  }

  /// Whether the response can be used for equal requests, judged by its status and by the error rules.
  ///
  /// RFC 9110, section 15.1, lists `404` and `410` among the statuses that may be stored.
  static func mayBeKept(_ response: Response) -> Bool {
    switch response.meaning {
    case .noRecords?: true
    case nil: (200...299).contains(response.status) && response.status != 206 || [404, 410].contains(response.status)
    default: false
    }
  }

  /// Reads a response up to a size.
  ///
  /// - Returns: `kept`, the response to keep, or nil when its body is larger than the limit; and `response`, the same
  ///   response with a body that can still be read
  static func read(
    _ response: Response, upTo limit: Int
  ) async throws(ReactorError) -> (kept: SharedResponse?, response: Response) {
    var response = response
    var bytes: [UInt8] = []
    if response.meaning != nil {
      // Its body is not read.
      response.body.cancel()
      response.body = ResponseBody(bytes: [])
    } else {
      while let chunk = try await response.body.next() {
        bytes += chunk
        guard bytes.count <= limit else {
          response.body = ResponseBody(bytes, then: response.body)
          return (nil, response)
        }
      }
      response.body = ResponseBody(bytes: bytes)
    }
    let kept = SharedResponse(
      status: response.status, headers: response.headers, url: response.url, meaning: response.meaning, body: bytes)
    return (kept, response)
  }
}

/// A connection in which equal requests share a response, if they only read (GET and HEAD).
struct SharingConnection: Connection {
  private let connection: any Connection
  private let cache: ResponseCache
  private let scope: String

  /// - Parameter scope: everything besides the request on which a response depends
  init(_ connection: any Connection, _ cache: ResponseCache, scope: String) {
    self.connection = connection
    self.cache = cache
    self.scope = scope
  }

  var baseURL: String { connection.baseURL }
  var reachability: any Reachability { connection.reachability }

  func response(for resource: Resource) async throws(ReactorError) -> Response {
    guard [.GET, .HEAD].contains(resource.method) else { return try await connection.response(for: resource) }
    let key = ResponseCache.Key(scope: scope, request: resource.fingerprint())
    return try await cache.response(for: key) { [connection] () throws(ReactorError) in
      try await connection.response(for: resource)
    }
  }
}
