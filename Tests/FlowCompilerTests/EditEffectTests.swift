@testable import FlowCompiler
@testable import FlowSpec
import SourceDiagnostics
import Storage
import Testing

/// A key of the language with the edit by which its effect is tried.
struct EditCase: Sendable, CustomTestStringConvertible {
  var construct: ConstructName
  var field: String
  var effect: EditEffect?

  var testDescription: String { "\(construct.rawValue).\(field)" }

  static let all: [EditCase] = ConstructName.allCases.flatMap { name in
    name.construct.fields.map {
      EditCase(construct: name, field: $0.name, effect: name.construct.effect(ofEditing: $0.name))
    }
  }

  /// Keys of which one value can be tried.
  static let tried = all.filter { edit in
    switch edit.effect {
    // A mapping, or a name: tried by what is in it, or uses it.
    case .byItsKeys, .whereUsed, nil: false
    // There is one version.
    default: edit.field != "reactor"
    }
  }

  /// The file before and after an edit of this key alone, which both load and compile; nil when its examples give none.
  func versions() -> (before: [String], after: [String])? {
    if let (before, after) = Self.edits[testDescription] {
      guard let first = keys(of: before), let second = keys(of: after) else { return nil }
      return (first, second)
    }
    let examples = construct.construct[field]?.examples ?? []
    for before in examples {
      guard let first = keys(of: before) else { continue }
      var others = examples.compactMap { own($0) }.filter { $0 != own(before) }
      others.append("")
      for other in others {
        let lines = without(before) + (other.isEmpty ? [] : [other])
        if let second = keys(of: lines.joined(separator: "\n")) { return (first, second) }
      }
    }
    return nil
  }

