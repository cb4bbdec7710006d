import FieldTypes
import FlowModel
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

/// A schema as written, in which references to other schemas are still names.
struct RawSchema: Sendable {
  var name: String
  var range: SourceRange
  var description: String?
  var key: [Located<String>]
  var fields: [Field]
  /// Whether some fields come from the descriptions in another file, so that each flow can have different fields.
  var isDescribed = false
  /// Where the fields come from that the flow file does not contain.
  var origin = SchemaDeclaration.Origin.written
  /// Whether an error in the schema was reported. The schema then cannot be used.
  var hasError: Bool

  struct Field: Sendable {
    var name: String
    var range: SourceRange
    var description: String?
    var from: Located<JSONPath>
    var type: Kind
    var isOptional: Bool
    /// Whether values of other types are converted.
    var coerces = false
    /// The default, which is read only when the whole type is known.
    var defaultValue: FieldValue?
    var computed: ComputedValue?

    var isInferred: Bool { if case .inferred = type { true } else { false } }
  }

  indirect enum Kind: Sendable {
    case plain(TypeDeclaration)
    case list(Kind)
    case object([Field])
    case reference(Located<String>)
    /// The field is computed and declares no type: its type is that of the computed value.
    case inferred
  }
}
