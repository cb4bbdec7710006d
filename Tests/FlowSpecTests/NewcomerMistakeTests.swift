import FlowSpec
import SourceDiagnostics
import Testing

/// Mistakes of people who know other tools better: each has one message, at the place of the mistake, that says what to
/// write.
@Suite struct NewcomerMistakeTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    let name: String
    /// What is written in place of what.
    let changes: [(text: String, other: String)]
    let code: String
    let line: Int
    let column: Int
    /// Texts that the message and its help contain.
    let words: [String]
    var testDescription: String { name }

    init(
      _ name: String, _ changes: [(String, String)], _ code: String, at line: Int, _ column: Int, _ words: String...
    ) {
      self.name = name
      self.changes = changes
      (self.code, self.line, self.column, self.words) = (code, line, column, words)
    }
  }

  /// The flow file without a mistake.
  static let file = #"""
    reactor: 1
    description: Orders of the shop
    vars:
      region: eu
      size: { type: integer, default: 50 }
    secrets: [SHOP_TOKEN]
    http:
      base_url: https://api.example.com/v1
      headers: { Authorization: "Bearer {{ secrets.SHOP_TOKEN }}" }
      timeout: 30s
    flows:
      orders:
        resource:
          path: /orders
          query: { region: "{{ vars.region }}", limit: "{{ vars.size }}" }
        records: $.data[*]
        schema:
          key: id
          fields:
            id: integer
            status: { from: "$['order-status']", type: string? }
            total: number
            note: { value: "{{ record.status }}", type: string? }
        pages: { by: cursor, from: $.next, query: after }
        persistence: { path: out/orders.jsonl, expires_after: 1h }

    """#

  static let indentation = [
    Mistake(
      "a key that slipped out between its siblings", [("    records: $.data[*]", "  records: $.data[*]")],
      "yaml.bad-indentation", at: 16, 3,
      "'records' is indented less", "column 5"),
    Mistake(
      "the first key of a mapping slipped out", [("      path: /orders", "    path: /orders")], "yaml.bad-indentation",
      at: 14, 5,
      "'path'", "column 7", "'query'"),
    Mistake(
      "the last but one field slipped out", [("        total: number", "      total: number")], "yaml.bad-indentation",
      at: 22, 7,
      "'total'", "column 9"),
    Mistake(
      "the last key of a mapping slipped out", [("      query: {", "    query: {")], "flow.unknown-key", at: 15, 5,
      "'query'", "indent it deeper than 'resource'"),
    Mistake(
      "the keys of a schema slipped out", [("      fields:\n", "    fields:\n"), ("      key: id\n", "")],
      "flow.unknown-key", at: 18, 5,
      "'fields'", "'schema'"),
    Mistake(
      "a key of http at the root", [("  timeout: 30s", "timeout: 30s")], "flow.unknown-key", at: 10, 1,
      "'timeout'", "'http'"),
    Mistake(
      "a flow at the root", [("  orders:\n", "orders:\n")], "flow.unknown-key", at: 12, 1,
      "'orders'", "'flows'"),
    Mistake(
      "a key that slipped in", [("    records: $.data[*]", "      records: $.data[*]")], "flow.unknown-key", at: 16, 7,
      "'records' belongs in a flow"),
    Mistake(
      "pages for all flows", [("flows:\n", "defaults: { pages: { by: page, query: page } }\nflows:\n")],
      "flow.unknown-key", at: 11, 13, "'pages' belongs in a flow",
      "write 'x-pages: &pages' at the top of the file and 'pages: *pages' in each flow"),
    Mistake(
      "one space too few", [("    records: $.data[*]", "   records: $.data[*]")], "yaml.bad-indentation", at: 16, 4,
      "column 5, as 'resource'", "column 3, as 'orders'"),
    Mistake(
      "one space too many", [("        total:", "         total:")], "yaml.bad-indentation", at: 22, 10,
      "column 9, as 'status'"),
    Mistake(
      "a key between two levels", [("  headers: {", "headers: {")], "yaml.bad-indentation", at: 10, 3,
      "'headers'", "column 1", "column 3"),
    Mistake(
      "a tab", [("    records: $.data[*]", "\trecords: $.data[*]")], "yaml.tab-indentation", at: 16, 1,
      "indent with spaces"),
  ]

  static let quotes = [
    Mistake(
      "a quote not closed on a line with others",
      [("region: \"{{ vars.region }}\", ", "region: \"{{ vars.region }}, ")], "yaml.unclosed-quote", at: 15, 24,
      "closing double quote"),
    Mistake(
      "a quote not closed lines before the next", [("secrets: [SHOP_TOKEN]", "secrets: [\"SHOP_TOKEN]")],
      "yaml.unclosed-quote", at: 6, 11,
      "closing double quote"),
    Mistake(
      "a quote not closed without brackets", [("path: /orders", "path: \"/orders")], "yaml.unclosed-quote", at: 14, 13,
      "closing double quote"),
    Mistake(
      "double quotes in double quotes", [("\"{{ vars.region }}\"", "\"{{ vars.region + \"x\" }}\"")],
      "yaml.text-after-value", at: 15, 43,
      "single quotes"),
    Mistake(
      "typographic quotes", [("\"{{ vars.region }}\"", "“{{ vars.region }}”")], "yaml.unquoted-template", at: 15, 24,
      "typographic quote", "straight quotes"),
    Mistake(
      "a quote not closed in an expression", [("{{ record.status }}", "{{ coalesce(record.status, 'none) }}")],
      "expression.syntax", at: 23, 52,
      "does not end"),
    Mistake(
      "a template without quotes", [("\"{{ vars.region }}\"", "{{ vars.region }}")], "yaml.unquoted-template", at: 15,
      24,
      "quote it"),
    Mistake(
      "an equals sign for a colon", [("  timeout: 30s", "  timeout = 30s")], "yaml.missing-colon", at: 10, 3,
      "'key: value'"),
    Mistake(
      "a brace in a value in brackets", [("out/orders.jsonl", "out/${DATE}.jsonl")], "yaml.missing-comma", at: 25, 31,
      "quote the text"),
  ]

  static let templates = [
    Mistake(
      "one brace", [("\"{{ vars.region }}\"", "\"{ vars.region }\"")], "template.foreign-syntax", at: 15, 25,
      "write {{ vars.region }}"),
    Mistake(
      "one brace without quotes", [("\"{{ vars.region }}\"", "{ vars.region }")], "template.foreign-syntax", at: 15, 24,
      "write \"{{ vars.region }}\""),
    Mistake(
      "one brace in a path", [("path: /orders", "path: /orders/{vars.region}")], "template.foreign-syntax", at: 14, 21,
      "{{ vars.region }}"),
    Mistake(
      "a variable of a shell", [("{{ secrets.SHOP_TOKEN }}", "${SHOP_TOKEN}")], "template.foreign-syntax", at: 9, 37,
      "{{ secrets.SHOP_TOKEN }}"),
    Mistake(
      "a variable of a shell without braces", [("{{ secrets.SHOP_TOKEN }}", "$SHOP_TOKEN")], "template.foreign-syntax",
      at: 9, 37,
      "{{ secrets.SHOP_TOKEN }}"),
    Mistake(
      "a variable of a shell in a variable", [("region: eu", "region: ${REGION}")], "template.foreign-syntax", at: 4,
      11,
      "${REGION}", "REACTOR_VAR_region"),
    Mistake(
      "an expression of GitHub", [("{{ secrets.SHOP_TOKEN }}", "${{ secrets.SHOP_TOKEN }}")], "template.foreign-syntax",
      at: 9, 37,
      "without '$'"),
    Mistake(
      "a variable of Windows", [("{{ secrets.SHOP_TOKEN }}", "%SHOP_TOKEN%")], "template.foreign-syntax", at: 9, 37,
      "{{ secrets.SHOP_TOKEN }}"),
    Mistake(
      "a format of Python", [("{{ secrets.SHOP_TOKEN }}", "%(SHOP_TOKEN)s")], "template.foreign-syntax", at: 9, 37,
      "{{ secrets.SHOP_TOKEN }}"),
    Mistake(
      "a tag of ERB", [("{{ secrets.SHOP_TOKEN }}", "<%= SHOP_TOKEN %>")], "template.foreign-syntax", at: 9, 37,
      "another template language"),
    Mistake(
      "a statement of Jinja", [("path: /orders", "path: \"/orders{% if x %}/a{% endif %}\"")],
      "template.foreign-syntax", at: 14, 21,
      "condition ? value : other"),
    Mistake(
      "a filter of Jinja", [("{{ vars.region }}", "{{ vars.region | upper }}")], "expression.syntax", at: 15, 40,
      "upper(vars.region)"),
    Mistake(
      "a section of Handlebars", [("{{ vars.region }}", "{{#region}}x")], "template.foreign-syntax", at: 15, 25,
      "'{{#'"),
    Mistake(
      "three braces", [("{{ vars.region }}", "{{{ vars.region }}}")], "template.foreign-syntax", at: 15, 25,
      "two braces"),
    Mistake(
      "a variable of Postman", [("{{ vars.region }}", "{{region}}")], "template.unknown-root", at: 15, 27,
      "'vars.region'"),
    Mistake(
      "a secret without its root", [("{{ secrets.SHOP_TOKEN }}", "{{ SHOP_TOKEN }}")], "template.unknown-root", at: 9,
      40,
      "'secrets.SHOP_TOKEN'"),
    Mistake(
      "a parameter of Express", [("path: /orders", "path: /orders/:id")], "flow.invalid-request-path", at: 14, 21,
      "{id}", "params"),
    Mistake(
      "an expression without braces", [("{{ record.status }}", "record.status")], "template.foreign-syntax", at: 23, 24,
      "\"{{ record.status }}\""),
    Mistake(
      "a path where an expression stands", [("{{ record.status }}", "$.status")], "template.foreign-syntax", at: 23, 24,
      "from: $.status"),
  ]

  static let expressions = [
    Mistake(
      "a name with a hyphen", [("query: after }", "query: after, stop: response.has-more }")], "template.unknown-root",
      at: 24, 60,
      "subtraction", "response['has-more']"),
    Mistake(
      "a field with a hyphen", [("{{ record.status }}", "{{ record.order-status }}")], "template.unknown-root",
      at: 23, 28,
      "subtraction", "record['order-status']"),
    Mistake(
      "a variable with a hyphen", [("{{ vars.region }}", "{{ vars.order-region }}")], "template.unknown-root", at: 15,
      28,
      "subtraction", "order_region"),
    Mistake(
      "a secret with a hyphen", [("{{ secrets.SHOP_TOKEN }}", "{{ secrets.SHOP-TOKEN }}")], "template.unknown-root",
      at: 9, 40,
      "'secrets.SHOP_TOKEN'"),
    Mistake(
      "a path with a hyphen", [("\"$['order-status']\"", "$.order-status")], "flow.invalid-path", at: 21, 25,
      "$['order-status']"),
    Mistake(
      "three equals signs", [("{{ record.status }}", "{{ record.total === 1 ? 'a' : 'b' }}")], "expression.syntax",
      at: 23, 41,
      "'=='"),
    Mistake(
      "None", [("{{ record.status }}", "{{ record.status == None ? 'a' : 'b' }}")], "template.unknown-root", at: 23, 45,
      "null"),
    Mistake(
      "a default with ||", [("{{ record.status }}", "{{ record.status || 'none' }}")], "expression.type", at: 23, 28,
      "coalesce(record.status, default)"),
    Mistake(
      "a length of time as text", [("{{ record.status }}", "{{ string(now() - '7d') }}")], "expression.type", at: 23,
      41,
      "duration('7d')"),
  ]

  static let keysAndValues = [
    Mistake(
      "the key of a paginator", [("    pages:", "    pagination:")], "flow.unknown-key", at: 24, 5,
      "'pages'"),
    Mistake(
      "a token in a flow", [("    records:", "    token: a\n    records:")], "flow.unknown-key", at: 16, 5,
      "http", "bearer"),
    Mistake(
      "parameters of the query in params",
      [("query: { region: \"{{ vars.region }}\", limit: \"{{ vars.size }}\" }", "params: { limit: 5 }")],
      "flow.unknown-parameter", at: 15, 17,
      "'query'"),
    Mistake(
      "a nullable field",
      [("type: string? }\n        total", "type: string, nullable: true }\n        total")],
      "flow.unknown-key", at: 21, 60,
      "optional: true"),
    Mistake(
      "a unit in words", [("timeout: 30s", "timeout: 30 seconds")], "flow.invalid-duration", at: 10, 12,
      "'seconds' is not a unit", "'30s'"),
    Mistake(
      "milliseconds", [("timeout: 30s", "timeout: 30000")], "flow.invalid-duration", at: 10, 12,
      "30000ms or 30000s"),
    Mistake(
      "a path of jq", [("$.data[*]", ".data[]")], "flow.invalid-path", at: 16, 14,
      "'$.data[*]'"),
    Mistake(
      "an expression for a path", [("$.data[*]", "\"{{ response.data }}\"")], "template.not-allowed", at: 16, 14,
      "'$.data'"),
    Mistake(
      "values of secrets", [("secrets: [SHOP_TOKEN]", "secrets: { SHOP_TOKEN: abc }")], "flow.wrong-kind", at: 6, 24,
      "--secret-file"),
    Mistake(
      "a secret that is not declared", [("secrets: [SHOP_TOKEN]\n", "")], "template.unknown-secret", at: 8, 48,
      "'secrets'"),
    Mistake(
      "a home folder", [("out/orders.jsonl", "~/orders.jsonl")], "flow.invalid-output", at: 25, 26,
      "--root"),
    Mistake(
      "a year in a path", [("out/orders.jsonl", "out/%Y/orders.jsonl")], "flow.invalid-output", at: 25, 26,
      "format(now(), '%Y')"),
  ]

  @Test func `the file without a mistake has no problem`() {
    #expect(Project(Self.file).load().diagnostics.diagnostics.isEmpty)
  }

  @Test(arguments: indentation + quotes + templates + expressions + keysAndValues)
  func `a mistake has one message, at its place, with what to write`(_ mistake: Mistake) throws {
    var text = Self.file
    for (part, other) in mistake.changes {
      let range = try #require(text.firstRange(of: part), "'\(part)' is not in the file")
      text.replaceSubrange(range, with: other)
    }
    let found = Project(text).load().diagnostics.diagnostics
    let shown = DiagnosticRenderer().render(found)
    let first = try #require(found.first)
    #expect(found.count == 1, "\(shown)")
    #expect(first.code.rawValue == mistake.code, "\(shown)")
    #expect(first.range?.start.line == mistake.line && first.range?.start.column == mistake.column, "\(shown)")
    let message = "\(first.message)\n\(first.help ?? "")"
    for word in mistake.words { #expect(message.contains(word), "'\(word)' is missing in\n\(shown)") }
  }
}
