@testable import FlowSpec
import Testing

/// A file with one flow of these keys.
private func shop(_ keys: String, vars: String = "region: eu") -> String {
  let lines = keys.split(separator: "\n").map { "    \($0)\n" }.joined()
  return "reactor: 1\nvars: { \(vars) }\nsecrets: [TOKEN]\nhttp: { base_url: https://api.example.com }\n"
    + "flows:\n  orders:\n" + lines
}

@Suite struct EditEffectTests {
  @Test(arguments: EditCase.tried)
  func `an edit has the effect that is said of its key`(_ edit: EditCase) throws {
    let (before, after) = try #require(edit.versions(), "needs an edit that loads")
    #expect(!before.isEmpty)
    switch edit.effect {
    case .asksAnew, .asksAnewWithoutCursor: #expect(before != after)
    default: #expect(before == after)
    }
  }

  /// Keys of a flow with a cursor, before and after.
  private static let judged = [
    ("expect: { min: 1 }", "expect: { min: 2 }"), ("expect: { max: 9 }", ""),
    ("", "expect: { total: $.total }"), ("", "expect: { max_rejected: 1 }"),
    ("each: { values: [1, 2], as: shop }", "each: { values: [1, 2], as: shop, on_error: fail }"),
  ]

  @Test(arguments: judged)
  func `what a flow with a cursor is judged by leaves it what it has`(_ before: String, _ after: String) throws {
    let usual = """
      resource: /orders
      schema: { key: id, fields: { id: integer } }
      persistence: { path: orders.jsonl, mode: merge }
      cursor: { field: id, query: after }

      """
    let first = try #require(resultKeys(of: shop(usual + before)))
    #expect(resultKeys(of: shop(usual + after)) == first)
  }

  /// Flows in which the value of a variable changes what is asked for or persisted.
  private static let uses = [
    "resource: /orders\npages: { by: cursor, next: \"coalesce(response[vars.region], null)\", query: after }",
    "resource: /orders\nerrors: [{ when: \"headers['x'] == vars.region\", do: skip }]",
    "resource: /orders\nauth: { basic: { username: \"{{ vars.region }}\", password: \"{{ secrets.TOKEN }}\" } }",
    "resource: /orders\neach: { values: [1], as: shop, add: { region: \"{{ vars.region }}\" } }",
    "resource: /orders\neach: { file: \"{{ vars.region }}.jsonl\" }",
    "resource: \"/orders/{{ parent.id + vars.region }}\"\neach: { file: a.jsonl }",
    "resource: { method: POST, path: /, body: { json: { a: \"{{ parent.id + vars.region }}\" } } }\neach: { file: a.jsonl }",
    "resource: /orders\nwhere: source.region == vars.region",
  ]

  @Test(arguments: uses)
  func `the value of a variable counts where it is used`(_ keys: String) throws {
    let first = try #require(resultKeys(of: shop(keys)))
    #expect(resultKeys(of: shop(keys, vars: "region: us")) != first)
    #expect(resultKeys(of: shop(keys, vars: "region: eu, other: 1")) == first)
  }

  @Test func `bodies that are filled in while the flow runs count as they are written`() throws {
    let keys =
      "each: { file: a.jsonl }\nresource: { method: POST, path: /, body: { json: { a: \"{{ parent.id + 1 }}\" } } }"
    let first = try #require(resultKeys(of: shop(keys)))
    #expect(resultKeys(of: shop(keys.replacing("+ 1", with: "+ 2"))) != first)
  }

  /// Credentials with a secret.
  private static let credentials = [
    "auth: { bearer: \"{{ secrets.TOKEN }}\" }",
    "auth: { bearer: \"{{ env.PORT }}\" }",
    "auth: { basic: { username: me, password: \"{{ secrets.TOKEN }}\" } }",
    "auth: { oauth2: { url: https://a.example/t, client_id: a, client_secret: \"{{ secrets.TOKEN }}\" } }",
  ]

  @Test(arguments: credentials)
  func `a secret that has another value leaves the result in use`(_ auth: String) throws {
    let file = shop("resource: /orders\n\(auth)")
    let first = try #require(resultKeys(of: file, secrets: ["TOKEN": "a"], environment: ["PORT": "1"]))
    #expect(resultKeys(of: file, secrets: ["TOKEN": "b"], environment: ["PORT": "2"]) == first)
  }

  /// Flows as they were before a key was edited, with what their results belonged to in earlier versions.
  private static let stable: [(String, UInt64)] = [
    ("resource: /orders", 7_465_206_361_838_127_769),
    (
      "resource: { path: /orders, query: { a: \"{{ vars.region }}\" } }\nrecords: $.data[*]\nprune: false",
      10_495_633_329_904_797_185
    ),
    ("resource: /orders\nwhere: source.a == 1\nreshape: .a", 15_056_178_067_530_297_820),
    ("resource: \"/orders/{{ parent.id }}\"\neach: { file: a.jsonl, max: 3 }", 9_742_646_910_407_462_708),
    (
      "resource: /orders\nretry: 3\nexpect: {}\ndeadline: 1h\nreachability: false\nhttp: { timeout: 5s }",
      7_465_206_361_838_127_769
    ),
  ]

  @Test(arguments: stable)
  func `what a flow does not declare adds nothing to what its result belongs to`(_ keys: String, _ key: UInt64) throws {
    let found = try #require(resultKeys(of: shop(keys))?.first)
    #expect(found.split(separator: " ")[1] == "\(key)")
  }
}
