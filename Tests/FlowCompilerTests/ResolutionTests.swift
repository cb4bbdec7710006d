import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

@Suite struct ResolutionTests {
  private static func file(_ flows: String, top: String = "") -> String {
    let top = top.isEmpty ? "" : top + "\n"
    return "reactor: 1\n\(top)http: { base_url: http://127.0.0.1:9 }\nflows:\n" + flows
  }

  /// Keys of a flow with the place of what has no value or a bad one, and what is said about it.
  private static let cases: [(flow: MarkedText, code: String, message: String)] = [
    ("resource: \"/u/1️⃣{{ vars.unset }}\"", "template.unset-variable", "variable 'unset' has no value"),
    (
      "resource: { path: /u, query: { q: \"1️⃣{{ vars.unset }}\" } }", "template.unset-variable",
      "variable 'unset' has no value"
    ),
    (
      "resource: { path: /u, headers: { X-A: \"a 1️⃣{{ secrets.TOKEN }}\" } }", "template.unset-secret",
      "secret 'TOKEN' has no value"
    ),
    (
      "resource: { path: /u, method: POST, body: { json: { a: [\"1️⃣{{ env.NOT_THERE }}\"] } } }",
      "template.unset-environment", "environment variable 'NOT_THERE' is not set"
    ),
    (
      "resource: { path: /u, method: POST, body: { form: { a: \"1️⃣{{ env.NOT_THERE }}\" } } }",
      "template.unset-environment", "environment variable 'NOT_THERE' is not set"
    ),
    (
      "resource: { path: /u, method: POST, body: { text: \"1️⃣{{ vars.unset }}\" } }", "template.unset-variable",
      "variable 'unset' has no value"
    ),
    (
      "resource: /u\n    persistence: { path: \"out/1️⃣{{ vars.unset }}.jsonl\" }", "template.unset-variable",
      "variable 'unset' has no value"
    ),
    (
      "resource: /u\n    persistence: { path: 1️⃣\"out/{{ env.UP }}/u.jsonl\" }", "flow.invalid-output",
      "'..' is not allowed in an output path"
    ),
    (
      "resource: /u\n    persistence: { path: 1️⃣\"{{ env.ROOT }}/u.jsonl\" }", "flow.invalid-output",
      "the output path is absolute"
    ),
    (
      "resource: /u\n    persistence: { path: 1️⃣\"out/u.{{ vars.ending }}\" }", "flow.invalid-output",
      "'.exe' is not the extension of an output format"
    ),
    (
      "resource: { path: /u, headers: { X-A: \"1️⃣{{ env.LINES }}\" } }", "template.control-character",
      "the value of 'env.LINES' contains a line break or NUL, which is not allowed here"
    ),
    (
      "resource: /u\n    http: { base_url: 1️⃣\"{{ env.NO_URL }}\" }", "flow.invalid-url",
      "the base URL contains white space or a control character"
    ),
    (
      "resource: /u\n    http: { proxy: \"1️⃣{{ vars.unset }}\" }", "template.unset-variable",
      "variable 'unset' has no value"
    ),
    (
      "resource: /u\n    persistence: { path: 1️⃣out/u.csv }", "flow.invalid-output",
      "a CSV file needs a schema, which names its columns"
    ),
  ]

  private static let top = """
    vars: { unset: { type: string }, ending: exe, fine: ok }
    secrets: [TOKEN]
    """

  private static let inputs = FlowCompiler.Inputs(
    environment: ["UP": "..", "ROOT": "/tmp", "LINES": "a\r\nX-Admin: 1", "NO_URL": "not a url"])

