/// An RFC 9535 query, checked when it is built.
public struct JSONPath: Sendable, Hashable {
  /// One step of a singular path: at most one node can match.
  public enum Step: Sendable, Hashable {
    /// The member with this name.
    case name(String)
    /// The element with this index; negative counts from the end.
    case index(Int)
  }

  /// The query as written.
  public let text: String

  /// Parses and type-checks a query.
  public init(parsing text: String) throws(JSONPathError) {
    self.text = text
  }

  /// The steps when the query is singular (RFC 9535, section 2.3.5.1), else nil; `$` gives no steps.
  public var singularSteps: [Step]? { nil }

  /// The steps before a final `[*]` when all before it is singular, else nil: what can be read as a stream.
  public var elementSteps: [Step]? { nil }

  /// The values selected, in the order RFC 9535 gives.
  public func values(in root: JSONValue) -> [JSONValue] { [] }
}

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
