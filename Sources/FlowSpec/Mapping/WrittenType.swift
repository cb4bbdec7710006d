import FieldTypes
import FlowModel

/// A type as written in the key `type` or in a field's short form: `string`, `string?` or `[string]`.
struct WrittenType {
  /// The name of the type; `list` for a type in brackets.
  var name: Located<FieldTypeName>
  /// Whether the name has a question mark, so that the field may be absent or null.
  var isOptional = false
  /// The element of a type in brackets; nil for a name.
  var element: FieldValue?
}

/// The type of a field or an element, and whether it is written as optional (`string?`).
struct RawType {
  var kind: RawSchema.Kind
  var isOptional = false
}
