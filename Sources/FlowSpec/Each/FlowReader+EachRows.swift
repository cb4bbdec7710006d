import Expressions
import FlowModel
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads a table or a query as the source of records.
  ///
  /// - Parameter location: the key of the table or the query
  mutating func rows(_ nodes: FieldNodes, at location: SourceRange) -> EachSource? {
    let store = read(EachKeys.store, of: nodes)
    let table = read(EachKeys.table, of: nodes)
    let query = read(EachKeys.query, of: nodes)
    if let key = nodes.key(EachKeys.schema) {
      return fail(
        .eachSource, "'schema' is only for records of a 'file'", at: key, help: "the columns have their own types")
    }
    guard !nodes.isLeftOut(EachKeys.store) else {
      return fail(
        .missingKey, "'store' is missing, which names the database", at: location, help: "add 'store: NAME'")
    }
    guard let store else { return nil }
    return (table ?? query).map { .rows(StoredRows($0, isQuery: table == nil, in: store)) }
  }

  /// Reads a query. A template stands for a value, so it cannot be inside of quotes.
  mutating func sqlQuery(_ value: FieldValue) -> Located<Template>? {
    guard let template = template(value) else { return nil }
    let segments = template.value.segments
    let isEmpty = template.value.constantText?.utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    if isEmpty ?? false {
      return fail(.missingValue, "'\(value.spec.name)' is empty", at: value.node.range)
    }
    for (before, segment) in zip(segments, segments.dropFirst()) {
      guard case .text(let text) = before, text.hasSuffix("'") || text.hasSuffix("\"") else { continue }
      if case .text = segment { continue }
      return fail(
        .invalidTable, "a template in a query is quoted already", at: value.node.range,
        help: "remove the quotes around it: a template stands for a value, and cannot be a name")
    }
    return template
  }
}
