import Expressions
import FlowModel
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads the list that replaces the records of a source.
  mutating func instead(_ nodes: FieldNodes, of source: EachSource) -> ReplacementList? {
    if case .union = source, let key = nodes.key(EachKeys.instead) {
      return fail(
        .eachSource, "'instead' replaces the records of one source, and a union has several", at: key,
        help: "write the list as 'values' in the union")
    }
    guard let key = nodes.key(EachKeys.instead), !source.givesRecords else { return read(EachKeys.instead, of: nodes) }
    return fail(
      .eachSource, "'instead' replaces records, and 'values' gives none", at: key,
      help: "choose between two lists in the expression of 'values', as in a != [] ? a : b")
  }

  /// Reads the name of the only field, and the expression that returns the list of its values.
  mutating func insteadOfSource(_ value: FieldValue) -> ReplacementList? {
    guard let members = members(of: value, role: .field) else { return nil }
    guard let member = members.first else {
      return fail(
        .missingValue, "'instead' names no field", at: value.node.range,
        help: "name the field that templates use: { id: vars.ids }")
    }
    if let second = members.dropFirst().first {
      return fail(
        .contradiction, "'instead' has one field, and '\(printable(second.name))' is another one", at: second.key.range,
        help: "a list has one value for each record")
    }
    guard let list = listExpression(value.part(member.value), mayBeMissing: true) else { return nil }
    return ReplacementList(of: Located(member.name, at: member.key.range), list.expression, type: list.element)
  }
}
