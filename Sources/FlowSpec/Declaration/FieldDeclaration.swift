package import FlowModel
package import JSONSyntax
package import SourceDiagnostics

/// One field of a schema.
package struct FieldDeclaration: Sendable {
  /// The field's name in the record.
  package var name: String
  /// The source location of the field's key.
  package var range: SourceRange
  /// The meaning of the field, for readers.
  package var description: String?
  /// The path to the field's value, relative to the record. The default is `$.name`.
  package var from: Located<JSONPath>
  /// The type of the field.
  package var type: TypeDeclaration
  /// What happens if the value in the response is absent or null.
  package var missing: MissingDeclaration
  /// Whether values of other types are converted, if nothing is lost.
  package var coerces = false
  /// The template that computes the field; nil if the field is read from the record.
  package var value: ComputedValue?
}
