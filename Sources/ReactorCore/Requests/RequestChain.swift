internal import Synchronization

/// A chain of requests: each response names the next request, as the pages of a list do.
///
/// A connection may send the next request as soon as a response is complete, so transfers and the reading of records
/// overlap. It sends one request at a time, at most a few ahead, and only requests that a response named. The responses
/// are the same as without a chain.
///
/// Every resource of the chain has it (``Resource/chain``). Releasing the last one cancels the requests ahead.
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

  /// The request after a response, nil at the end; called once for each response, in order, on a thread that must not
  /// wait.
  public typealias Next = @Sendable (_ response: Head, _ resource: Resource) -> Resource?

  /// The request after a response.
  public let next: Next
  private let ahead = Mutex<(any RequestsAhead)?>(nil)

  /// A chain by its rule.
  public init(_ next: @escaping Next) { self.next = next }

  deinit { ahead.withLock { $0 }?.close() }

  /// What the connection has sent ahead; made at the first call.
  public func ahead<Ahead: RequestsAhead>(_ make: () -> Ahead) -> Ahead? {
    ahead.withLock { ahead in
      if ahead == nil { ahead = make() }
      return ahead as? Ahead
    }
  }
}

/// The requests of a chain that a connection has sent ahead.
public protocol RequestsAhead: AnyObject, Sendable {
  /// Stops them all; idempotent.
  func close()
}

extension RequestChain {
  /// The chain of a resource, if any; always equal, because it does not change the request.
  struct Membership: Sendable, Hashable {
    var chain: RequestChain?

    static func == (left: Membership, right: Membership) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }
}
