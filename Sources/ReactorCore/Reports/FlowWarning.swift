/// A warning for the operator about a flow that does not fail.
public struct FlowWarning: Sendable, Hashable {
  /// The subject of a warning. The raw value is its word in reports.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Optional fields were in no record and their paths look misspelt, or records have no value in the cursor's field.
    case missingFields
    /// Records have members that an inferred schema does not know.
    case newMembers
    /// The list on the server changed while its pages were requested by number or offset.
    case movedList
    /// Two parents have different records with the same key.
    case sharedKey
    /// The header fields with the server's rate limit cannot be read, and were ignored. This warning is reported once.
    case unreadableLimit
    /// A job that has ended could not be deleted at the server.
    case jobLeft
  }

  /// The subject of the warning.
  public let kind: Kind
  /// The message of the warning and the suggested fix.
  public let error: ReactorError

  /// Creates a warning.
  public init(_ kind: Kind, _ error: ReactorError) {
    self.kind = kind
    self.error = error
  }
}
