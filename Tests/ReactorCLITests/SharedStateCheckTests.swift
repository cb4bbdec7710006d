import Testing

/// What `reactor check` and `reactor run` refuse with shared state, without a database.
@Suite struct SharedStateCheckTests {
  private static let url = "postgresql://nobody@127.0.0.1:1/none"
  private static let key = String(repeating: "0f", count: 32)

  private static func token(_ more: String = "") -> String {
    """
    reactor: 1
    secrets: [REFRESH]
    vars: { kind: oauth }
    http:
      base_url: http://127.0.0.1:1
      auth: { oauth2: { grant: refresh_token, url: "http://127.0.0.1:1/token", client_id: me, refresh_token: "{{ secrets.REFRESH }}"\(more) } }
    flows: { orders: { resource: /orders } }
    """
  }

  private static func input(_ each: String, of path: String = "out/customers.jsonl") -> String {
    """
    reactor: 1
    vars: { folder: out }
    http: { base_url: http://127.0.0.1:1 }
    schemas: { row: { key: id, fields: { id: integer } } }
    flows:
      customers: { resource: /customers, schema: row, persistence: "\(path)" }
      orders: { resource: "/orders/{{ parent.id }}", each: \(each), persistence: out/orders.jsonl }
    """
  }

  private func check(_ text: String, _ arguments: [String] = ["--state"], _ environment: [String: String] = [:])
    async throws -> Workbench.Outcome
  {
    let bench = try Workbench(["shop.yaml": text])
    return try await bench.run(["check"] + arguments + [bench.path("shop.yaml")], environment: environment)
  }

  @Test(arguments: [["--state"], ["--state", url], ["--state=\(url)"]])
  func `check refuses a single-use token without a key`(_ arguments: [String]) async throws {
    let found = try await check(Self.token(), arguments)
    #expect(found.code == 3)
    #expect(
      found.err.contains("[flow.shared-token]") && found.err.contains("'shop.orders' has a refresh token"))
    #expect(found.err.contains("shop.yaml:6:") && found.err.contains("openssl rand -base64 32"), "\(found.err)")
    #expect(try await check(Self.token(), arguments, ["REACTOR_STATE_KEY": Self.key]).code == 0)
    #expect(try await check(Self.token(", single_use: false"), arguments).code == 0)
  }

  @Test func `check looks for it only with shared state`() async throws {
    #expect(try await check(Self.token(), []).code == 0)
    #expect(try await check(Self.token(), [], ["REACTOR_STATE": Self.url]).code == 3)
    let wrong = try await check(Self.token(), ["--state=mysql://a"])
    #expect(wrong.code == 2 && wrong.err.contains("--state is not the URL of a PostgreSQL database"), "\(wrong.err)")
    let key = try await check(Self.token(), ["--state"], ["REACTOR_STATE_KEY": "not-a-key-at-all"])
    #expect(key.code == 2 && key.err.contains("REACTOR_STATE_KEY is neither 32 bytes in base64"), "\(key.err)")
    #expect(!key.err.contains("not-a-key-at-all"))
  }

  @Test(
    arguments: [
      ("{ file: out/customers.jsonl, schema: row }", "out/customers.jsonl", true),
      ("{ file: ./out//customers.jsonl, schema: row }", "out/customers.jsonl", true),
      ("{ file: out/customers.jsonl, schema: row }", "{{ vars.folder }}/customers.jsonl", true),
      (
        "{ union: [{ file: out/old.jsonl, schema: row }, { file: out/customers.jsonl, schema: row }], key: id }",
        "out/customers.jsonl", true
      ),
      ("{ file: out/others.jsonl, schema: row }", "out/customers.jsonl", false),
      ("customers", "out/customers.jsonl", false),
      ("{ union: [customers, { file: out/customers.jsonl, schema: row }], key: id }", "out/customers.jsonl", false),
    ])
  func `check refuses a file that a flow of another unit writes`(_ each: String, _ path: String, _ isRefused: Bool)
    async throws
  {
    let found = try await check(Self.input(each, of: path))
    #expect(found.code == (isRefused ? 3 : 0), "\(found.err)")
    guard isRefused else { return }
    #expect(
      found.err.contains("'shop.orders' reads 'out/customers.jsonl', which 'shop.customers' writes"), "\(found.err)")
    #expect(found.err.contains("shop.yaml:7:") && found.err.contains("shop.yaml:6:"), "\(found.err)")
    #expect(found.err.contains("name 'shop.customers' as parent in 'each'"), "\(found.err)")
    #expect(try await check(Self.input(each, of: path), []).code == 0)
  }
}
