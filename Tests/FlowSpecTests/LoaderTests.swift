import FieldTypes
import FlowModel
import FlowSpec
import SourceDiagnostics
import TestSupport
import Testing

@Suite struct LoaderTests {
  private static let http = "http: { base_url: https://a.example }"

  @Test func `the format's own example loads into the declaration it describes`() throws {
    let text = """
      # flows/shop.yaml
      reactor: 1
      description: Customers and orders of the shop
      vars:
        since: { type: date, default: 2024-01-01 }
      secrets: [SHOP_TOKEN]

      http:
        base_url: https://api.example.com/v2
        headers: { Accept: application/json, Authorization: "Bearer {{ secrets.SHOP_TOKEN }}" }
        timeout: 30s

      defaults:
        tags: [nightly]
        persistence: { expires_after: 1d, fail_on_save_error: false }

      flows:
        customers:
          description: Everyone who ever ordered
          tags: [shop, daily]
          resource: { method: GET, path: /customers, query: { updated_since: "{{ vars.since }}" }, headers: { accept: text/json } }
          records: $.data[*]
          schema: customer
          prune: false
          reachability: false
          wait: false
          persistence: { path: out/customers.jsonl, expires_after: 1h }
          expect: { min: 1, total: $.total, status: [2xx, 404] }
        orders:
          resource: /orders
          persistence: out/orders.csv
      """
    let schemas = """
      reactor: 1
      schemas:
        customer:
          key: id
          fields:
            id: integer
            email: string?
            city: { from: $.address.city, type: string, default: "" }
            tier: { type: enum, values: [free, pro] }
            tags: [string]
            address: { type: object, fields: { zip: string, geo: { type: object, schema: point } } }
        point:
          fields: { x: number, y: number }
      """
    let loaded = Project(text, others: ["schemas/shop.yaml": schemas]).load()
    #expect(loaded.codes == [])
    #expect(loaded.flows.map(\.id) == ["shop.customers", "shop.orders"])
    let customers = try #require(loaded.flows.first)
    #expect(customers.tags == ["shop", "daily"])
    #expect(customers.pull.request.headers.map(\.name.value) == ["accept", "Authorization"])
    #expect(customers.pull.request.headers.first?.value.value == Template(text: "text/json"))
    #expect(customers.pull.request.query.first?.value.value.segments == [.variable("since")])
    #expect(!customers.prune && !customers.reachability && !customers.result.waits)
    #expect(customers.result.expiresAfter == .seconds(3600))
    #expect(!customers.result.failsOnSaveError)
    #expect(customers.expect.status == [200...299, 404...404])
    #expect(customers.transfer.timeout == 30)
    #expect(customers.schema?.fields.map(\.type.name) == ["integer", "string", "string", "enum", "list", "object"])
    guard case .object(let address)? = customers.schema?.fields.last?.type, case .object(let geo)? = address.last?.type
    else {
      Issue.record("the reference is not filled in")
      return
    }
    #expect(geo.map(\.name) == ["x", "y"])
    let orders = try #require(loaded.flows.last)
    #expect(orders.tags == ["nightly"])
    #expect(orders.prune && orders.reachability && orders.result.waits)
    #expect(orders.pull.request.method == "GET")
    #expect(orders.result.expiresAfter == .seconds(86400))
    #expect(orders.schema == nil && orders.pull.records == nil)
    #expect(orders.transfer.redirects == .sameOrigin && orders.transfer.maxBytes == 2 << 30)
  }

  @Test func `a flow's own http wins key by key`() throws {
    let text = """
      reactor: 1
      http: { base_url: https://a.example, headers: { A: 1, b: 2 }, timeout: 10s, redirects: none, ca_file: ca.pem, proxy: none }
      flows:
        one: { resource: /, http: { base_url: https://b.example, headers: { B: 3, C: 4 }, max_bytes: 1kB } }
      """
    let flow = try #require(Project(text).load().flows.first)
    #expect(flow.pull.request.baseURL.value == Template(text: "https://b.example"))
    #expect(flow.pull.request.headers.map { $0.name.value + $0.value.value.sourceText } == ["A1", "B3", "C4"])
    #expect(flow.transfer.timeout == 10 && flow.transfer.maxBytes == 1000 && flow.transfer.redirects == .none)
    #expect(flow.transfer.caFile == "flows/ca.pem")
  }

