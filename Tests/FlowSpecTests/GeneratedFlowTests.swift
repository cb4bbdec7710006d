import FlowModel
import SourceDiagnostics
import Testing

@testable import FlowSpec

/// Flows that `for` makes from items.
@Suite struct GeneratedFlowTests {
  private static func text(_ items: String, rest: String = "resource: \"/o/{{ vars.object }}\"") -> String {
    """
    reactor: 1
    vars: { objects: { type: list, default: [deals] }, region: eu }
    http: { base_url: https://api.example.com }
    flows:
      list: { resource: /list }
      records:
        for: \(items)
        \(rest)

    """
  }

  private func load(
    _ text: String, given: [String: String] = [:], environment: [String: String] = [:], others: [String: String] = [:]
  ) -> LoadedFlows {
    let reader = SourceReader { (folder) throws(SourceReadError) in
      others.keys.filter { PathText.folder(of: $0) == folder }.map { PathText.name(of: $0) }
    } bytes: { (path) throws(SourceReadError) in
      guard let text = others[path] else { throw SourceReadError("it does not exist") }
      return Array(text.utf8)
    }
    let overrides = VariableOverrides(arguments: given, environment: environment)
    return FlowLoader(reader: reader, overrides: overrides).load([SourceFile(path: "flows/shop.yaml", text: text)])
  }

  private func target(_ flow: FlowDeclaration) throws -> String {
    var diagnostics = DiagnosticBag()
    let scope = flow.file.scope(
      overrides: VariableOverrides(arguments: ["object": "x"], environment: ["REACTOR_VAR_OBJECT": "y"]), secrets: [:],
      environment: [:], diagnostics: &diagnostics)
    return try flow.pull.request.path.value.resolve(with: scope).text
  }

  @Test func `each value makes a flow, and nothing outside replaces its variable`() throws {
    let loaded = load(Self.text("{ values: [Contacts, order lines, 7], as: object }"))
    #expect(loaded.diagnostics.diagnostics.isEmpty)
    #expect(
      loaded.flows.map(\.id) == ["shop.list", "shop.records_contacts", "shop.records_order_lines", "shop.records_7"])
    #expect(try loaded.flows.dropFirst().map(target) == ["/o/Contacts", "/o/order lines", "/o/7"])
    #expect(
      loaded.flows.map(\.file.item) == [nil, "vars.object = Contacts", "vars.object = order lines", "vars.object = 7"])
    #expect(loaded.itemFiles.isEmpty)
  }

  @Test func `an expression over variables gives the values`() {
    let text = Self.text("{ values: \"{{ vars.objects }}\", as: object }")
    #expect(load(text).flows.map(\.name) == ["list", "records_deals"])
    #expect(load(text, given: ["objects": "a,b"]).flows.map(\.name) == ["list", "records_a", "records_b"])
    #expect(load(text, environment: ["REACTOR_VAR_OBJECTS": "c"]).flows.map(\.name) == ["list", "records_c"])
    #expect(load(text, given: ["objects": ""]).flows.map(\.name) == ["list"])
  }

  @Test(arguments: [
    ("objects.jsonl", "{\"name\":\"a\",\"of\":{\"n\":1}}\n\n{\"name\":\"b\",\"of\":{\"n\":2}}\n"),
    ("objects.json", "[{\"name\":\"a\",\"of\":{\"n\":1}},{\"name\":\"b\",\"of\":{\"n\":2}}]"),
  ])
  func `records of a file make flows, and their variables have types`(_ file: String, _ content: String) throws {
    let text = Self.text(
      "{ file: \(file), vars: { object: $.name, number: $.of.n } }",
      rest: "resource: { path: \"/o/{{ vars.object }}\", query: { next: \"{{ vars.number + 1 }}\" } }")
    let loaded = load(text, others: ["flows/\(file)": content])
    #expect(loaded.diagnostics.diagnostics.isEmpty, "\(loaded.diagnostics.diagnostics)")
    #expect(loaded.flows.map(\.name) == ["list", "records_a", "records_b"])
    #expect(loaded.flows.last?.file.item == "vars.object = b, vars.number = 2")
    #expect(!loaded.itemFiles.isEmpty)
  }

  @Test(arguments: [
    ("[1, 2]", VariableType.integer), ("[1, 2.5]", .number), ("[true, false]", .boolean), ("[1, \"a\"]", .string),
    ("[1, true]", .string),
  ])
  func `the type of a variable fits all items`(_ values: String, _ type: VariableType) throws {
    let loaded = load(
      Self.text("{ file: o.json, vars: { object: $ } }"), others: ["flows/o.json": values])
    #expect(loaded.flows.last?.file.variables.last?.type == type, "\(loaded.diagnostics.diagnostics)")
  }

  @Test func `without the file there are no flows, a warning, and the others run`() throws {
    let loaded = load(Self.text("{ file: objects.jsonl, vars: { object: $.name } }"))
    #expect(loaded.codes == ["flow.for-nothing"] && !loaded.diagnostics.hasErrors)
    #expect(loaded.flows.map(\.name) == ["list"])
    #expect(!loaded.itemFiles.isEmpty)
  }

  @Test func `a name can be declared, and generated flows can be parents`() {
    let text =
      Self.text("{ values: [a, b], as: object, name: \"{{ vars.object }}s\" }")
      + "  lines: { each: as, resource: \"/lines/{{ parent.id }}\" }\n"
    let loaded = load(text)
    #expect(loaded.diagnostics.diagnostics.isEmpty)
    #expect(loaded.flows.map(\.name) == ["list", "as", "bs", "lines"])
    #expect(loaded.flows.last?.parents == ["shop.as"])
  }

  @Test(arguments: [
    (
      "{ values: [a-b, a_b], as: object }", [:],
      "the items 'vars.object = a-b' and 'vars.object = a_b' give two flows with the name 'records_a_b'"
    ),
    ("{ values: [a], as: object, name: list }", [:], "flow 'shop.list' is defined twice"),
    ("{ values: \"{{ [1.5] }}\", as: object }", [:], "'[1.5]' has type list(double)"),
    ("{ values: \"{{ json('{}') }}\", as: object }", [:], "'json('{}')' is not a list"),
    (
      "{ file: o.json, vars: { object: $.name } }", ["flows/o.json": "[{\"name\":null}]"],
      "item 1 of o.json has no text, number or boolean at $.name"
    ),
    (
      "{ file: o.json, vars: { object: $.name } }", ["flows/o.json": "[{\"name\":\"a\"},3]"],
      "item 2 of o.json has no text"
    ),
    (
      "{ file: o.jsonl, vars: { object: $.name } }", ["flows/o.jsonl": "{\"name\":\"a\"}\n{\"nam"],
      "'flows/o.jsonl' is not JSON in line 2"
    ),
    ("{ file: o.json, vars: { object: $.name } }", ["flows/o.json": ""], nil),
  ])
  func `items that make no flows are found`(_ items: String, _ others: [String: String], _ message: String?) {
    let loaded = load(Self.text(items), others: others)
    let found = loaded.diagnostics.diagnostics.map(\.message)
    if let message {
      #expect(found.count == 1 && found[0].hasPrefix(message), "\(found)")
    } else {
      #expect(found.isEmpty && loaded.flows.map(\.name) == ["list"], "\(found)")
    }
  }

  @Test func `an error in the flow is reported once, not once for each item`() {
    let loaded = load(Self.text("{ values: [a, b, c], as: object }", rest: "resource: /o\n    prune: maybe"))
    #expect(loaded.codes == ["flow.invalid-boolean"])
  }
}