  /// The key with its value, of a fragment.
  private func own(_ fragment: String) -> String? {
    var lines: [Substring] = []
    for line in fragment.split(separator: "\n") {
      if line.hasPrefix("\(field):") || (!lines.isEmpty && line.hasPrefix(" ")) {
        lines.append(line)
      } else if !lines.isEmpty {
        break
      }
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  private func without(_ fragment: String) -> [String] {
    guard let own = own(fragment) else { return [fragment] }
    return [fragment.replacing(own, with: "")].filter { !$0.isEmpty }
  }

  /// What results belong to, by flow, in a file with a fragment; nil where the file is wrong.
  private func keys(of fragment: String) -> [String]? {
    let frame = construct.construct.frame
    let text = frame.filled(with: fragment).text
    return frame.isSchemaFile ? resultKeys(of: Self.shop, schemas: text) : resultKeys(of: text)
  }

  private static let shop = """
    reactor: 1
    http: { base_url: https://api.example.com }
    flows: { customers: { resource: /customers, schema: customer } }
    """

  /// Edits of keys whose examples do not give one: fragments before and after.
  private static let edits: [String: (String, String)] = [
    "auth.bearer": ("bearer: \"{{ secrets.SHOP_TOKEN }}\"", "bearer: \"{{ secrets.PASSWORD }}\""),
    "basic.username": ("username: me", "username: you"),
    "api_key.header": ("header: X-Key", "header: X-Api-Key"), "api_key.query": ("query: key", "query: api_key"),
    "api_key.body": ("body: key", "body: api_key"),
    "api_key.value": (
      "header: X-Key\nvalue: \"{{ secrets.SHOP_TOKEN }}\"", "header: X-Key\nvalue: \"k-{{ secrets.SHOP_TOKEN }}\""
    ),
    "oauth2.token_url": ("token_url: https://a.example/token", "token_url: https://b.example/token"),
    "oauth2.client_id": ("client_id: a", "client_id: b"),
    "login.token": ("token: $.token", "token: $.access"),
    "login.token_header": ("token_header: X-Token", "token_header: X-Access"),
    "each.flow": ("flow: customers", "values: [1]\nas: parent"),
    "each.product.flow": ("flow: customers", "values: [1]\nas: parent"),
    "each.schema": ("file: out/customers.jsonl\nschema: customer", "file: out/customers.jsonl"),
    "each.product.schema": ("file: out/customers.jsonl\nschema: customer", "file: out/customers.jsonl"),
    "each.product": (
      "product: [{ flow: customers }, { values: [open], as: status }]",
      "product: [{ flow: customers }, { values: [closed], as: status }]"
    ),
    "each.batch.size": ("size: 10", "size: 20"),
    "each.batch.results": (
      "size: 10\nresults: $.a\nfailed: has(result.error)", "size: 10\nresults: $.b\nfailed: has(result.error)"
    ),
    "each.batch.failed": (
      "size: 10\nresults: $.a\nfailed: has(result.error)", "size: 10\nresults: $.a\nfailed: has(result.fault)"
    ),
    "reshape.each": ("each: .a", "each: .b"),
    "pages.by": ("by: page\nquery: page", "by: offset\nquery: page"),
    "pages.from_header": ("by: next_url\nfrom_header: Next", "by: next_url\nfrom_header: Next-Page"),
    "pages.from_last": ("by: cursor\nfrom_last: $.id\nquery: after", "by: cursor\nfrom_last: $.no\nquery: after"),
    "pages.query": ("by: page\nquery: page", "by: page\nquery: p"),
    "cursor.field": ("field: updated_at", "field: id"), "cursor.query": ("query: since", "query: updated_since"),
    "oauth2.grant": (
      "client_secret: \"{{ secrets.PASSWORD }}\"", "grant: refresh_token\nrefresh_token: \"{{ secrets.PASSWORD }}\""
    ),
    "oauth2.refresh_token": (
      "grant: refresh_token\nrefresh_token: \"{{ secrets.PASSWORD }}\"",
      "grant: refresh_token\nrefresh_token: \"{{ secrets.SHOP_TOKEN }}\""
    ),
    "defaults.tags": ("tags: [a]", "tags: [b]"), "defaults.prune": ("prune: true", "prune: false"),
    "defaults.reachability": ("reachability: true", "reachability: false"),
    "defaults.wait": ("wait: true", "wait: false"),
    "defaults.persistence": ("persistence: { expires_after: 1h }", "persistence: { expires_after: 2h }"),
    "defaults.persistence.fail_on_save_error": ("fail_on_save_error: true", "fail_on_save_error: false"),
    "resource.params": ("path: \"/c/{id}\"\nparams: { id: 1 }", "path: \"/c/{id}\"\nparams: { id: 2 }"),
    "body.json": ("json: { a: 1 }", "json: { a: 2 }"), "body.form": ("form: { a: 1 }", "form: { a: 2 }"),
    "body.text": ("text: a", "text: b"), "graphql.query": ("query: \"query { a }\"", "query: \"query { b }\""),
    "body.records.format": ("format: json", "format: jsonl"), "body.records.nulls": ("nulls: false", "nulls: true"),
    "idempotency.header": ("header: X-A", "header: X-B"),
    "idempotency.key": ("key: \"a-{{ parent.id }}\"", "key: \"b-{{ parent.id }}\""),
    "change.rename": ("rename: { $.a: b }", "rename: { $.a: c }"), "change.add": ("add: { a: 1 }", "add: { a: 2 }"),
    "flatten.separator": ("separator: \".\"", "separator: \"-\""), "flatten.depth": ("depth: 1", "depth: 2"),
    "expect.min": ("min: 1", "min: 2"), "expect.max": ("max: 1", "max: 2"),
    "expect.total": ("total: $.a", "total: $.b"), "expect.max_rejected": ("max_rejected: 1", "max_rejected: 2"),
    "fixture.match": ("match: { repeat: true }", "match: { repeat: false }"),
    "fixture.max_age": ("max_age: 1d", "max_age: 2d"),
    "fixture.match.headers": ("headers: [X-A]", "headers: [X-B]"),
    "fixture.match.ignore_query": ("ignore_query: [a]", "ignore_query: [b]"),
    "fixture.match.ignore_body": ("ignore_body: true", "ignore_body: false"),
    "fixture.match.repeat": ("repeat: true", "repeat: false"),
    "pages.next": ("by: cursor\nnext: response.a\nquery: after", "by: cursor\nnext: response.b\nquery: after"),
    "pages.header": ("by: cursor\nfrom: $.next\nheader: X-A", "by: cursor\nfrom: $.next\nheader: X-B"),
    "pages.body": ("by: cursor\nfrom: $.next\nbody: $.a", "by: cursor\nfrom: $.next\nbody: $.b"),
    "pages.size": (
      "by: page\nquery: page\nsize: 100\nsize_query: per_page", "by: page\nquery: page\nsize: 50\nsize_query: per_page"
    ),
    "pages.size_query": (
      "by: page\nquery: page\nsize: 100\nsize_query: per_page", "by: page\nquery: page\nsize: 100\nsize_query: limit"
    ),
    "schema-file.description": (
      "description: a\nschemas: { customer: { fields: { id: integer } } }",
      "description: b\nschemas: { customer: { fields: { id: integer } } }"
    ),
    "field.values": ("type: enum\nvalues: [a]", "type: enum\nvalues: [b]"),
    "element.values": ("type: enum\nvalues: [a]", "type: enum\nvalues: [b]"),
    "field.fields": ("type: object\nfields: { a: integer }", "type: object\nfields: { a: string }"),
    "element.fields": ("type: object\nfields: { a: integer }", "type: object\nfields: { a: string }"),
    "field.schema": ("type: object\nschema: point", "type: object\nfields: { a: string }"),
    "element.schema": ("type: object\nschema: point", "type: object\nfields: { a: string }"),
    "retry.max": ("max: 1", "max: 2"), "retry.on": ("on: [429]", "on: [503]"),
    "retry.backoff": ("backoff: exponential", "backoff: constant"), "retry.wait": ("wait: 1s", "wait: 2s"),
    "retry.max_wait": ("max_wait: 10s", "max_wait: 20s"), "retry.honour": ("honour: none", "honour: retry-after"),
    "retry.idempotent": ("idempotent: true", "idempotent: false"),
    "rate.concurrency": ("concurrency: 1", "concurrency: 2"), "rate.follow": ("follow: none", "follow: headers"),
    "errors.do": ("when: status == 404\ndo: skip", "when: status == 404\ndo: stop"),
  ]
}

/// What the results of all flows of a file belong to, one for each flow; nil where the file does not load or compile.
private func resultKeys(
  of text: String, schemas: String? = nil, secrets: [String: String] = [:], environment: [String: String] = [:]
) -> [String]? {
  let reader = SourceReader(
    workingFolder: "/home/me/project",
    names: { (folder) throws(SourceReadError) -> [String]? in
      schemas != nil && folder.hasSuffix("/schemas") ? ["shop.yaml"] : nil
    },
    bytes: { (_) throws(SourceReadError) -> [UInt8] in
      guard let schemas else { throw SourceReadError("not there") }
      return Array(schemas.utf8)
    })
  let loaded = FlowLoader(reader: reader).load([SourceFile(path: "flows/shop.yaml", text: text)])
  guard !loaded.diagnostics.hasErrors else { return nil }
  var inputs = FlowCompiler.Inputs()
  for name in loaded.files.flatMap(\.secrets) { inputs.secrets[name.value] = Secret(secrets[name.value] ?? "s") }
  inputs.environment = ["PORT": "8080"].merging(environment) { _, own in own }
  let compiled = FlowCompiler(environment: FlowEnvironment(), inputs: inputs).compile(loaded.flows)
  guard !compiled.diagnostics.hasErrors else { return nil }
  return compiled.flows.map { "\($0.id) \($0.flow.resourceKey) \($0.flow.schema.fingerprint)" }
}

/// A file with one flow of these keys.
private func shop(_ keys: String, vars: String = "region: eu") -> String {
  let lines = keys.split(separator: "\n").map { "    \($0)\n" }.joined()
  return "reactor: 1\nvars: { \(vars) }\nsecrets: [TOKEN]\nhttp: { base_url: https://api.example.com }\n"
    + "flows:\n  orders:\n" + lines
}

@Suite struct EditEffectTests {
  @Test(arguments: EditCase.all)
  func `every key says what an edit of it means for persisted results`(_ edit: EditCase) {
    #expect(edit.effect != nil, "give '\(edit.testDescription)' an answer in ConstructName+EditEffects.swift")
  }

  @Test(arguments: ConstructName.allCases)
  func `no answer is left of a key that is gone`(_ name: ConstructName) {
    for key in name.effects.keys where name.construct[key] == nil { Issue.record("\(name.rawValue).\(key)") }
  }

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
    "auth: { oauth2: { token_url: https://a.example/t, client_id: a, client_secret: \"{{ secrets.TOKEN }}\" } }",
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
    ("resource: \"/orders/{{ parent.id }}\"\neach: { file: a.jsonl, limit: 3 }", 9_742_646_910_407_462_708),
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
