internal import Synchronization

/// Requests that follow from one another: the answer to each says what the next one is, as the pages of a list do.
///
/// A connection may send the next request as soon as a response is whole, before anybody asks for it: its reader then
/// finds the response there, and the way to the server and the reading of records overlap. It never sends one that was
/// not named, one at a time, and only a few before they are asked for. Whoever asks gets the same answers as without a
/// chain.
///
/// Every resource of the chain carries it (``Resource/chain``). Letting go of the last one stops what is under way.
public final class RequestChain: Sendable {
  /// What is known of a response besides its body.
  public struct Head: Sendable {
    /// HTTP status, 100 to 999.
    public let status: Int
    /// Header fields in the order received.
    public let headers: Headers
    /// The URL that answered, without user information.
    public let url: String

    /// Tells what is known of a response.
    public init(status: Int, headers: Headers, url: String) {
      self.status = status
      self.headers = headers
      self.url = url
    }
  }

  /// The request after a response, nil at the end; called once for each response, in order, on a thread that must not
  /// wait.
  public typealias Next = @Sendable (_ answer: Head, _ resource: Resource) -> Resource?

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

/// A connection's requests of a chain that nobody has asked for yet.
public protocol RequestsAhead: AnyObject, Sendable {
  /// Stops them all; idempotent.
  func close()
}

extension RequestChain {
  /// Which chain a resource is part of, if any: equal to every other one, because it says nothing of what is asked for.
  struct Membership: Sendable, Hashable {
    var chain: RequestChain?

    static func == (left: Membership, right: Membership) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }
}