  @Test func `texts stay as written`() throws {
    let text = flowFile(
      "resource: { path: /, query: { a: no, b: 012, c: 1.10, d: 1e3, e: [yes, ~x] } }\ntags: [on, 1.0]")
    let flow = try #require(Project(text).load().flows.first)
    #expect(flow.pull.request.query.map(\.value.value.sourceText) == ["no", "012", "1.10", "1e3", "yes", "~x"])
    #expect(flow.pull.request.query.map(\.name.value) == ["a", "b", "c", "d", "e", "e"])
    #expect(flow.tags == ["on", "1.0"])
  }

  @Test func `all problems of all files are found in one pass, sorted by file and position`() {
    let bad = """
      reactor: 1
      http: { base_url: ftp://a.example, tiemout: 3s }
      flows:
        one: { resource: /a?b=1, prune: yes, records: data }
        two: { resuorce: /, tags: daily }
      """
    let loaded = Project(
      files: [
        "flows/b.yaml": bad, "flows/a.yaml": flowFile("resource: /\nwait: no"), "flows/c.yaml": flowFile("resource: /"),
      ],
      others: ["schemas/s.yaml": schemaFile("id: int")]
    ).load()
    #expect(
      loaded.locations == [
        "flow.invalid-boolean@6:11", "flow.invalid-url@2:19", "flow.unknown-key@2:36", "flow.invalid-request-path@4:22",
        "flow.invalid-boolean@4:35", "flow.invalid-path@4:49", "flow.unknown-key@5:10",
        "flow.wrong-kind@5:29", "flow.unknown-type@5:11",
      ])
    #expect(loaded.flows.map(\.id) == ["c.customers"])
    #expect(loaded.files.map(\.stem) == ["a", "b", "c"])
  }

  /// The rows of the comparison table: each mistake that other systems let pass or explain badly.
  @Test(arguments: [
    ("resource: /\npersistance: out/a.json", "flow.unknown-key", "did you mean 'persistence'?"),
    ("resorce: /", "flow.unknown-key", "did you mean 'resource'?"),
    ("resource: /\nrecords: $.dat[", "flow.invalid-path", nil),
    ("resource: { path: /, query: { s: '{{ vars.sinse }}' } }", "template.unknown-variable", "did you mean 'since'?"),
    ("resource: { path: /, method: GTE }", "flow.unknown-value", "did you mean 'GET'?"),
    ("resource: /\nschema: { fields: { id: strng } }", "flow.unknown-type", "did you mean 'string'?"),
    ("resource: /\ntimeout: 3s", "flow.unknown-key", "'timeout' belongs in 'http'"),
  ])
  func `typical mistakes are errors before the run, with a remedy`(_ keys: String, _ code: String, _ help: String?) {
    let loaded = Project(flowFile(keys, top: "\(Self.http)\nvars: { since: a }")).load()
    let found = loaded.diagnostics.diagnostics.first { $0.code.rawValue == code }
    #expect(found != nil && found?.severity == .error)
    if let help { #expect(found?.help == help) }
    #expect(loaded.flows.isEmpty)
  }

  @Test func `schemas are looked up in the file, then in the nearest folder upwards`() {
    let use = flowFile("resource: /\nschema: customer")
    let schema = schemaFile("id: integer")
    let beside = Project(files: ["a/b/x.yaml": use], others: ["a/schemas/s.yml": schema]).load()
    #expect(beside.flows.first?.schema?.range.file.path == "a/schemas/s.yml")
    let above = Project(files: ["x.yaml": use], others: ["../schemas/s.yaml": schema]).load()
    #expect(above.flows.first?.schema?.range.file.path == "../schemas/s.yaml")
    let nearest = Project(files: ["a/x.yaml": use], others: ["a/schemas/s.yaml": schema, "schemas/s.yaml": schema])
      .load()
    #expect(nearest.flows.first?.schema?.range.file.path == "a/schemas/s.yaml")
    let absolute = Project(files: ["/p/flows/x.yaml": use], others: ["/p/schemas/s.yaml": schema]).load()
    #expect(absolute.flows.first?.schema?.range.file.path == "/p/schemas/s.yaml")
    let own = use + "schemas: { customer: { fields: { name: string } } }\n"
    let inner = Project(files: ["a/x.yaml": own], others: ["schemas/s.yaml": schema]).load()
    #expect(inner.flows.first?.schema?.fields.map(\.name) == ["name"])
    #expect(
      Project(files: ["a/x.yaml": use], others: ["a/b/schemas/s.yaml": schema]).load().codes == ["flow.unknown-schema"])
    #expect(
      Project(files: ["a/x.yaml": use], others: ["schemas/s.txt": schema, "schemas/.s.yaml": schema]).load().codes == [
        "flow.unknown-schema"
      ])
  }

  @Test func `a flow whose schema has an error is left out, without a second error`() {
    let text = "reactor: 1\n\(Self.http)\nflows:\n  one: { resource: /, schema: customer }\n  two: { resource: / }\n"
    let loaded = Project(text, others: ["schemas/s.yaml": schemaFile("id: int")]).load()
    #expect(loaded.codes == ["flow.unknown-type"])
    #expect(loaded.flows.map(\.name) == ["two"])
  }

  @Test func `one folder of schemas is read once for all files`() {
    let files: KeyValuePairs = ["flows/a.yaml": "reactor: 1\nflows: {}\n", "flows/b.yaml": "reactor: 1\nflows: {}\n"]
    #expect(Project(files: files, others: ["schemas/s.yaml": schemaFile("id: int")]).load().codes.count == 1)
  }

  @Test func `a file given twice counts once, and two files of one name clash`() {
    let text = flowFile("resource: /")
    #expect(Project(files: ["flows/a.yaml": text, "./flows//a.yaml": text]).load().flows.count == 1)
    #expect(Project(files: ["x/a.flow.yaml": text, "y/a.yml": text]).load().codes == ["flow.duplicate-flow"])
  }

  @Test func `two flows of different files cannot write one file`() {
    let loaded = Project(files: [
      "a.yaml": flowFile("resource: /\npersistence: out/x.json"),
      "b.yaml": flowFile("resource: /\npersistence: { path: out/./y/../x.json }"),
    ]).load()
    #expect(loaded.codes == ["flow.duplicate-output"])
    #expect(loaded.diagnostics.diagnostics.first?.notes.first?.range?.file.path == "a.yaml")
  }

  @Test func `output paths are compared again when they are resolved`() {
    let file = SourceFile(path: "f", text: "a")
    let range = SourceRange(file: file, offsets: 0..<1)
    var outputs = OutputPaths()
    #expect(outputs.take("out/eu.json", of: "a.x", at: range) == nil)
    #expect(outputs.take("out/us.json", of: "a.y", at: range) == nil)
    #expect(outputs.take("./out/eu.json", of: "a.z", at: range)?.code.rawValue == "flow.duplicate-output")
  }

  @Test func `another version is a file's only error`() {
    #expect(Project("reactor: 2\nflow: []\n").load().codes == ["flow.unsupported-version"])
  }

  @Test func `aliases and merge keys are read like their values`() throws {
    let text = """
      reactor: 1
      http: &h { base_url: https://a.example, timeout: 5s }
      flows:
        one: &one { resource: /one, prune: false }
        two: { <<: *one, resource: /two }
        three: { resource: /three, http: *h }
      """
    let loaded = Project(text).load()
    #expect(loaded.codes == [])
    #expect(loaded.flows.map(\.prune) == [false, false, true])
    #expect(loaded.flows.map(\.pull.request.path.value.sourceText) == ["/one", "/two", "/three"])
  }

  @Test(arguments: [
    "[]", "text", "null", "- a", "{}", "reactor", "reactor:", "reactor: {}", "flows: 3\nreactor: 1", "? a",
  ])
  func `any root is an error, never a crash`(_ text: String) {
    #expect(Project(text).load().diagnostics.hasErrors)
    #expect(Project(schemas: text).load().diagnostics.hasErrors)
  }
}
