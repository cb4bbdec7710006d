internal import Expressions
internal import JSONSyntax
internal import ReactorCore

/// The computed fields of a schema, in the order of their computation.
///
/// Each field comes after the fields that it needs.
struct ComputedFields {
  struct Field {
    /// The field's index in the record.
    var index: Int
    var mapping: FieldMapping
    var template: ExpressionTemplate
    /// Whether the field needs other computed fields.
    var usesComputed: Bool
  }

  private(set) var fields: [Field] = []

  init(_ plan: MappingPlan) {
    let mappings = plan.objects[0].mappings
    var open = mappings.indices.filter { mappings[$0].value != nil }
    let names = Set(open.map { mappings[$0].name })
    var done: Set<String> = []
    while !open.isEmpty {
      // The language rejects cycles. If there is a cycle, its fields are computed in the order of the schema.
      let next = open.firstIndex { Self.needs(mappings[$0], names).isSubset(of: done) } ?? 0
      let index = open.remove(at: next)
      let mapping = mappings[index]
      done.insert(mapping.name)
      guard let template = mapping.value else { continue }
      fields.append(
        Field(
          index: index, mapping: mapping, template: template, usesComputed: !Self.needs(mapping, names).isEmpty))
    }
  }

  var isEmpty: Bool { fields.isEmpty }

  /// The names from the scope that the fields use.
  var references: [Expression.Reference] { fields.flatMap(\.template.references) }

  /// The computed fields that a field uses. A field that uses the whole record needs all other computed fields.
  private static func needs(_ field: FieldMapping, _ computed: Set<String>) -> Set<String> {
    var needs: Set<String> = []
    for reference in field.value?.references ?? [] where reference.root == "record" {
      if let member = reference.firstMember {
        if computed.contains(member) { needs.insert(member) }
      } else {
        needs.formUnion(computed.filter { $0 != field.name })
      }
    }
    return needs
  }
}

extension ComputedFields.Field {
  /// Computes the fields of a mapped row; applies the missing policy to an absent or null value.
  func compute(
    _ row: UnsafeMutablePointer<Cell>, in scope: EvaluationScope, _ decoder: RecordDecoder
  ) throws(RecordError) {
    if let value = try value(in: scope) { try decoder.set(index, to: value, in: row) }
    guard row[index].kind == .absent || row[index].kind == .null else { return }
    switch mapping.missing {
    case .required:
      throw RecordError(
        "'\(mapping.name)' is required, but null", pointer: RejectionText.pointer([.name(mapping.name)]),
        rule: Mismatch.required.rule)
    case .optional: row[index] = .null
    case .default: row[index] = decoder.plan.fields[index].constant
    }
  }

  private func value(in scope: EvaluationScope) throws(RecordError) -> ExpressionValue? {
    do throws(ExpressionTemplateError) {
      return try template.value(in: scope, for: .record)
    } catch {
      if case .evaluation(let cause, _) = error, cause.kind == .missing, mapping.missing != .required { return nil }
      throw RecordError(
        "'\(mapping.name)' has no value: \(error.message)", pointer: RejectionText.pointer([.name(mapping.name)]),
        rule: "value")
    }
  }
}
