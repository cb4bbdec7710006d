internal import Expressions
internal import JSONSyntax
internal import ReactorCore

/// The fields of a schema that are computed from others, in an order in which each finds what it needs.
struct ComputedFields {
  private struct Entry {
    var name: String
    var template: ExpressionTemplate
    var conversion: FieldConversion
    /// Whether it looks at fields that were computed before.
    var usesComputed: Bool
    var mayBeMissing: Bool
  }

  private let entries: [Entry]
  let usesSource: Bool

  init(_ schema: RecordSchema) {
    var open = schema.fields.filter { $0.value != nil }
    let names = Set(open.map(\.name))
    usesSource = open.contains { $0.value?.references.contains { $0.root == "source" } ?? false }
    var entries: [Entry] = []
    var done: Set<String> = []
    while !open.isEmpty {
      // The language refuses circles; should there be one, it is taken as written.
      let next = open.firstIndex { Self.needs($0, names).isSubset(of: done) } ?? 0
      let field = open.remove(at: next)
      done.insert(field.name)
      guard let template = field.value else { continue }
      entries.append(
        Entry(
          name: field.name, template: template, conversion: FieldConversion(field.name, field.type),
          usesComputed: !Self.needs(field, names).isEmpty, mayBeMissing: field.missing != .required))
    }
    self.entries = entries
  }

  var isEmpty: Bool { entries.isEmpty }

  /// The computed fields that a field takes its value from; the record as a whole means all others.
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

  /// Adds the fields to a record that holds those that were read.
  func add(
    to object: inout JSONObject, scope: inout EvaluationScope, type: ExpressionType
  ) throws(RecordError) {
    for entry in entries {
      if entry.usesComputed { scope.values["record"] = ExpressionValue(.object(object), as: type) }
      let pointer = RejectionText.pointer([.name(entry.name)])
      let value: ExpressionValue
      do throws(ExpressionTemplateError) {
        value = try entry.template.value(in: scope, for: .record)
      } catch {
        guard case .evaluation(let cause, _) = error, cause.kind == .missing, entry.mayBeMissing else {
          throw RecordError("'\(entry.name)' has no value: \(error.message)", pointer: pointer, rule: "value")
        }
        object[entry.name] = .null
        continue
      }
      do throws(RecordError) {
        object[entry.name] = try entry.conversion.converted(value)
      } catch {
        throw RecordError(
          "'\(entry.name)' does not fit: \(error.error.message)", pointer: pointer + error.error.pointer,
          rule: error.rule)
      }
    }
  }
}
