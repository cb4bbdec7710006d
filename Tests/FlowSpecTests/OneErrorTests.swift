import FlowSpec
import SourceDiagnostics
import TestSupport
import Testing

/// One mistake gives one error: what depends on a broken part says nothing.
@Suite struct OneErrorTests {
  @Test func `the project without a mistake loads without diagnostics`() {
    let project = RichProject.replacing("The shop", with: "The shop")
    #expect(project?.load().codes == [], "\(project?.report ?? "")")
  }

  @Test(arguments: ConstructName.allCases)
  func `every construct is in the project`(_ name: ConstructName) {
    #expect(!RichProject.filled(name, with: "", offset: 0).isEmpty, "\(name.rawValue)")
  }

  /// Mistakes only where the project's flows are not: there they have a key, `mode: merge`, or another name.
  private static let isRightHere: Set<String> = [
    "each: flow: customers\nonly: changed", "each.product: flow: customers\nonly: changed",
    "each.product: flow: orders", "persistence: delete_when: source.deleted",
  ]

  @Test(arguments: FieldCase.mistakes)
  func `a mistake among parts that depend on it is the only error`(_ mistake: FieldCase) {
    for location in RichProject.filled(mistake.construct, with: mistake.text, offset: mistake.offset) {
      let errors = location.project.load().diagnostics.diagnostics.filter {
        $0.severity == .error || $0.code == mistake.code?.code
      }
      let isMistake = !Self.isRightHere.contains("\(mistake.construct.rawValue): \(mistake.text)")
      let expected = isMistake ? ["\(mistake.code?.rawValue ?? "")@\(location.path):\(location.offset)"] : []
      let found = errors.map {
        "\($0.code.rawValue)@\($0.range?.file.path ?? ""):\($0.range?.offsets.lowerBound ?? -1)"
      }
      #expect(found == expected, "\(location.project.report)")
    }
  }

