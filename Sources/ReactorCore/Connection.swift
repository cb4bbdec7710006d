/// The way to a server: sends a request and gives back the answer as a stream.
///
/// A connection follows redirects, keeps its limits and knows its base URL. It does not judge the status: that is the
/// response modifier's work (see `Network`).
public protocol Connection: Sendable {
  /// Sends the request; returns as soon as the answer's head is complete.
  ///
  /// Cancelling the calling task stops the transfer.
  func response(for resource: Resource) async throws(ReactorError) -> Response
}

/// Tells before a request whether its host can be reached.
public protocol Reachability: Sendable {
  /// Whether a connection to the resource's host and port can be opened.
  func isReachable(_ resource: Resource) async -> Bool
}

/// Always reachable: what a flow without a reachability check uses.
public struct AlwaysReachable: Reachability {
  /// Makes the only value.
  public init() {}
  /// True.
  public func isReachable(_ resource: Resource) async -> Bool { true }
}

/// The head of an answer and its body as a stream.
public struct Response: Sendable {
  /// HTTP status, 100 to 999.
  public var status: Int
  /// Header fields in the order received.
  public var headers: Headers
  /// The URL that answered, after redirects, without user information.
  public var url: String
  /// The decoded body, to be read once.
  public var body: ResponseBody

  /// Builds a response.
  public init(status: Int, headers: Headers = Headers(), url: String = "", body: ResponseBody) {
    self.status = status
    self.headers = headers
    self.url = url
    self.body = body
  }
}

/// A body's bytes, in chunks, once.
///
/// The end (nil) is given only when the body is known to be whole; a cut, corrupt or oversized body throws instead.
public struct ResponseBody: Sendable {
  private let source: any ByteSource

  /// A body from a stream.
  public init(_ source: any ByteSource) { self.source = source }

  /// A body that is already in memory.
  public init(bytes: [UInt8]) { self.source = BytesInMemory(bytes) }

  /// The next chunk, never empty; nil at the verified end. Not to be called from two tasks at once.
  public func next() async throws(ReactorError) -> [UInt8]? { try await source.next() }

  /// Gives up reading: the transfer behind it stops. Harmless after the end.
  public func cancel() { source.cancel() }

  /// All of it, at most `limit` bytes.
  public func collect(upTo limit: Int) async throws(ReactorError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let chunk = try await next() {
      guard chunk.count <= limit - bytes.count else {
        cancel()
        throw ReactorError.server("the answer is larger than \(limit) bytes")
      }
      if bytes.isEmpty { bytes = chunk } else { bytes.append(contentsOf: chunk) }
    }
    return bytes
  }
}

/// Where a body's bytes come from.
public protocol ByteSource: Sendable {
  /// The next chunk, never empty; nil at the verified end.
  func next() async throws(ReactorError) -> [UInt8]?
  /// Stops whatever produces the bytes; idempotent.
  func cancel()
}

private actor BytesInMemory: ByteSource {
  private var bytes: [UInt8]?

  init(_ bytes: [UInt8]) { self.bytes = bytes.isEmpty ? nil : bytes }

  func next() async throws(ReactorError) -> [UInt8]? {
    defer { bytes = nil }
    return bytes
  }

  nonisolated func cancel() {}
}
