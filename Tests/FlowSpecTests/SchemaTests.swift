import FieldTypes
import FlowModel
import FlowSpec
import JSONSyntax
import SourceDiagnostics
import TestSupport
import Testing

@Suite struct SchemaTests {
  private func field(_ declaration: String) -> FieldDeclaration? {
    let text =
      "reactor: 1\nhttp: { base_url: https://a.example }\nflows: { f: { resource: /, schema: { fields: { x: \(declaration) } } } }\n"
    return Project(text).load().flows.first?.schema?.fields.first
  }

  @Test(arguments: [
    ("string?", "{ type: string, optional: true }"), ("[string]", "{ type: list, of: string }"),
    (
      "[{ type: object, fields: { a: integer, b: date? } }]",
      "{ type: list, of: { type: object, fields: { a: integer, b: { type: date, optional: true } } } }"
    ),
    ("[[integer]]", "{ type: list, of: { type: list, of: integer } }"),
    ("{ type: [decimal], optional: true }", "{ type: list, of: decimal, optional: true }"),
    ("{ type: timestamp?, format: epoch_s }", "{ type: timestamp, format: epoch_s, optional: true }"),
    ("{ type: enum?, values: [a, b] }", "{ type: enum, values: [a, b], optional: true }"),
    ("{ type: list, of: [string] }", "{ type: list, of: { type: list, of: string } }"),
    (
      "{ from: $.y, type: object?, fields: { a: json? } }",
      "{ from: $.y, type: object, optional: true, fields: { a: { type: json, optional: true } } }"
    ),
  ])
  func `a short form of a type means the long one`(_ short: String, _ long: String) throws {
    let (one, other) = (try #require(field(short)), try #require(field(long)))
    // Without the places in the file.
    func words(_ value: Any) -> String { String(describing: value).filter { !$0.isNumber } }
    #expect(words(one.type) == words(other.type))
    #expect(words(one.missing) == words(other.missing) && one.from.value == other.from.value)
  }

  @Test(arguments: [
    ("list?", "schema.incomplete-type"), ("[string?]", "schema.misplaced-option"), ("[]", "flow.wrong-kind"),
    ("[string, date]", "flow.wrong-kind"), ("strnig?", "flow.unknown-type"), ("'?'", "flow.unknown-type"),
    ("{ type: string?, optional: true }", "schema.contradiction"),
    ("{ type: string?, default: a }", "schema.contradiction"),
    ("{ type: [string], of: string }", "schema.contradiction"),
    ("{ type: [string], values: [a] }", "schema.misplaced-option"),
  ])
  func `a short form that says two things is refused`(_ declaration: String, _ code: String) {
    let text = "reactor: 1\nschemas: { s: { fields: { x: \(declaration) } } }\n"
    #expect(Project(text).load().codes == [code])
  }

  @Test(arguments: [
    ("{ type: string, default: '' }", JSONValue.string("")), ("{ type: string, default: 0 }", .string("0")),
    ("{ type: string, default: no }", .string("no")), ("{ type: integer, default: 0 }", .integer(0)),
    ("{ type: integer, default: '0' }", .integer(0)), ("{ type: boolean, default: false }", .bool(false)),
    ("{ type: number, default: 1e3 }", .number(JSONNumber(validated: "1e3"))),
    ("{ type: date, default: 2024-01-01 }", .string("2024-01-01")), ("{ type: duration, default: 5m }", .string("5m")),
    ("{ type: duration, default: P1Y2M }", .string("P1Y2M")),
    ("{ type: timestamp, default: 2024-01-01T00:00:00Z }", .string("2024-01-01T00:00:00Z")),
    ("{ type: decimal, default: 0.10 }", .string("0.10")),
    ("{ type: uuid, default: 123e4567-e89b-12d3-a456-426614174000 }", .string("123e4567-e89b-12d3-a456-426614174000")),
    ("{ type: url, default: 'https://a.example/' }", .string("https://a.example/")),
    ("{ type: bytes, default: aGk= }", .string("aGk=")), ("{ type: enum, values: [1, 2], default: 2 }", .string("2")),
    ("{ type: list, of: integer, default: [1, 2] }", .array([.integer(1), .integer(2)])),
    ("{ type: json, default: { a: [1, no, null] } }", .object(["a": .array([.integer(1), .string("no"), .null])])),
    ("{ type: json, default: null }", .null),
    (
      "{ type: object, fields: { a: integer, b: { type: string, optional: true } }, default: { a: 1 } }",
      .object(["a": .integer(1), "b": .null])
    ),
  ])
  func `defaults are read by the declared type`(_ declaration: String, _ value: JSONValue) throws {
    guard case .default(let found)? = field(declaration)?.missing else {
      Issue.record("no default")
      return
    }
    #expect(found.value == value)
  }

  @Test(arguments: [
    "{ type: integer, default: 1.0 }", "{ type: integer, default: 012 }", "{ type: boolean, default: 1 }",
    "{ type: boolean, default: yes }", "{ type: number, default: x }", "{ type: date, default: 2024-02-30 }",
    "{ type: timestamp, default: 2024-01-01 }", "{ type: timestamp, default: 2024-01-01T00:00:00+02:00 }",
    "{ type: duration, default: 1h30m }", "{ type: bytes, default: aB== }", "{ type: uuid, default: 1 }",
    "{ type: url, default: example }",
    "{ type: bytes, default: a }", "{ type: list, of: string, default: a }", "{ type: string, default: [a] }",
    "{ type: string, default: null }", "{ type: object, fields: { a: integer }, default: {} }",
    "{ type: object, fields: { a: integer }, default: { a: 1, c: 1 } }", "{ type: decimal, default: '1,5' }",
  ])
  func `defaults that do not fit are errors`(_ declaration: String) {
    let text = "reactor: 1\nschemas: { s: { fields: { x: \(declaration) } } }\n"
    #expect(Project(text).load().codes == ["schema.invalid-default"])
  }

  @Test(arguments: [
    (#""""#, FlowCode.invalidName, "the name is empty"),
    (#""a\nb""#, .controlCharacter, "the name contains a control character or is longer than 200 bytes"),
  ])
  func `a field name is refused for the right reason`(_ name: String, _ code: FlowCode, _ message: String) {
    let text =
      "reactor: 1\nhttp: { base_url: https://a.example }\nflows: { f: { resource: /, schema: { fields: { \(name): string } } } }\n"
    let found = Project(text).load().diagnostics.diagnostics
    #expect(found.map(\.code.rawValue) == [code.rawValue])
    #expect(found.first?.message == message)
  }

  @Test func `names that are no identifiers get a quoted path`() {
    #expect(field("string")?.from.value.text == "$.x")
    let text =
      "reactor: 1\nhttp: { base_url: https://a.example }\nflows: { f: { resource: /, schema: { fields: { \"a'b c\": string } } } }\n"
    #expect(Project(text).load().flows.first?.schema?.fields.first?.from.value.text == "$['a\\'b c']")
  }

  @Test func `schemas refer to each other across the files of a folder`() {
    let loaded = Project(
      flowFile("resource: /\nschema: { fields: { at: { type: list, of: { type: object, schema: line } } } }"),
      others: [
        "schemas/a.yaml": "reactor: 1\nschemas: { line: { fields: { from: { type: object, schema: point } } } }\n",
        "schemas/b.yaml": "reactor: 1\nschemas: { point: { fields: { x: number } } }\n",
      ]
    ).load()
    #expect(loaded.codes == [])
    guard case .list(.object(let line))? = loaded.flows.first?.schema?.fields.first?.type,
      case .object(let point)? = line.first?.type
    else {
      Issue.record("the references are not filled in")
      return
    }
    #expect(point.map(\.name) == ["x"])
  }

  @Test func `a cycle through several schemas is one error that names the path`() {
    let text = """
      reactor: 1
      schemas:
        a: { fields: { b: { type: object, schema: b } } }
        b: { fields: { c: { type: list, of: { type: object, schema: c } } } }
        c: { fields: { a: { type: object, schema: a } } }
      """
    let diagnostics = Project(schemas: text).load().diagnostics.diagnostics
    #expect(diagnostics.map(\.code.rawValue) == ["schema.recursion"])
    #expect(diagnostics.first?.message.contains("a → b → c → a") == true)
    #expect(diagnostics.first?.notes.first?.range?.start.line == 3)
  }

  @Test func `long chains of references are errors before the stack overflows`() {
    var text = "reactor: 1\nschemas:\n"
    for index in 0..<3000 { text += "  s\(index): { fields: { x: { type: object, schema: s\(index + 1) } } }\n" }
    text += "  s3000: { fields: { x: integer } }\n"
    let codes = Set(Project(schemas: text).load().codes)
    #expect(codes == ["schema.too-large"])
  }

  @Test func `unknown schemas are named where they are used`() {
    let marked = MarkedText("reactor: 1\nschemas: { s: { fields: { x: { type: object, schema: 1️⃣nope2️⃣ } } } }\n")
    let found = Project(schemas: marked.text).load().diagnostics.diagnostics
    #expect(found.map(\.code.rawValue) == ["flow.unknown-schema"])
    #expect(found.first?.range?.offsets == marked.offsets(1, 2))
  }

  @Test(arguments: [
    "int": "integer", "float": "number", "str": "string", "datetime": "timestamp", "array": "list", "stirng": "string",
  ])
  func `types of other languages are recognised`(_ word: String, _ meant: String) {
    let text = "reactor: 1\nschemas: { s: { fields: { x: \(word) } } }\n"
    #expect(Project(text).load().diagnostics.diagnostics.first?.help == "did you mean '\(meant)'?")
  }
}
