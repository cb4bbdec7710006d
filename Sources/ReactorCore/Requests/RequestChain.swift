internal import Synchronization

/// A chain of requests, such as the pages of a list: each response determines the next request.
///
/// A connection may send the next request as soon as a response is complete. Transfers then overlap with the reading of
/// records. The connection sends one request at a time and is at most a few requests ahead. It sends only requests that
/// a response has determined. The responses are the same as without a chain.
///
/// Every resource of the chain has a reference to it (``Resource/chain``). When the last reference is released, the
/// requests that were sent ahead are cancelled.
public final class RequestChain: Sendable {
  /// The status, the headers and the URL of a response.
  public struct Head: Sendable {
    /// HTTP status, 100 to 999.
    public let status: Int
    /// Header fields in the order received.
    public let headers: Headers
    /// The URL of the response, without user information.
    public let url: String

    /// Builds a head.
    public init(status: Int, headers: Headers, url: String) {
      self.status = status
      self.headers = headers
      self.url = url
    }
  }

  /// Returns the request after a response; nil at the end of the chain.
  ///
  /// It is called once for each response, in order, on a thread that must not block.
  public typealias Next = @Sendable (_ response: Head, _ resource: Resource) -> Resource?

  /// Returns the request after a response.
  public let next: Next
  private let ahead = Mutex<(any RequestsAhead)?>(nil)

  /// Creates a chain from the function that returns the next request.
  public init(_ next: @escaping Next) { self.next = next }

  deinit { ahead.withLock { $0 }?.close() }

  /// Returns the requests that the connection has sent ahead, created by `make` at the first call; nil when the first
  /// call created another type.
  public func ahead<Ahead: RequestsAhead>(_ make: () -> Ahead) -> Ahead? {
    ahead.withLock { ahead in
      if ahead == nil { ahead = make() }
      return ahead as? Ahead
    }
  }
}

/// The requests of a chain that a connection has sent ahead.
public protocol RequestsAhead: AnyObject, Sendable {
  /// Stops all requests; idempotent.
  func close()
}

extension RequestChain {
  /// The chain of a resource, nil without a chain, and how often it was sent before.
  ///
  /// All memberships are equal, because neither changes the request.
  struct Membership: Sendable, Hashable {
    var chain: RequestChain?
    var resends = 0

    static func == (left: Membership, right: Membership) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }
}
