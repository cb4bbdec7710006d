public import ReactorCore

/// Stores small documents that belong to flows and outlive a run.
///
/// A run on one machine stores them in files (`LocalStateStore`), processes with shared state in a database.
public protocol StateStore: Sendable {
  /// Whether nobody without the key can read documents of a kind where they are stored.
  func seals(_ kind: StateDocument.Kind) -> Bool

  /// The location of a document, for messages.
  func location(of document: StateDocument) -> String

  /// Returns the bytes of a document; nil when there is none.
  ///
  /// - Throws: `.persistence` when the document cannot be read, or cannot be opened with the key
  func read(_ document: StateDocument) async throws(ReactorError) -> [UInt8]?

  /// Replaces a document as a whole. When the function returns, it is as durable as the store requires.
  func write(_ bytes: [UInt8], as document: StateDocument) async throws(ReactorError)

  /// Removes a document. No error is reported: a document that cannot be removed remains.
  func remove(_ document: StateDocument) async

  /// The names of all documents of a kind that begin with a prefix, in no particular order.
  func names(of kind: StateDocument.Kind, withPrefix prefix: String) async throws(ReactorError) -> [String]

  /// Locks a document; nil while another holder in this or another process has the lock.
  ///
  /// The lock of a process that has ended becomes free, at once or after a lease.
  func lockIfFree(_ document: StateDocument) async throws(ReactorError) -> (any DocumentLock)?

  /// The longest pause between two attempts to get a lock.
  var longestPause: Duration { get }
}

/// The name of a document in a `StateStore`.
public struct StateDocument: Sendable, Hashable {
  /// The subject of a document.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A job that a server runs for a flow and that has not ended.
    case jobs
    /// The newest single-use refresh token. It is secret, and its holder locks it.
    case tokens
    /// What a receiver of notices was told.
    case notices
  }

  /// The subject of the document.
  public let kind: Kind
  /// The name, of 1 to 200 bytes without NUL; unique among the documents of its kind.
  public let name: String

  /// Names a document.
  public init(_ kind: Kind, _ name: String) {
    self.kind = kind
    self.name = name
  }
}

/// The exclusive right to replace a document, held by one task of one process at a time.
public protocol DocumentLock: Sendable {
  /// Replaces the document as a whole.
  ///
  /// - Throws: `.persistence` when the document cannot be stored, also because another process has taken the lock
  func write(_ bytes: [UInt8]) async throws(ReactorError)

  /// Releases the lock.
  func release() async
}

extension StateStore {
  /// Locks a document. Waits at most a minute for another holder.
  ///
  /// - Parameter busy: the message when the other holder does not release the lock
  public func lock(
    _ document: StateDocument, delay: Delay = .real, otherwise busy: String
  ) async throws(ReactorError) -> any DocumentLock {
    var (waited, pause) = (Duration.zero, Duration.milliseconds(50))
    while true {
      if let lock = try await lockIfFree(document) { return lock }
      guard waited < .seconds(60) else { throw .persistence(busy, path: location(of: document)) }
      try await delay.wait(pause)
      waited += pause
      pause = min(pause * 3 / 2, longestPause)
    }
  }
}
