import Foundation
import JSONSyntax
import ReactorCLI
import ReactorCore
import RunViews
import SourceDiagnostics
import FlowSpec
import YAMLSyntax
import Testing

@Suite(.timeLimit(.minutes(1))) struct OtherCommandsTests {
  @Test func `check finds the errors of all files and nothing else happens`() async throws {
    let bench = try Workbench([
      "flows/a.yaml": Workbench.flows("a"), "flows/deep/b.yml": "reactor: 1\nflows: { x: { resorce: /x } }\n",
      "flows/deep/c.yaml": "reactor: 2\n", "flows/.hidden.yaml": "nonsense", "flows/notes.txt": "nonsense",
      "flows/schemas/s.yaml": "reactor: 1\nschemas: { s: { fields: { id: integer } } }\n",
    ])
    let outcome = try await bench.run(["check", bench.path("flows")])
    #expect(outcome.code == 3)
    #expect(outcome.out.isEmpty)
    #expect(outcome.err.contains("b.yml:2:15: error: unknown key 'resorce'"))
    #expect(outcome.err.contains("c.yaml:1:10: error: "))
    #expect(!outcome.err.contains("hidden") && !outcome.err.contains("s.yaml"))
    let fine = try await bench.run(["check", bench.path("flows/a.yaml")])
    #expect(fine.code == 0)
    #expect(fine.out == "ok  1 flow in 1 file\n")
    let json = try JSONValue(parsing: try await bench.run(["check", bench.path("flows"), "--format", "json"]).out)
    #expect(json["exit"]?.int64 == 3)
    #expect(json["files"]?.int64 == 3)
    #expect(json["problems"]?.array?.isEmpty == false)
  }

  @Test func `check lists the flows whose meaning a version changed`() async throws {
    let bench = try Workbench([
      "flows/a.yaml": """
      reactor: 1
      http: { base_url: https://a.example }
      flows:
        asks: { resource: /a, persistence: out/a.jsonl }
        fresh: { resource: /a, persistence: { path: out/b.jsonl, expires_after: 1h } }
        stays: { resource: /a, persistence: { path: out/c.jsonl, expires_after: never } }
        follows:
          resource: /a
          schema: { key: id, fields: { id: integer, at: timestamp } }
          cursor: { field: at, query: since }
          persistence: { path: out/d.jsonl, mode: merge }
        adds:
          resource: /a
          schema: { fields: { id: integer, at: timestamp } }
          cursor: { field: at, query: since, bounds: "(]" }
          rejected: out/bad.jsonl
          persistence: { path: out/e.jsonl, mode: append }
        lines: { resource: /a, decode: jsonl, expect: { min: 1 } }
        text: { resource: /a, decode: jsonl }

      """
    ])
    let outcome = try await bench.run(["check", bench.path("flows"), "--changes"])
    #expect(outcome.code == 0, "\(outcome.err)")
    let found = outcome.out.split(separator: "\n").dropFirst().map { line in
      line.split(separator: ": ").dropFirst().prefix(2).joined(separator: ": ").prefix(40)
    }
    #expect(
      found == [
        "a.asks: each run asks the server; before", "a.follows: a rejected record fails the f",
        "a.follows: of two records with the same ", "a.adds: a record dated more than five mi",
        "a.text: an empty body is an error; 'expe",
      ])
    let json = try JSONValue(
      parsing: try await bench.run(["check", bench.path("flows"), "--changes", "--format", "json"]).out)
    #expect(json["changes"]?.array?.count == 5)
    #expect(json["changes"]?.array?.first?["flow"]?.string == "a.asks")
    #expect(try await bench.run(["check", bench.path("flows")]).out == "ok  7 flows in 1 file\n")
  }

  @Test func `a missing path and an empty folder have their codes`() async throws {
    let bench = try Workbench(["empty/readme.txt": "x"])
    let missing = try await bench.run(["check", bench.path("nowhere")])
    #expect(missing.code == 3)
    #expect(missing.err.contains("the file or folder"))
    #expect(try await bench.run(["check", bench.path("empty")]).code == 4)
    #expect(try await bench.run(["run", bench.path("empty")]).code == 4)
    #expect(try await bench.run(["list", bench.path("empty")]).code == 4)
  }

  @Test func `a loop of links in a folder is refused`() async throws {
    let bench = try Workbench(["flows/a.yaml": Workbench.flows("a")])
    try FileManager.default.createSymbolicLink(
      atPath: bench.path("flows/loop"), withDestinationPath: bench.path("flows"))
    let outcome = try await bench.run(["list", bench.path("flows")])
    #expect(outcome.code == 3)
    #expect(outcome.err.contains("flows/loop' cannot be read: it is a symbolic link"), "\(outcome.err)")
  }

  @Test func `list shows the flows that a value makes`() async throws {
    let bench = try Workbench([
      "flows/a.yaml": """
      reactor: 1
      vars: { regions: { type: list, default: [eu] } }
      http: { base_url: https://api.example.com }
      flows:
        prices:
          for: { values: "{{ vars.regions }}", as: region, name: "prices_{{ vars.region }}" }
          resource: "/{{ vars.region }}/prices"
      """
    ])
    let flows = bench.path("flows")
    func ids(_ more: String...) async throws -> [String] {
      let outcome = try await bench.run(["list", flows] + more)
      return outcome.out.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    }
    #expect(try await ids() == ["a.prices_eu"])
    #expect(try await ids("--var", "regions=us,jp") == ["a.prices_us", "a.prices_jp"])
    let misspelt = try await bench.run(["list", flows, "--var", "region=us"])
    #expect(misspelt.code == 2 && misspelt.err.contains("'region'"))
  }

  @Test func `list shows the selection in plan order`() async throws {
    let bench = try Workbench([
      "flows/b.yaml": Workbench.flows("x", "y"), "flows/a.yaml": Workbench.flows("z", "customers"),
    ])
    let outcome = try await bench.run(["list", bench.path("flows"), "-s", "tag:t-z y"])
    #expect(outcome.code == 0)
    #expect(outcome.out == "a.z  \(bench.path("flows/a.yaml")):4  [t-z]\nb.y  \(bench.path("flows/b.yaml")):5  [t-y]\n")
    let nothing = try await bench.run(["list", bench.path("flows"), "-s", "tag:t-customrs"])
    #expect(nothing.code == 4)
    #expect(nothing.err.contains("did you mean 'tag:t-customers'?"))
  }

  @Test func `a flow of a file with errors is not said to be unknown`() async throws {
    let bench = try Workbench(["flows/a.yaml": Workbench.flows("a").replacing("tags:", with: "tgas:")])
    for command in ["run", "list"] {
      let outcome = try await bench.run([command, bench.path("flows"), "-s", "a.a"])
      #expect(outcome.code == 3)
      #expect(!outcome.err.contains("selects no flow"), "\(outcome.err)")
    }
  }

  @Test func `explain knows codes, keys and flows`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("customers", more: "secrets: [TOKEN]\n")])
    let flows = bench.path("flows")
    let code = try await bench.run(["explain", "flow.unknown-key", flows])
    #expect(code.code == 0 && code.out.hasPrefix("flow.unknown-key: unknown key\n"))
    #expect(try await bench.run(["explain", "[flow.unknown-key]", flows]).out == code.out)
    let key = try await bench.run(["explain", "persistence.expires_after", flows])
    #expect(key.code == 0 && key.out.contains("expires_after"))
    #expect(try await bench.run(["explain", "flows.*.prune", flows]).out.contains("prune"))
    for name in ["customers", "shop.customers"] {
      let flow = try await bench.run(["explain", name, flows], environment: ["TOKEN": "hush-hush"])
      #expect(flow.code == 0)
      #expect(flow.out == "shop.customers\n  request  GET /customers\n  secrets  [\"TOKEN\": \"***\"]\n")
    }
    let unset = try await bench.run(["explain", "customers", flows])
    #expect(unset.code == 0 && unset.out.contains("unset-secret"))
    let unknown = try await bench.run(["explain", "shop.custmers", flows])
    #expect(unknown.code == 4)
    #expect(unknown.err.contains("did you mean 'shop.customers'?"))
  }

  @Test func `explain knows every code that is printed in brackets`() async throws {
    let bench = try Workbench()
    let yaml = DiagnosticCatalogue.yamlEntries.map(\.code.rawValue)
    let codes = yaml + FlowCode.allCases.map(\.rawValue) + RunCode.allCases.map(\.rawValue)
    for code in codes {
      let page = try await bench.run(["explain", "[\(code)]"])
      #expect(page.code == 0 && page.out.hasPrefix("\(code): "), "\(code)")
      #expect(code.allSatisfy { $0.isLowercase || $0 == "." || $0 == "-" || $0.isNumber }, "\(code)")
    }
    // Reports for programs write the kinds of errors as words of their own.
    for kind in ReactorError.Kind.allCases {
      let page = try await bench.run(["explain", kind.rawValue])
      let code = RunCode(kind).rawValue
      #expect(page.code == 0 && (page.out.hasPrefix(code) || page.err.contains("reactor explain \(code)\n")), "\(kind)")
    }
  }

  @Test func `explain prefers a flow to a key of the same name, and says how to ask for the key`() async throws {
    let bench = try Workbench(["flows/flows.yaml": Workbench.flows("tags")])
    let flow = try await bench.run(["explain", "flows.tags", bench.path("flows")])
    #expect(flow.code == 0 && flow.out.hasPrefix("flows.tags\n"), "\(flow.out)")
    #expect(flow.err.contains("'flows.tags' is also a key of the language"), "\(flow.err)")
    #expect(flow.err.contains("reactor explain flow.tags\n"), "\(flow.err)")
    #expect(try await bench.run(["explain", "flow.tags", bench.path("flows")]).out.hasPrefix("tags (in a flow)"))
  }

  @Test func `schemas are JSON`() async throws {
    let bench = try Workbench()
    for which in ["flow", "schema", "summary"] {
      let outcome = try await bench.run(["schema", which])
      #expect(outcome.code == 0)
      #expect(try JSONValue(parsing: outcome.out)["$schema"]?.string == "http://json-schema.org/draft-07/schema#")
    }
  }

  @Test func `the summary holds the members that its schema names`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a", "b")])
    let assembly = FakeAssembly(results: ["b": .failure(.parser("no"))])
    let summary = try JSONValue(
      parsing: try await bench.run(["run", bench.path("flows"), "--format", "json"], assembly).out)
    let schema = try JSONValue(parsing: RunReport.schema)
    try expectMembers(of: summary, by: schema)
    let flow = try #require(schema["definitions"]?["flow"])
    for value in try #require(summary["flows"]?.array) { try expectMembers(of: value, by: flow) }
    let error = try #require(summary["flows"]?.array?.last?["error"])
    try expectMembers(of: error, by: try #require(schema["definitions"]?["error"]))
  }

  private func expectMembers(of value: JSONValue, by schema: JSONValue) throws {
    guard case .object(let object) = value, case .object(let properties) = try #require(schema["properties"]) else {
      Issue.record("no objects")
      return
    }
    let names = Set(object.members.map(\.name))
    #expect(names.isSubset(of: properties.members.map(\.name)))
    #expect(names.isSuperset(of: try #require(schema["required"]?.array).compactMap(\.string)))
  }

  @Test(arguments: [["import"], ["import", "dlt", "config.json"], ["--quiet", "import"], ["help", "import", "dlt"]])
  func `a command that is a program of its own is not done in this process`(_ arguments: [String]) async throws {
    let outcome = try await Workbench([:]).run(arguments)
    #expect(outcome.code == 2 && outcome.out.isEmpty, "\(outcome.out)")
    #expect(outcome.err.hasPrefix("error: 'reactor import' is the program 'reactor-import'"), "\(outcome.err)")
    #expect(outcome.err.contains("\n     = help: "))
  }

  @Test(arguments: ["run", "check", "list", "explain", "init", "serve", "drift", "record", "test", "review", "accept"])
  func `the usage of a command begins with the program's name`(_ command: String) async throws {
    let outcome = try await Workbench([:]).run([command, "--help"])
    #expect(outcome.code == 0)
    #expect(outcome.out.contains("USAGE: reactor \(command) "), "\(outcome.out)")
  }

  @Test(arguments: [
    ("orders.orders", "-s orders.orders"), ("orders", "-s orders"), ("flows/none.yaml", "check the path"),
  ])
  func `a flow's name instead of a path is recognised`(_ path: String, _ help: String) async throws {
    let outcome = try await Workbench([:]).run(["run", path])
    #expect(outcome.err.contains("the file or folder '\(path)' does not exist"))
    #expect(outcome.err.contains(help), "\(outcome.err)")
  }
}
