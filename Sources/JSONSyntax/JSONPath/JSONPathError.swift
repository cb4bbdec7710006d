/// Why a text is not a query.
public struct JSONPathError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, lower case, no full stop.
  public var message: String
  /// UTF-8 bytes from the start of the query, from 0.
  public var offset: Int

  /// Builds an error.
  public init(_ message: String, at offset: Int) {
    self.message = message
    self.offset = offset
  }

  /// `message at offset n`
  public var description: String { "\(message) at offset \(offset)" }
}

/// A query that was stopped because it took more work than it was given.
public struct JSONPathBudgetError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The budget that was used up, in units of about one visited node or one matched character.
  public var budget: Int

  /// Builds an error.
  public init(budget: Int) { self.budget = budget }

  /// Says what was used up and what to do.
  public var description: String {
    "the query took more than \(budget) steps on this document; make it more specific, above all its '..' segments"
  }
}