  /// What is written in place of what, and the code of the only error. Each part that is broken is one on which others
  /// depend.
  static let cascades: [(text: String, other: String, code: FlowCode)] = [
    // Schemas: of a flow with a cursor, a merge, `delete_when`, `where`, and children.
    ("    schema: customer\n", "    schema: custmer\n", .unknownSchema),
    ("    schema: customer\n", "    shcema: customer\n", .unknownKey),
    ("    schema: customer\n", "    mapping: customer\n", .unknownKey),
    ("      id: integer\n", "      id: intger\n", .unknownType),
    ("      updated_at: timestamp\n", "      updated_at: timestmp\n", .unknownType),
    ("      total: number\n", "      total: { type: list }\n", .incompleteType),
    ("      where: { type: object, schema: point }", "      where: { type: object, schema: pont }", .unknownSchema),
    ("      where: { type: object, schema: point }", "      where: { type: object, shcema: point }", .unknownKey),
    ("  point: { fields: { x: number, y: number } }", "  point: { fields: { x: nmber, y: number } }", .unknownType),
    ("    key: id\n", "    key: ident\n", .unknownField),
    ("  customer: # ◆schema\n", "  cust omer: # ◆schema\n", .invalidName),
    ("{{ record.name }} of", "{{ record.nme }} of", .expressionName),
    ("of {{ vars.region }}\"", "of {{ vars.regoin }}\"", .expressionName),
    ("schemas:\n", "shcemas:\n", .unknownKey), ("schemas:\n", "types:\n", .unknownKey),
    // Declarations of names that templates use.
    ("  region: eu\n", "  region: [eu]\n", .wrongKind), ("  region: eu\n", "  \"re gion\": eu\n", .invalidName),
    ("    type: date\n", "    type: dat\n", .unknownType), ("    type: date\n", "    typ: date\n", .unknownKey),
    ("    default: 2024-01-01\n", "    default: yesterday\n", .variableDefault),
    ("vars:\n", "varz:\n", .unknownKey), ("vars:\n", "values:\n", .unknownKey),
    ("secrets:\n", "secret:\n", .unknownKey), ("secrets:\n", "tokens:\n", .unknownKey),
    ("  PASSWORD:\n", "  PASSWORD: a\n", .wrongKind), ("  PASSWORD:\n", "  SHOP TOKEN:\n  PASSWORD:\n", .invalidName),
    // What all flows share.
    ("  base_url: \"https", "  bas_url: \"https", .unknownKey),
    ("  base_url: \"https", "  server: \"https", .unknownKey),
    ("  base_url: \"https", "  # \"https", .missingBaseURL), ("http: # ◆http", "htpp: # ◆http", .unknownKey),
    ("http: # ◆http", "server: # ◆http", .unknownKey),
    ("{ X-Region: \"{{ vars.region }}\",", "{ Authorization: a,", .authConflict),
    ("    bearer: \"", "    baerer: \"", .unknownKey), ("    bearer: \"", "    token: \"", .unknownKey),
    // Authorization of a flow to which the file's does not fit.
    ("      api_key: # ◆api_key", "      apikey: # ◆api_key", .unknownKey),
    ("    auth: { api_key: { header: X-Own, value", "    auth: { api_key: { headr: X-Own, value", .unknownKey),
    ("    auth: none", "    auth: noone", .unknownValue), ("    auth: none", "    ath: none", .unknownKey),
    ("        else: { api_key: { query: key", "        else: { api_key: { qery: key", .unknownKey),
    ("        by: vars.user\n", "        by: vars.usr\n", .templateUnknownVariable),
    ("          me: { bearer:", "          me: { baerer:", .unknownKey),
    ("      oauth2: # ◆oauth2", "      grant: # ◆oauth2", .unknownKey),
    ("values: { nonce: $.nonce }", "values: { nonce: nonce }", .invalidPath),
    // Parents, and the names that they give.
    ("    each: { flow: customers, key: id", "    each: { flow: custmers, key: id", .unknownFlow),
    ("    each: { flow: customers, key: id", "    each: { flw: customers, key: id", .unknownKey),
    ("    each: { flow: customers, key: id", "    eahc: { flow: customers, key: id", .unknownKey),
    ("    each: { flow: customers, key: id", "    parents: { flow: customers, key: id", .unknownKey),
    ("flow: customers, key: id,", "flow: customers, key: ident,", .unknownField),
    ("values: [1, 2], as: number", "values: [1, 1], as: number", .duplicateItem),
    ("values: [1, 2], as: number", "vlues: [1, 2], as: number", .unknownKey),
    ("    batch: # ◆each.batch", "    btch: # ◆each.batch", .unknownKey),
    ("  customers: # ◆flow", "  \"cust omers\": # ◆flow", .invalidName),
    ("      path: /customers\n", "      path: /customers?all\n", .invalidRequestPath),
    ("      path: /customers\n", "      pth: /customers\n", .unknownKey),
    ("    resource: # ◆resource", "    resorce: # ◆resource", .unknownKey),
    ("    resource: # ◆resource", "    request: # ◆resource", .unknownKey),
    ("coalesce(cursor.start, '')", "coalesce(cursor.start, vars.sinse)", .templateUnknownVariable),
    (
      "{ path: \"/customers/{id}/invoices\", params: { id:", "{ path: \"/customers/{id}/invoices\", prams: { id:",
      .unknownKey
    ),
    (
      "{ path: \"/customers/{id}/invoices\", params: { id: \"{{ customer",
      "{ path: \"/customers/{id}/invoices\", params: { id: \"{{ custmer",
      .templateUnknownRoot
    ),
    // Groups of fields, and the name that they give.
    ("    field_groups: # ◆field_groups", "    field_grups: # ◆field_groups", .unknownKey),
    ("      by: $.id\n", "      by: id\n", .invalidPath),
    ("fields: \"{{ join(field_group,", "fields: \"{{ join(fieldgroup,", .templateUnknownRoot),
    // Where results are kept.
    ("    persistence: # ◆persistence", "    persistance: # ◆persistence", .unknownKey),
    ("    persistence: # ◆persistence", "    output: # ◆persistence", .unknownKey),
    ("      path: out/customers.jsonl", "      path: ../customers.jsonl", .invalidOutput),
    ("      mode: merge", "      mode: mrge", .unknownValue), ("      mode: merge", "      mod: merge", .unknownKey),
    ("{ path: out/invoices.jsonl, mode: append }", "{ path: out/invoices.jsonl, mode: apend }", .unknownValue),
    ("{ path: out/invoices.jsonl, mode: append }", "{ path: out/invoices.jsonl, mod: append }", .unknownKey),
    ("      path: out/customers.rejected", "      path: ../customers.rejected", .invalidOutput),
    ("      min: 1\n", "      min: one\n", .invalidInteger),
    // Cursors and pages, and the names that they give.
    ("    cursor: # ◆cursor", "    cursr: # ◆cursor", .unknownKey),
    ("    cursor: # ◆cursor", "    since: # ◆cursor", .unknownKey),
    ("      field: updated_at", "      feild: updated_at", .unknownKey),
    ("      query: since\n", "      qury: since\n", .unknownKey),
    ("cursor: { field: at }", "cursor: { field: at, slice: 1d, strt: 2024-01-01 }", .unknownKey),
    ("query: { since: \"{{ coalesce", "qeury: { since: \"{{ coalesce", .unknownKey),
    ("json: { page: { size: 10 } }", "json: { page: { size: \"{{ vars.sze }}\" } }", .templateUnknownVariable),
    ("pages: { by: page, max: 10 }", "pages: { by: pgae, max: 10 }", .unknownValue),
    ("pages: { by: page, max: 10 }", "pgaes: { by: page, max: 10 }", .unknownKey),
    ("retry: { wait: 5m, max_wait: 10m }", "retry: { wait: 5m, max_wait: ten }", .invalidDuration),
    ("retry: { wait: 5m, max_wait: 10m }", "retry: { wait: 5m, max_wat: 10m }", .unknownKey),
    // What is sent.
    ("method: POST\n      path: /search", "mehtod: POST\n      path: /search", .unknownKey),
    ("method: POST\n      path: /search", "method: PSOT\n      path: /search", .unknownValue),
    ("        json: { region", "        jsn: { region", .unknownKey),
    ("      body: # ◆body\n", "      bdy: # ◆body\n", .unknownKey),
  ]

  @Test(arguments: cascades)
  func `what depends on a broken part is not reported`(_ text: String, _ other: String, _ code: FlowCode) throws {
    let project = try #require(RichProject.replacing(text, with: other), "no such text: \(text)")
    let found = project.load().diagnostics.diagnostics.filter { $0.severity == .error }.map(\.code.rawValue)
    #expect(found == [code.rawValue], "\(project.report)")
  }

  @Test(arguments: [
    "base_url: https://a.example\nflows: { a: { resource: /a }, b: { resource: /b } }",
    "flows: { a: { resource: /a, base_url: https://a.example } }",
  ])
  func `a base URL in the wrong location is not also missing`(_ text: String) {
    let project = Project(files: ["flows/shop.yaml": "reactor: 1\n\(text)\n"])
    #expect(project.load().codes == ["flow.unknown-key"], "\(project.report)")
  }

  @Test func `a file that was copied has one error for each of its flows`() {
    let text = flowFile("resource: /\npersistence: out/a.jsonl\nrejected: out/b.jsonl")
    let project = Project(files: ["a/shop.yaml": text, "b/shop.yaml": text])
    #expect(project.load().codes == ["flow.duplicate-flow"], "\(project.report)")
  }
}
