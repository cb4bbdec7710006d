public import SourceDiagnostics

/// A run-time schema as declared, with references to other schemas replaced by their fields.
public struct SchemaDeclaration: Sendable {
  /// The schema's name. An inline schema has the name of its flow.
  public var name: String
  /// The source location of the schema.
  public var range: SourceRange
  /// The meaning of the schema, for readers.
  public var description: String?
  /// The fields that identify a record, if any.
  public var key: [Located<String>]
  /// The fields in order.
  public var fields: [FieldDeclaration]
  /// Whether a file describes some of the fields, so that flows of one declaration may have other fields.
  public var isDescribed = false
}
