public import SourceDiagnostics

/// A run-time schema as declared, references to other schemas filled in.
public struct SchemaDeclaration: Sendable {
  /// The schema's name, or the flow's for an inline one.
  public var name: String
  /// Where it was written.
  public var range: SourceRange
  /// What it describes.
  public var description: String?
  /// The fields that identify a record, if any.
  public var key: [Located<String>]
  /// The fields in order.
  public var fields: [FieldDeclaration]
}
