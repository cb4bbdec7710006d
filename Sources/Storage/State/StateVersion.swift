public import ReactorCore

/// The kinds of state that runs leave for later runs, each with the number of its form.
///
/// A program reads the form that it writes and the earlier ones. It refuses a later one, and neither uses nor replaces
/// what is in it.
public enum StateVersion: String, Sendable, Hashable, CaseIterable {
  /// The identities of results, in `.reactor.stamps`.
  case stamps
  /// The positions and parents that do not fit into a stamp, in `.reactor/cursors`.
  case cursors
  /// The jobs at servers, in `.reactor/jobs` or the shared state.
  case jobs
  /// The refresh tokens that work once, in `.reactor/auth` or the shared state.
  case tokens
  /// What receivers of notices were told, in `.reactor/notices` or the shared state.
  case notices
  /// The lists of a result's files, in `.reactor/splits`.
  case splits
  /// The runs of flows, in `.reactor/history.jsonl`.
  case history
  /// The recordings of responses, in `cassette.yaml`.
  case recordings
  /// The tables `reactor_…` of a database with results or with shared state.
  case tables

  /// The number of the form that this program writes.
  public var number: Int64 {
    switch self {
    case .cursors: 2
    case .stamps, .jobs, .tokens, .notices, .splits, .history, .recordings, .tables: 1
    }
  }

  /// The name of the column with which a later form of the tables begins. Its presence says that their columns may have
  /// another meaning.
  package static let laterColumn = "version_\(Self.tables.number + 1)"

  /// Whether only a later program knows a form.
  public func isLater(_ found: Int64) -> Bool { found > number }

  /// Refuses a later form.
  ///
  /// - Parameters:
  ///   - found: the number that the state contains; nil for state without one, about which nothing is known
  ///   - location: the path or name of the state, for messages
  public func check(_ found: Int64?, at location: String) throws(ReactorError) {
    guard let found, isLater(found) else { return }
    throw refusal(at: location)
  }

  /// The error for a later form.
  public func refusal(at location: String) -> ReactorError {
    var error = ReactorError(self == .recordings ? .fixture : .persistence, words(location), path: location)
    error.help = help
    return error
  }

  /// What is wrong with a later form.
  package func words(_ location: String) -> String {
    "\(location) was written by a later version of reactor, and this version cannot read it"
  }

  /// What to do about a later form.
  package var help: String {
    switch self {
    case .stamps, .cursors, .jobs, .tokens, .notices, .splits, .history:
      "upgrade reactor, or use another folder (--root); nothing was changed"
    case .recordings: "upgrade reactor, or use another folder (--fixtures); nothing was changed"
    case .tables: "upgrade reactor, or use another database or schema; nothing was changed"
    }
  }
}
