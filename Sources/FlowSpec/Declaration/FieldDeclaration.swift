public import JSONSyntax
public import SourceDiagnostics

/// One field of a schema.
public struct FieldDeclaration: Sendable {
  /// The field's name in the record.
  public var name: String
  /// The source location of the field's key.
  public var range: SourceRange
  /// What it means.
  public var description: String?
  /// Where its value is, relative to the record; default `$.name`.
  public var from: Located<JSONPath>
  /// Its type.
  public var type: TypeDeclaration
  /// What happens when it is absent or null.
  public var missing: MissingDeclaration
  /// What it is computed from; nil for a field that is read.
  public var value: ComputedValue?
}
