import FlowModel
import FlowSpec
import JSONSyntax
import SourceDiagnostics
import TestSupport
import Testing

@Suite struct TemplateTests {
  private static let top = """
    vars: { region: eu, size: { type: integer, default: 100 }, on: { type: boolean, default: true } }
    secrets: [KEY]
    http: { base_url: https://a.example }
    """

  /// The text of a request's header whose value is a YAML scalar.
  private func template(_ yaml: String) -> Template? {
    let file = flowFile("resource: { path: /, headers: { X: \(yaml) } }", top: Self.top)
    return Project(file).load().flows.first?.pull.request.headers.first?.value.value
  }

  private let scope = ResolutionScope(
    variables: [
      "region": try? VariableValue(reading: "{{ secrets.KEY }}", as: .string),
      "size": try? VariableValue(reading: "100", as: .integer),
    ].compactMapValues { $0 },
    secrets: ["KEY": Secret("s3cret")], environment: ["HOME": "/home/me"])

  @Test(arguments: [
    ("plain", [Template.Segment.text("plain")]),
    ("'{{ vars.region }}'", [.variable("region")]),
    ("'{{vars.region}}'", [.variable("region")]),
    ("'a {{ vars.region }} b {{ secrets.KEY }}'", [.text("a "), .variable("region"), .text(" b "), .secret("KEY")]),
    ("'{{ env.HOME }}{{ env.HOME }}'", [.environment("HOME"), .environment("HOME")]),
    ("'a {{ \"{{\" }} b'", [.text("a {{ b")]),
    ("\"{{ '}}' }} { } }}\"", [.text("}} { } }}")]),
    ("''", []),
  ])
  func `templates are cut into pieces`(_ yaml: String, _ segments: [Template.Segment]) {
    #expect(template(yaml)?.segments == segments)
  }

  @Test(arguments: [
    ("\"a 1️⃣{{2️⃣ vars.region\"", "template.unclosed"),
    ("\"1️⃣{{2️⃣ vars.region {{ vars.region }}\"", "template.unclosed"),
    ("\"1️⃣{{ }}2️⃣\"", "template.empty"),
    ("\"{{ 1️⃣vars2️⃣ }}\"", "expression.type"),
    ("\"{{ 1️⃣record2️⃣.id }}\"", "template.unknown-root"),
    ("\"{{ vars.1️⃣sice2️⃣ }}\"", "template.unknown-variable"),
    ("\"{{ secrets.1️⃣key2️⃣ }}\"", "template.unknown-secret"),
    ("\"{{ vars.1️⃣a2️⃣.b }}\"", "template.unknown-variable"),
    ("\"{{ vars.size 1️⃣+2️⃣ 'a' }}\"", "expression.type"),
    ("\"{{ 1️⃣nwo2️⃣() }}\"", "expression.unknown-name"),
    ("\"{{ vars.1️⃣2️⃣ }}\"", "expression.syntax"),
    ("\"{{ upper(vars.1️⃣sice2️⃣) }}\"", "template.unknown-variable"),
    ("\"{{ upper(secrets.1️⃣key2️⃣) }}\"", "template.unknown-secret"),
    ("\"{{ 1️⃣parent2️⃣.id + 1 }}\"", "template.unknown-root"),
    ("\"{{ 1️⃣vars.size > 1 ? 'a' : null2️⃣ }}\"", "expression.may-be-missing"),
    ("\"{{ 1️⃣[vars.size]2️⃣ }}\"", "expression.type"),
    ("\"é\\t\\u00e9 {{ vars.1️⃣sice2️⃣ }}\"", "template.unknown-variable"),
    ("'it''s {{ vars.1️⃣sice2️⃣ }}'", "template.unknown-variable"),
    ("|\n        {{ vars.1️⃣sice2️⃣ }}", "template.unknown-variable"),
  ])
  func `mistakes point at the exact bytes`(_ marked: String, _ code: String) {
    let text = MarkedText(flowFile("resource: { path: / }\nhttp:\n  headers:\n    X: \(marked)", top: Self.top))
    let found = Project(text.text).load().diagnostics.diagnostics
    #expect(found.map(\.code.rawValue).contains(code))
    #expect(found.first { $0.code.rawValue == code }?.range?.offsets == text.offsets(1, 2))
  }

