import FlowCompiler
import FlowModel
import FlowRuntime
import FlowSpec
import FlowTesting
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

/// Lists that replace the records of a parent, and conditions under which flows run.
@Suite struct InsteadTests {
  private static let shop = """
    reactor: 1
    vars: { ids: { type: list, default: '' }, plan: free, given: { type: string } }
    http: { base_url: https://api.example.com }
    flows:
      customers: { resource: /customers, schema: { key: id, fields: { id: string, name: string } } }
      orders:
        each: { flow: customers, as: customer, only: { id: vars.ids } }
        resource: "/customers/{{ customer.id }}/orders"
      lines: { each: orders, resource: "/orders/{{ parent.id }}/lines" }
      extras: { when: vars.plan == 'pro', resource: /extras }
      details: { each: extras, resource: "/extras/{{ parent.id }}" }
    """

  private func declarations(_ text: String = Self.shop) throws -> [FlowDeclaration] {
    let loaded = FlowLoader(reader: .nothing).load([SourceFile(path: "shop.yaml", bytes: Array(text.utf8))])
    try #require(!loaded.diagnostics.hasErrors, "\(loaded.diagnostics.diagnostics)")
    return loaded.flows
  }

  private func inputs(_ given: [String: String]) -> FlowCompiler.Inputs {
    FlowCompiler.Inputs(overrides: VariableOverrides(arguments: given))
  }

  @Test func `without values the flow takes the records of its parent`() throws {
    let decision = FlowCompiler().decide(try declarations())
    #expect(decision.flows.map(\.name) == ["customers", "orders", "lines"])
    #expect(decision.flows[1].parents == ["shop.customers"])
    #expect(decision.diagnostics.diagnostics.isEmpty)
  }

  @Test func `a list with values replaces the parent`() throws {
    let decision = FlowCompiler(inputs: inputs(["ids": "a,b"])).decide(try declarations())
    #expect(decision.flows[1].parents == [])
    #expect(decision.flows[1].each?.parents[0].words == "2 values instead of shop.customers")
    #expect(decision.flows[2].parents == ["shop.orders"])
  }

