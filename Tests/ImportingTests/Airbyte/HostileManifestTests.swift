import Importing
import SourceDiagnostics
import TestSupport
import Testing

/// Manifests that are wrong, huge or made to do harm.
@Suite(.timeLimit(.minutes(2))) struct HostileManifestTests {
  @Test(arguments: [
    "", "a", "[]", "{", "streams", "a: b", "\u{0}", "- streams: []", "streams: &a [*a]", "\t",
    "%YAML 9.9\n---\nstreams: []",
  ])
  func `what is no manifest is an error`(_ text: String) throws {
    #expect(throws: ImportError.self) {
      try AirbyteImport(SourceFile(path: "m.yaml", text: text)).result()
    }
  }

  @Test(arguments: [
    "streams:", "streams: 5", "streams: {}", "streams: [1, a, null, []]", "streams: [{}]", "streams: [{ name: a }]",
    "streams: [{ name: [a], retriever: 5 }]", "streams: [{ retriever: { requester: { url_base: [1], path: {} } } }]",
    "streams: [{ $ref: '#/streams' }]", "streams: [{ $ref: '#/streams/0' }]", "streams: '#/streams'",
    "streams: [{ $ref: 5 }]",
    "streams: [{ $ref: '#/nothing/here' }]", "streams: ['#/a']\na: '#/b'\nb: '#/a'",
    "streams: [{ $ref: '#/a' }]\na: { $ref: '#/a', name: x }",
    "spec: []\ncheck: 5\nstreams: [{ name: a, retriever: { requester: { type: HttpRequester, url_base: 'x', path: y } } }]",
    "spec: { connection_specification: { properties: { a: 5, b: [], c: { type: {} } } } }\nstreams: []",
    "streams: [{ name: a, primary_key: { x: 1 }, schema_loader: { type: InlineSchemaLoader, schema: 5 }, retriever: { requester: { type: HttpRequester, url_base: 'https://a.example.com', path: '{{' } } }]",
    "streams: [{ name: a, incremental_sync: { type: DatetimeBasedCursor }, transformations: 5, retriever: { paginator: [], partition_router: 7, record_selector: x, requester: { type: HttpRequester, url_base: 'https://a.example.com', path: '/' } } }]",
  ])
  func `wrong values are losses, never a crash`(_ text: String) throws { _ = try Imported(text) }

  @Test func `references that multiply do not fill the memory`() throws {
    var text = "definitions:\n  a0: [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1..<30 {
      text += "  a\(level): [\(Array(repeating: "'#/definitions/a\(level - 1)'", count: 10).joined(separator: ", "))]\n"
    }
    text +=
      "streams:\n  - name: a\n    transformations: '#/definitions/a29'\n    retriever: { requester: { type: HttpRequester, url_base: https://a.example.com, path: / } }\n"
    let imported = try Imported(text)
    #expect(imported.report.losses.contains { $0.kind == .reference && $0.what.contains("too large") })
  }

  @Test func `parents that are their own parents have no flow`() throws {
    let imported = try Imported(
      """
      definitions:
        a: { name: a, retriever: { requester: { type: HttpRequester, url_base: https://a.example.com, path: "/a/{{ stream_slice.x }}" }, partition_router: { type: SubstreamPartitionRouter, parent_stream_configs: [{ stream: "#/definitions/a", parent_key: id, partition_field: x }] } } }
      streams: ["#/definitions/a", { name: b, retriever: { requester: { type: HttpRequester, url_base: https://a.example.com, path: /b } } }]
      """)
    #expect(imported.report.losses.contains { $0.kind == .reference })
    #expect(imported.report.flows.contains("b"))
  }

  @Test func `deep nesting ends`() throws {
    let deep = String(repeating: "(", count: 5_000)
    let not = String(repeating: "not ", count: 5_000)
    let chain = "a" + String(repeating: ".a", count: 5_000)
    let minus = String(repeating: "-", count: 5_000)
    let branches = String(repeating: "{% if a %}", count: 500)
    for text in [
      "{{ \(deep) }}", "{{ \(not) a }}", "{{ \(chain) }}", "{{ \(minus)1 }}",
      "{{ 1 \(String(repeating: "+ 1", count: 5_000)) }}", branches,
    ] {
      let imported = try Imported(
        Manifest.with(Manifest.stream(requester: "path: /items, request_parameters: { q: '\(text)' }")))
      #expect(imported.report.losses.count == 1, "\(text.prefix(20)) \(imported.report.losses)")
    }
    var schema = "{ type: string }"
    for _ in 0..<25 { schema = "{ type: object, properties: { a: \(schema) } }" }
    _ = try Imported(Manifest.with(Manifest.stream(fields: "id: { type: integer }, deep: \(schema)")))
  }

  @Test func `texts cannot leave their place`() throws {
    let imported = try Imported(
      Manifest.with(
        Manifest.stream(
          #""a\nreactor: 2""#,
          requester:
            ##"path: "/x # y: z", request_parameters: { "a: b": "c\n# d", "{{ e }}": "}} {{ '{{' }}", q: "{{ config['region'] }}\n" }, request_headers: { "X\nY": z }"##,
          fields:
            ##"id: { type: integer }, "a: b # c": { type: string }, "": { type: string }, "q\"'": { type: string }"##)))
    #expect(imported.report.flows.count == 1)
  }

  @Test func `a manifest of 56,000 lines is imported`() throws {
    let imported = try Imported(LargeManifest.text(streams: 280, fields: 60))
    #expect(imported.report.flows.count == 280)
    #expect(imported.report.losses.isEmpty)
  }

  @Test func `damaged manifests do not crash`() throws {
    let bytes = Array(
      Manifest.with(
        Manifest.stream(
          stream: "transformations: [{ type: AddFields, fields: [{ path: [a], value: \"{{ record.b }}\" }] }]")
      ).utf8)
    var generator = SeededGenerator(7)
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let index = Int.random(in: 0..<damaged.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: damaged[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: damaged.remove(at: index)
        default: damaged.insert("{}[]:'\"#&*!|>%@`$\n -".utf8.randomElement(using: &generator) ?? 0, at: index)
        }
      }
      guard let text = String(validating: damaged, as: UTF8.self) else { continue }
      do { _ = try Imported(text) } catch is ImportError {}
    }
  }
}

/// A manifest as large as the largest known.
enum LargeManifest {
  static func text(streams: Int, fields: Int) -> String {
    var text = "version: 6.0.0\ntype: DeclarativeSource\nstreams:\n"
    for stream in 0..<streams {
      let lines = [
        "  - type: DeclarativeStream", "    name: stream_\(stream)", "    primary_key: [id]", "    retriever:",
        "      type: SimpleRetriever",
        "      requester: { $ref: '#/definitions/requester', path: /s/\(stream) }",
        "      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [data] } }",
        "    schema_loader:",
        "      type: InlineSchemaLoader", "      schema:", "        type: object", "        properties:",
        "            id: { type: integer }",
      ]
      text += lines.joined(separator: "\n") + "\n"
      for field in 0..<fields {
        text +=
          "            field_\(field)_\(stream):\n              type:\n              - \(field % 2 == 0 ? "string" : "number")\n"
      }
    }
    return text + "definitions:\n  requester: { type: HttpRequester, url_base: https://api.example.com }\n"
  }
}