  @Test func `a literal block has exact locations on every line`() {
    let text = MarkedText(
      flowFile(
        """
        resource:
          method: POST
          path: /
          body:
            text: |
              first

              second {{ vars.1️⃣nope2️⃣ }}
        """, top: Self.top))
    #expect(Project(text.text).load().diagnostics.diagnostics.first?.range?.offsets == text.offsets(1, 2))
  }

  @Test func `a folded block points at the whole text`() {
    let text = MarkedText(
      flowFile("resource: { path: / }\nhttp:\n  headers:\n    X: 1️⃣>-\n      {{ vars.nope }}", top: Self.top))
    #expect(Project(text.text).load().diagnostics.diagnostics.first?.range?.offsets.lowerBound == text[1])
  }

  @Test func `all mistakes of one text are reported`() {
    let file = flowFile("resource: { path: /, headers: { X: '{{ vars.a }}{{ }}{{ b }}' } }", top: Self.top)
    #expect(
      Project(file).load().codes == ["template.unknown-variable", "template.empty", "template.unknown-root"])
  }

  @Test func `values are filled in once and never read for templates again`() throws {
    let resolved = try #require(template("'<{{ vars.region }}>'")).resolve(with: scope)
    #expect(resolved.text == "<{{ secrets.KEY }}>")
    #expect(!resolved.isSecret)
  }

  @Test func `a text with a secret is marked and shown masked`() throws {
    let resolved = try #require(template("'Bearer {{ secrets.KEY }}'")).resolve(with: scope)
    #expect(resolved.text == "Bearer s3cret" && resolved.isSecret)
    var dumped = ""
    dump(resolved, to: &dumped)
    dump(Secret("s3cret"), to: &dumped)
    #expect(!"\(resolved)\(String(reflecting: resolved))\(dumped)\(Secret("s3cret"))".contains("s3cret"))
  }

  @Test(arguments: ["a\nb", "a\rb", "a\0b"])
  func `line breaks and NUL in values are errors outside of bodies`(_ value: String) throws {
    let scope = ResolutionScope(environment: ["HOME": value])
    let template = try #require(self.template("'{{ env.HOME }}'"))
    #expect(throws: ResolutionError.self) { try template.resolve(with: scope) }
    #expect((try? template.resolve(with: scope, for: .body)) == nil || !value.contains("\0"))
  }

  @Test(arguments: [
    ("'{{ vars.size }}'", JSONValue.integer(100)), ("'{{ vars.on }}'", .bool(true)),
    ("'n {{ vars.size }}'", .string("n 100")),
    ("'{{ vars.region }}'", .string("eu")), ("no", .string("no")), ("012", .string("012")),
    ("1.10", .number(JSONNumber(validated: "1.10"))),
    ("true", .bool(true)), ("'true'", .string("true")), ("null", .null), ("~", .null), ("!!str 1", .string("1")),
    ("[1, {a: b}]", .array([.integer(1), .object(["a": .string("b")])])),
  ])
  func `JSON bodies keep types and guess nothing`(_ yaml: String, _ value: JSONValue) throws {
    let file = flowFile("resource: { method: POST, path: /, body: { json: { v: \(yaml) } } }", top: Self.top)
    let loaded = Project(file).load()
    let flow = try #require(loaded.flows.first)
    guard case .json(let body)? = flow.pull.request.body else {
      Issue.record("no JSON body")
      return
    }
    var diagnostics = DiagnosticBag()
    let scope = flow.file.scope(
      overrides: VariableOverrides(), secrets: [:], environment: [:], diagnostics: &diagnostics)
    #expect(try body.value.resolve(with: scope).value == .object(["v": value]))
  }

  @Test func `values from outside replace defaults, the command line first, and have the same type`() throws {
    let file = try #require(Project(flowFile("resource: /", top: Self.top)).load().files.first)
    var diagnostics = DiagnosticBag()
    let overrides = VariableOverrides(
      arguments: ["size": "5"], environment: ["REACTOR_VAR_size": "6", "REACTOR_VAR_REGION": "us"])
    let scope = file.scope(
      overrides: overrides, secrets: ["KEY": Secret("a"), "OTHER": Secret("b")], environment: [:],
      diagnostics: &diagnostics)
    #expect(scope.variables["size"]?.json == .integer(5))
    #expect(scope.variables["region"]?.text == "us")
    #expect(scope.secrets.keys.sorted() == ["KEY"])
    #expect(!diagnostics.hasErrors)
  }
}
