public import FlowModel
public import JSONSyntax
public import SourceDiagnostics

/// One field of a schema.
public struct FieldDeclaration: Sendable {
  /// The field's name in the record.
  public var name: String
  /// The source location of the field's key.
  public var range: SourceRange
  /// The meaning of the field, for readers.
  public var description: String?
  /// The path to the field's value, relative to the record. The default is `$.name`.
  public var from: Located<JSONPath>
  /// The type of the field.
  public var type: TypeDeclaration
  /// The effect of a value that is absent or null.
  public var missing: MissingDeclaration
  /// Whether values of other types are converted, if nothing is lost.
  public var coerces = false
  /// The template that computes the field; nil if the field is read from the record.
  public var value: ComputedValue?
}
