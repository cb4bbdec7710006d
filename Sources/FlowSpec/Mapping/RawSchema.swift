import FieldTypes
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

/// A schema as written, with references to other schemas still names.
struct RawSchema {
  var name: String
  var range: SourceRange
  var description: String?
  var key: [Located<String>]
  var fields: [Field]
  /// Whether a mistake in it was reported, so that it cannot be used.
  var hasError: Bool

  struct Field {
    var name: String
    var range: SourceRange
    var description: String?
    var from: Located<JSONPath>
    var type: Kind
    var isOptional: Bool
    /// Read when the type is known in full.
    var defaultValue: FieldValue?
    var computed: ComputedValue?

    var isInferred: Bool { if case .inferred = type { true } else { false } }
  }

  indirect enum Kind {
    case plain(TypeDeclaration)
    case list(Kind)
    case object([Field])
    case reference(Located<String>)
    /// What a computed field gives.
    case inferred
  }
}
