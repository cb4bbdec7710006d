import FlowModel
import FlowSpec
import JSONSyntax
import SourceDiagnostics
import Testing

@Suite struct EachTests {
  private static func file(_ flows: String) -> String {
    "reactor: 1\nhttp: { base_url: https://a.example }\nflows:\n"
      + flows.split(separator: "\n").map { "  \($0)\n" }.joined()
  }

  private static func each(_ text: String) throws -> Each<EachSource> {
    let loaded = Project(file("customers: { resource: /c }\norders: { resource: /o, each: \(text) }")).load()
    #expect(loaded.codes == [])
    return try #require(loaded.flows.last?.each)
  }

  @Test func `a flow's name alone takes its records as parent`() throws {
    let each = try Self.each("customers")
    #expect(each.flows.map(\.value) == ["shop.customers"])
    #expect(each.names == ["parent"])
    #expect(each.concurrency == 4 && each.skipsFailed)
  }

  @Test func `the long form says how many at once and what a failure does`() throws {
    let each = try Self.each("{ flow: shop.customers, as: customer, concurrency: 16, on_error: fail, max: 3 }")
    #expect(each.flows.map(\.value) == ["shop.customers"])
    #expect(each.names == ["customer"])
    #expect(each.concurrency == 16 && !each.skipsFailed)
    #expect(each.parents.map(\.limit) == [3])
  }

