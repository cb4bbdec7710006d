package import Expressions
internal import FieldTypes
package import FlowModel
package import SourceDiagnostics

/// A run-time schema as declared, with references to other schemas replaced by their fields.
///
/// It is a class because all flows that name a schema share it.
package final class SchemaDeclaration: Sendable {
  /// The schema's name. An inline schema has the name of its flow.
  package let name: String
  /// The source location of the schema.
  package let range: SourceRange
  /// The meaning of the schema, for readers.
  package let description: String?
  /// The fields that identify a record, if any.
  package let key: [Located<String>]
  /// The fields in order.
  package let fields: [FieldDeclaration]
  /// Whether some fields come from the descriptions in another file. Flows with equal declarations can then have
  /// different fields, because each flow selects its own descriptions.
  package let isDescribed: Bool
  /// Where the fields come from.
  package let origin: Origin
  /// The type in expressions of a record of this schema, as the record is stored.
  package let recordType: ExpressionType

  init(
    name: String, range: SourceRange, description: String?, key: [Located<String>], fields: [FieldDeclaration],
    isDescribed: Bool = false, origin: Origin = .written
  ) {
    self.name = name
    self.range = range
    self.description = description
    self.key = key
    self.fields = fields
    self.isDescribed = isDescribed
    self.origin = origin
    recordType = origin == .unknown ? .dynamic : .object(ExpressionType.Object(fields.map(\.member)))
  }

  /// A copy of the schema with the given fields instead of its own.
  func with(_ fields: [FieldDeclaration]) -> SchemaDeclaration {
    SchemaDeclaration(
      name: name, range: range, description: description, key: key, fields: fields, isDescribed: isDescribed,
      origin: origin)
  }

  /// Where the fields of a schema come from.
  package enum Origin: Sendable, Hashable {
    /// The flow or schema file.
    case written
    /// A lock file. The fields in it were inferred from the first result.
    case locked
    /// Nowhere yet: the fields are still to be inferred, and until then only placeholders are declared.
    case unknown
  }
}

extension FieldDeclaration {
  var member: ExpressionType.Member {
    let type = type.expressionType(\.member)
    if case .optional = missing { return ExpressionType.Member(name, .optional(type)) }
    return ExpressionType.Member(name, type)
  }
}
