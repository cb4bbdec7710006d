import FlowModel
import FlowSpec
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

/// What the references of `JSONSyntax`, `SourceDiagnostics`, `FlowModel` and `FlowSpec` show.
enum DocCSyntax {
  static func point(into root: JSONValue) throws -> JSONValue? {
    let pointer = try JSONPointer(parsing: "/a~1b/0")
    print(pointer.tokens)  // ["a/b", "0"]
    let value = pointer.value(in: root)  // nil when it does not exist
    return value
  }

  static func select(in text: String) throws -> [JSONValue] {
    let path = try JSONPath(parsing: "$.orders[?@.total > 100].id")
    let ids = try path.values(in: JSONValue(parsing: text))
    return ids
  }

  static func write(_ value: JSONValue) -> (line: [UInt8], page: [UInt8]) {
    let line = JSONWriter.bytes(value)  // {"a":[1,2]}
    let page = JSONWriter.bytes(value, style: .pretty)  // two spaces for each level
    return (line, page)
  }

  static func compare() {
    print(CountOrShare.percent(10).allows(6, of: 50))  // false: at most 5 of 50
    print(CountOrShare.count(10).allows(6, of: 50))  // true: at most 10
  }

  static func explain() {
    let catalogue = DiagnosticCatalogue(DiagnosticCatalogue.yamlEntries + DiagnosticCatalogue.flowEntries)
    print(catalogue["yaml.duplicate-key"]?.page ?? "")
  }

  static func load(_ bytes: [UInt8]) -> LoadedFlows {
    let loaded = FlowLoader(reader: .nothing).load([SourceFile(path: "flows/shop.yaml", bytes: bytes)])
    for flow in loaded.flows { print(flow.id) }
    return loaded
  }

  static func order(_ loaded: LoadedFlows) -> [String] {
    let graph = FlowGraph(loaded.flows)
    let order = graph.order.map { graph.ids[$0] }
    return order
  }

  static func conflicts(
    _ resolved: [(flow: FlowDeclaration, path: (text: String, range: SourceRange))]
  ) -> DiagnosticBag {
    var diagnostics = DiagnosticBag()
    var outputs = OutputPaths()
    for (flow, path) in resolved {
      if let conflict = outputs.take(path.text, of: flow.id, at: path.range) { diagnostics.report(conflict) }
    }
    return diagnostics
  }
}
