/// The reason why a text is not a query.
public struct JSONPathError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A description of the error, in lower case, without a full stop.
  public var message: String
  /// The zero-based offset of the error in UTF-8 bytes from the start of the query.
  public var offset: Int

  /// Creates an error.
  public init(_ message: String, at offset: Int) {
    self.message = message
    self.offset = offset
  }

  /// The message with the offset, as in `a selector must follow ',' at offset 5`.
  public var description: String { "\(message) at offset \(offset)" }
}

/// The error of a query that was stopped because it used up its budget.
public struct JSONPathBudgetError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The budget, in units of about one visited node or one matched character.
  public var budget: Int

  /// Creates an error.
  public init(budget: Int) { self.budget = budget }

  /// A message with the budget that was exceeded and a possible fix.
  public var description: String {
    "the query took more than \(budget) steps on this document; make it more specific, above all its '..' segments"
  }
}