  @Test func `values keep integers and nothing else is guessed`() throws {
    let each = try Self.each("{ values: [1, '2', no, 1.10, 012, -3, 99999999999999999999, true] }")
    guard case .values(let values)? = each.parents.first?.source else {
      Issue.record("no values")
      return
    }
    #expect(
      values == [
        .integer(1), .string("2"), .string("no"), .string("1.10"), .string("012"), .integer(-3),
        .string("99999999999999999999"), .string("true"),
      ])
    #expect(each.names == ["value"])
  }

  @Test func `a list is a product in order, each part with its own name`() throws {
    let each = try Self.each("[customers, { values: [open, closed], as: status }, { file: out/x.jsonl, as: extra }]")
    #expect(each.names == ["parent", "status", "extra"])
    #expect(each.parents.map(\.words) == ["shop.customers", "2 values", "out/x.jsonl"])
    let long = try Self.each("{ product: [customers, { values: [1], as: n }], concurrency: 2 }")
    #expect(long.names == ["parent", "n"] && long.concurrency == 2)
  }

  @Test func `flows of other files are named with their file, in any order of loading`() throws {
    let loaded = Project(files: [
      "a.yaml": Self.file("orders: { resource: /o, each: z.my.customers }"),
      "z.my.yaml": Self.file("customers: { resource: /c }"),
    ]).load()
    #expect(loaded.codes == [])
    #expect(loaded.flows.first?.parents == ["z.my.customers"])
  }

  @Test(arguments: [
    ("custmers", "flow 'custmers' is not in this file", "did you mean 'customers'?"),
    ("products", "flow 'products' is not in this file", "did you mean 'other.products'?"),
    ("other.product", "flow 'other.product' is not in the given files", "did you mean 'other.products'?"),
    (
      "nowhere.to.be.found", "flow 'nowhere.to.be.found' is not in the given files",
      "a flow of another file is named 'file.flow', and its file must be given"
    ),
  ])
  func `unknown flows are reported with a suggestion`(_ name: String, _ message: String, _ help: String) {
    let loaded = Project(files: [
      "shop.yaml": Self.file("customers: { resource: /c }\norders: { resource: /o, each: \(name) }"),
      "other.yaml": Self.file("products: { resource: /p }"),
    ]).load()
    #expect(loaded.codes == ["flow.unknown-flow"])
    #expect(loaded.diagnostics.diagnostics.first?.message == message)
    #expect(loaded.diagnostics.diagnostics.first?.help == help)
    #expect(loaded.flows.map(\.id) == ["other.products"])
  }

  @Test func `a cycle through two files is one error with every location, and removes all its flows`() {
    let loaded = Project(files: [
      "a.yaml": Self.file("one: { resource: /1, each: b.two }"),
      "b.yaml": Self.file(
        "two: { resource: /2, each: three }\nthree: { resource: /3, each: a.one }\nfour: { resource: / }"),
      "c.yaml": Self.file("five: { resource: /5, each: b.two }\nsix: { resource: /6 }"),
    ]).load()
    #expect(loaded.locations == ["flow.cycle@4:30"])
    let found = loaded.diagnostics.diagnostics.first
    #expect(found?.message == "flows take their records from each other: a.one <- b.two <- b.three <- a.one")
    #expect(
      found?.notes.map(\.message) == [
        "'b.two' takes its records from 'b.three' here", "'b.three' takes its records from 'a.one' here",
      ])
    #expect(loaded.flows.map(\.id) == ["b.four", "c.six"])
  }

  @Test func `a flow cannot take its own records`() {
    let loaded = Project(Self.file("one: { resource: /1, each: one }")).load()
    #expect(loaded.diagnostics.diagnostics.map(\.message) == ["flow 'shop.one' would take its records from itself"])
  }

  @Test func `two cycles of one file are two errors`() {
    let loaded = Project(
      Self.file(
        """
        a: { resource: /, each: b }
        b: { resource: /, each: a }
        c: { resource: /, each: d }
        d: { resource: /, each: c }
        """)
    ).load()
    #expect(loaded.codes == ["flow.cycle", "flow.cycle"])
  }

  @Test func `child flows of a flow with errors are left out without a second error`() {
    let loaded = Project(files: [
      "a.yaml": Self.file("one: { resource: /1, prune: maybe }"),
      "b.yaml": Self.file(
        "two: { resource: /2, each: a.one }\nthree: { resource: /3, each: two }\nfour: { resource: / }"),
      "c.yaml": "reactor: 1\nflows: [\n", "d.yaml": Self.file("five: { resource: /, each: c.one }"),
    ]).load()
    #expect(loaded.codes.filter { !$0.hasPrefix("yaml.") } == ["flow.invalid-boolean"])
    #expect(loaded.flows.map(\.id) == ["b.four"])
  }

  @Test func `a long chain is read without trouble`() {
    let flows = (0..<5000).map { "f\($0): { resource: /\($0 == 0 ? "" : ", each: f\($0 - 1)") }" }
    let loaded = Project(Self.file(flows.reversed().joined(separator: "\n"))).load()
    #expect(loaded.codes == [])
    let graph = FlowGraph(loaded.flows)
    #expect(graph.order == Array((0..<5000).reversed()))
    #expect(graph.withAncestors([0]).count == 5000)
  }

  @Test func `templates may use the parents by their names, and nothing else`() {
    let loaded = Project(
      Self.file(
        """
        customers: { resource: /c }
        right:
          resource: { path: "/{{ parent.id }}/{{ year + 1 }}", query: { s: "{{ status }}" } }
          each: [customers, { values: [1, 2], as: year }, { values: [a], as: status }]
        wrong: { resource: "/{{ customer.id }}", each: customers }
        types: { resource: "/{{ status + 1 }}", each: { values: [a, b], as: status } }
        faulty: { resource: "/{{ customer.id }}", each: { flow: nowhere, as: customer, at: once } }
        """)
    ).load()
    #expect(
      loaded.locations == [
        "template.unknown-root@8:27", "expression.type@9:34", "flow.unknown-flow@10:59", "flow.unknown-key@10:82",
      ])
  }

  @Test func `a parent's schema gives its fields, also in another file`() {
    let loaded = Project(
      files: [
        "a.yaml": Self.file(
          """
          orders: { resource: "/{{ parent.idd }}", each: z.customers }
          mails: { resource: { path: /, query: { to: "{{ parent.email }}" } }, each: z.customers }
          right: { resource: "/{{ parent.id }}/{{ coalesce(parent.email, 'none') }}", each: z.customers }
          """),
        "z.yaml": Self.file("customers: { resource: /, schema: customer }"),
      ],
      others: ["schemas/s.yaml": schemaFile("id: integer\nemail: string?")]
    ).load()
    #expect(loaded.locations == ["expression.unknown-name@4:25", "expression.may-be-missing@5:47"])
    #expect(loaded.diagnostics.diagnostics.first?.message.contains("idd") == true)
  }

  @Test func `what is computed from a parent's record is checked against its schema`() {
    let loaded = Project(
      files: [
        "a.yaml": Self.file(
          """
          one: { resource: /, each: z.customers, schema: { fields: { id: integer, f: { value: "{{ parent.idd }}" } } } }
          two: { resource: /, each: z.customers, schema: { fields: { id: integer, f: { value: "to {{ parent.email }}" } } } }
          three: { resource: /, each: z.customers, change: { add: { f: "{{ parent.idd }}" } } }
          four: { resource: /, each: z.customers, schema: { fields: { id: integer } }, where: record.id > parent.idd }
          five: { resource: /, each: z.customers, schema: labelled }
          right:
            resource: /
            each: z.customers
            change: { add: { f: "{{ parent.email }}" } }
            schema: { fields: { id: integer, f: { value: "{{ parent.email }}", optional: true }, g: { value: "{{ parent.id + 1 }}" } } }
            where: record.id >= parent.id
          """),
        "z.yaml": Self.file("customers: { resource: /, schema: customer }"),
      ],
      others: [
        "schemas/s.yaml": schemaFile("id: integer\nemail: string?")
          + "  labelled: { fields: { id: integer, f: { value: \"{{ parent.idd }}\" } } }\n"
      ]
    ).load()
    #expect(
      loaded.locations == [
        "expression.unknown-name@4:98", "expression.may-be-missing@5:94", "expression.unknown-name@6:65",
        "expression.unknown-name@7:87", "expression.unknown-name@8:3",
      ], "\(DiagnosticRenderer().render(loaded.diagnostics.diagnostics))")
  }

  @Test func `records are sent only where the parent's schema has what the other one sends`() {
    let head =
      "customers: { resource: /, schema: { fields: { id: integer, name: string? } } }\n"
    func codes(_ fields: String) -> [String] {
      Project(
        Self.file(
          head
            + "mirror: { each: customers, resource: { method: POST, path: /, body: { records: { schema: { fields: { \(fields) } } } } } }"
        )
      ).load().codes
    }
    #expect(codes("id: integer") == [])
    #expect(codes("id: { from: $.a.b, type: number }, name: string?") == [])
    #expect(codes("id: integer, extra: string?, full: { value: \"{{ record.id }}\" }") == [])
    #expect(codes("id: integer, nmae: string") == ["sending.field"])
    #expect(codes("name: string") == ["sending.field"])
    #expect(codes("id: boolean") == ["sending.field"])
    #expect(codes("id: [integer]") == ["sending.field"])
  }

  @Test func `added fields are for records without a schema`() {
    let loaded = Project(
      Self.file(
        """
        a: { resource: / }
        b: { resource: /, each: { flow: a, add: { x: "{{ parent.x }}" } }, schema: { fields: { id: integer } } }
        """)
    ).load()
    #expect(loaded.locations == ["flow.misplaced-key@5:45"])
  }
}