  @Test func `a flow whose condition is false is left out with its child flows`() throws {
    let free = FlowCompiler().decide(try declarations())
    #expect(free.leftOut.map(\.id) == ["shop.extras", "shop.details"])
    #expect(
      free.leftOut.map(\.reason) == [
        "its condition is false: vars.plan == 'pro'", "its parent shop.extras does not run",
      ])
    let pro = FlowCompiler(inputs: inputs(["plan": "pro"])).decide(try declarations())
    #expect(pro.leftOut.isEmpty && pro.flows.count == 5)
  }

  @Test func `what is compiled is decided, and decided once`() throws {
    let compilation = FlowCompiler(inputs: inputs(["ids": "a"])).compile(try declarations())
    #expect(compilation.plans.map(\.origin.name) == ["customers", "orders", "lines"])
    #expect(compilation.leftOut.map(\.id) == ["shop.extras", "shop.details"])
    let compiler = FlowCompiler(inputs: inputs(["ids": "a"]))
    let again = compiler.decide(compiler.decide(try declarations()).flows)
    #expect(again.leftOut.isEmpty && again.flows.map(\.name) == ["customers", "orders", "lines"])
    #expect(again.flows[1].each?.parents[0].words == "1 value instead of shop.customers")
  }

  @Test func `a description has flows that do not run, with their condition`() throws {
    var inputs = inputs([:])
    inputs.ignoresConditions = true
    let plans = FlowCompiler(inputs: inputs).compile(try declarations()).plans
    let items = try #require(plans.first { $0.origin.name == "extras" }).explanation.items
    #expect(items.contains { $0.heading == "runs when" && $0.text == "vars.plan == 'pro' (now false)" })
  }

  @Test(arguments: [
    ("when: vars.given == 'a'", "variable 'given' has no value"),
    ("when: \"int(vars.plan) > 1\"", "'int(vars.plan) > 1': "),
    ("each: { file: a.jsonl, only: { id: \"split(vars.given, ',')\" } }", "variable 'given' has no value"),
    ("each: { file: a.jsonl, only: { id: \"['a', 'a']\" } }", "'['a', 'a']' contains \"a\" twice"),
    ("each: { file: a.jsonl, only: { id: \"json(vars.plan == 'free' ? '{}' : '[]')\" } }", "'json("),
    ("each: { file: a.jsonl, only: { id: \"['']\" } }", "'['']' contains an empty text"),
  ])
  func `an expression without a value is an error, and the flow neither runs nor is left out`(
    _ keys: String, _ message: String
  ) throws {
    let text = Self.shop + "\n  other:\n    resource: /other\n    \(keys)\n"
    for ignores in [false, true] {
      var inputs = inputs([:])
      inputs.ignoresConditions = ignores
      let compilation = FlowCompiler(inputs: inputs).compile(try declarations(text))
      let found = compilation.diagnostics.diagnostics.map(\.message)
      #expect(found.count == 1 && found[0].hasPrefix(message), "\(found)")
      #expect(!compilation.plans.contains { $0.origin.name == "other" })
      #expect(!compilation.leftOut.contains { $0.id == "shop.other" })
    }
  }

  @Test func `null leaves the source in use`() throws {
    let text = Self.shop.replacing("only: { id: vars.ids }", with: "only: { id: json('null') }")
    #expect(FlowCompiler().decide(try declarations(text)).flows[1].parents == ["shop.customers"])
  }

  @Test(arguments: [
    ("{{ customer.name }}", "vars.ids", "'customer.name' may be missing"),
    ("{{ customer.nam }}", "vars.ids", "'customer' has no member 'nam'"),
    ("{{ coalesce(customer.name, '') }}", "vars.ids", nil), ("{{ customer.id + 'a' }}", "vars.ids", nil),
    ("{{ upper(string(customer.id)) }}", "[1, 2]", nil),
  ])
  func `of the records only the field of the list is certain`(_ path: String, _ list: String, _ message: String?) throws
  {
    let text = Self.shop.replacing("{{ customer.id }}", with: path).replacing("id: vars.ids", with: "id: \"\(list)\"")
    let loaded = FlowLoader(reader: .nothing).load([SourceFile(path: "shop.yaml", bytes: Array(text.utf8))])
    let found = loaded.diagnostics.diagnostics.map(\.message)
    if let message {
      #expect(found.count == 1 && found[0].hasPrefix(message), "\(found)")
    } else {
      #expect(found.isEmpty)
    }
  }

  @Test func `a field that the parent does not have is found`() throws {
    let text = Self.shop.replacing("only: { id: vars.ids }", with: "only: { idd: vars.ids }")
    let loaded = FlowLoader(reader: .nothing).load([SourceFile(path: "shop.yaml", bytes: Array(text.utf8))])
    let found = try #require(loaded.diagnostics.diagnostics.first)
    #expect(found.message == "the records of 'shop.customers' have no field 'idd'")
  }

  @Test func `a listed parent has the position that it has as a record`() async throws {
    let keys = """
      each: { file: people.jsonl, key: id, only: { id: vars.ids }, concurrency: 1 }
      resource: { path: "/p/{{ parent.id }}", query: { since: "{{ coalesce(cursor.start, '') }}" } }
      schema: { key: id, fields: { id: integer, at: timestamp } }
      cursor: { field: at, start: 2020-01-01 }
      persistence: { path: out.jsonl, mode: merge }
      """
    try await Rig.with(ok(#"[{"id":1,"at":"2021-01-01T00:00:00Z"}]"#)) { rig in
      try rig.scratch.write("{\"id\":\"a\"}\n{\"id\":\"b\"}\n".utf8, to: "people.jsonl")
      for given in [[:], ["ids": "b,c"], [:]] {
        let flow = try rig.flow(keys, top: "vars: { ids: { type: list, default: '' } }", inputs: inputs(given))
        #expect(await rig.run(flow).message == "")
      }
      let targets = rig.server.requests.map(\.target).filter { $0.hasPrefix("/p/") }
      #expect(
        targets.map { "\($0.prefix(4)) \($0.contains("2021") ? 2021 : 2020)" } == [
          "/p/a 2020", "/p/b 2020", "/p/b 2021", "/p/c 2020", "/p/a 2021", "/p/b 2021",
        ], "\(targets)")
    }
  }
}