  @Test(arguments: cases.indices)
  func `what cannot be resolved is reported with its location, and the other flows are compiled`(
    _ index: Int
  ) async throws {
    let (flow, code, message) = Self.cases[index]
    try await Rig.with { rig in
      let before = "  good: { resource: \"/{{ vars.fine }}\" }\n  bad:\n    "
      let after = "\n  last: { resource: /last, persistence: last.jsonl }\n"
      let head = Self.file(before, top: Self.top)
      let text = head + flow.text + after
      let compilation = rig.compile(text, inputs: Self.inputs)
      #expect(compilation.flows.map(\.id) == ["shop.good", "shop.last"])
      let diagnostic = try #require(compilation.diagnostics.diagnostics.first)
      #expect(compilation.diagnostics.diagnostics.count == 1)
      #expect(diagnostic.code.rawValue == code)
      #expect(diagnostic.message == message)
      #expect(diagnostic.severity == .error)
      let location = try #require(flow.locations[1])
      let lines = (head + String(decoding: Array(flow.text.utf8.prefix(location)), as: UTF8.self)).split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(diagnostic.range?.start.line == lines.count)
      #expect(diagnostic.range?.start.column == (lines.last?.count ?? 0) + 1)
    }
  }

  @Test(
    arguments: [
      ("{{ secrets.TOKEN }}", ["template.unset-secret"]), ("{{ coalesce(secrets.TOKEN, '') }}", []),
    ] as [(String, [String])])
  func `a secret with a default need not be given`(_ password: String, _ codes: [String]) async throws {
    try await Rig.with { rig in
      let auth = "http: { auth: { basic: { username: me, password: \"\(password)\" } } }"
      let text = Self.file("  good: { resource: /good, \(auth) }\n", top: Self.top)
      #expect(rig.compile(text).diagnostics.diagnostics.map(\.code.rawValue) == codes)
    }
  }

  @Test func `every code of the compiler has an entry for reactor explain`() {
    let known = Set(DiagnosticCatalogue.flowEntries.map(\.code.rawValue))
    for (_, code, _) in Self.cases { #expect(known.contains(code), "\(code)") }
    #expect(known.contains("flow.duplicate-output"))
  }

  @Test func `all that is wrong with a flow is told at once`() async throws {
    try await Rig.with { rig in
      let compilation = rig.compile(
        Self.file(
          """
            bad:
              resource: { path: "/{{ env.A }}", query: { q: "{{ env.B }}" }, headers: { X: "{{ secrets.TOKEN }}" } }
              persistence: "{{ env.C }}.jsonl"
          """, top: Self.top))
      #expect(compilation.flows.isEmpty)
      #expect(
        compilation.diagnostics.diagnostics.map { $0.message.split(separator: "'")[1] } == ["A", "B", "TOKEN", "C"])
    }
  }

  @Test func `an override that does not fit its variable's type stops the flows that need it only`() async throws {
    try await Rig.with { rig in
      let text = Self.file(
        """
          a: { resource: "/{{ vars.n }}" }
          b: { resource: /b }
        """, top: "vars: { n: { type: integer, default: 1 } }")
      let compilation = rig.compile(text, inputs: .init(overrides: VariableOverrides(arguments: ["n": "1.5"])))
      #expect(compilation.flows.map(\.name) == ["b"])
      #expect(compilation.diagnostics.diagnostics.first?.message.contains("given by --var n, is not") == true)
    }
  }

  @Test(arguments: [
    ("out/u.jsonl", "out/u.jsonl"), ("out/u.jsonl", "./out//u.jsonl"),
    ("\"out/{{ vars.fine }}.jsonl\"", "out/ok.jsonl"),
    ("\"out/{{ vars.fine }}.jsonl\"", "\"out/{{ env.FINE }}.jsonl\""), ("out/./a/../u.jsonl", "out/u.jsonl"),
  ])
  func `two flows that write one file are an error at the second, with the first beside it`(
    _ one: String, _ two: String
  ) async throws {
    try await Rig.with { rig in
      let text = Self.file(
        """
          a:
            resource: /a
            persistence: \(one)
          b:
            resource: /b
            persistence: \(two)
          c:
            resource: /c
            persistence: c.jsonl
        """, top: Self.top)
      let compilation = rig.compile(text, inputs: .init(environment: ["FINE": "ok"]))
      let errors = compilation.diagnostics.diagnostics.filter { $0.severity == .error }
      let error = try #require(errors.first)
      #expect(!compilation.flows.map(\.name).contains("b"))
      guard !one.contains("..") else {
        // Refused for itself before it could meet the other.
        #expect(error.code.rawValue == "flow.invalid-output" || error.code.rawValue == "flow.duplicate-output")
        return
      }
      #expect(errors.count == 1)
      #expect(error.code.rawValue == "flow.duplicate-output")
      #expect(error.range?.start.line == 11)
      #expect(error.notes.first?.range?.start.line == 8)
    }
  }

  @Test func `paths of two files that resolve to one are found too`() async throws {
    try await Rig.with { rig in
      let files = ["a", "b"].map { name in
        SourceFile(
          path: "flows/\(name).yaml",
          text: Self.file("  u: { resource: /u, persistence: \"out/{{ vars.fine }}.json\" }\n", top: Self.top))
      }
      let compilation = rig.compile(files)
      #expect(compilation.flows.map(\.id) == ["a.u"])
      let error = try #require(compilation.diagnostics.diagnostics.first)
      #expect(error.range?.file.path == "flows/b.yaml")
      #expect(error.notes.first?.range?.file.path == "flows/a.yaml")
      #expect(error.message.contains("b.u") && error.message.contains("a.u") && error.message.contains("out/ok.json"))
    }
  }

  @Test func `a file with a mistake stops none of another file's flows`() async throws {
    try await Rig.with(ok("[]")) { rig in
      let files = [
        SourceFile(path: "flows/bad.yaml", text: "reactor: 1\nflwos: {}\n"),
        SourceFile(
          path: "flows/good.yaml",
          text: "reactor: 1\nhttp: { base_url: \"\(rig.server.url)\" }\nflows: { u: { resource: /u } }\n"),
      ]
      let compilation = rig.compile(files)
      #expect(compilation.diagnostics.hasErrors)
      let flow = try #require(compilation.flows.first)
      #expect(flow.id == "good.u")
      #expect(await rig.run(flow).source == .network)
    }
  }

  @Test func `a timeout from outside replaces the flow's own`() async throws {
    try await Rig.with { rig in
      #expect(rig.compile(rig.text()).flows.first?.timeout == 180)
      let text = rig.text("retry: none")
      #expect(rig.compile(text).flows.first?.timeout == 20)
      #expect(rig.compile(text, inputs: .init(timeout: 0.05)).flows.first?.timeout == 0.05)
      rig.answer([.hold])
      let flow = try #require(rig.compile(text, inputs: .init(timeout: 0.05)).flows.first)
      #expect(await rig.run(flow).error?.kind == .timeout)
    }
  }

  /// What stands at the top and is given from outside, and the places of the only errors.
  private static let missing: [(value: String, overrides: [String: String], errors: [String])] = [
    ("{{ secrets.TOKEN }}", [:], ["template.unset-secret@6:50"]),
    ("{{ vars.unset }}", [:], ["template.unset-variable@6:50"]),
    ("{{ env.NOT_THERE }}", [:], ["template.unset-environment@6:50"]),
    ("{{ vars.zero }}", ["zero": "none"], ["flow.override-value@-"]),
  ]

  @Test(arguments: missing)
  func `a name without a value is one error, however many flows and locations need it`(
    _ value: String, _ overrides: [String: String], _ errors: [String]
  ) async throws {
    try await Rig.with { rig in
      let resource = "resource: { path: /u, headers: { X-Here: \"\(value)\", X-There: \"a \(value)\" } }"
      let file = Self.file(
        "  a: { \(resource) }\n  b: { \(resource) }\n",
        top: "vars: { unset: { type: string }, zero: { type: integer, default: 0 } }\nsecrets: [TOKEN]")
      let compilation = rig.compile(file, inputs: .init(overrides: VariableOverrides(arguments: overrides)))
      #expect(compilation.locations == errors)
      #expect(compilation.flows.isEmpty)
    }
  }
}
