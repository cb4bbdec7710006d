import FlowCompiler
import FlowModel
import FlowRuntime
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
      EditCase(construct: name, field: $0.name, effect: $0.effect)
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
    "oauth2.url": ("url: https://a.example/token", "url: https://b.example/token"),
    "oauth2.client_id": ("client_id: a", "client_id: b"),
    "jwt.algorithm": ("algorithm: HS256", "algorithm: HS384"),
    "assertion.algorithm": ("algorithm: HS256", "algorithm: HS384"),
    "jwt.key": ("key: \"{{ secrets.SHOP_TOKEN }}\"", "key: \"{{ secrets.PASSWORD }}\""),
    "assertion.key": ("key: \"{{ secrets.SHOP_TOKEN }}\"", "key: \"{{ secrets.PASSWORD }}\""),
    "jwt.encoding": ("encoding: text", "id: false"),
    "assertion.encoding": ("encoding: text", "id: false"),
    "sigv4.service": ("service: s3", "service: ssm"), "sigv4.region": ("region: us-east-1", "region: us-west-1"),
    "sigv4.key_id": ("key_id: a", "key_id: b"),
    "sigv4.key": ("key: \"{{ secrets.PASSWORD }}\"", "key: \"{{ secrets.SHOP_TOKEN }}\""),
    "digest.username": ("username: me", "username: you"), "oauth1.client_id": ("client_id: a", "client_id: b"),
    "oauth1.client_secret": (
      "client_secret: \"{{ secrets.PASSWORD }}\"", "client_secret: \"{{ secrets.SHOP_TOKEN }}\""
    ),
    "oauth1.token": ("token: a", "token: b"),
    "oauth1.token_secret": (
      "token: a\ntoken_secret: \"{{ secrets.PASSWORD }}\"", "token: a\ntoken_secret: \"{{ secrets.SHOP_TOKEN }}\""
    ),
    "http.client_certificate.file": ("file: a.pem", "file: b.pem"),
    "http.client_certificate.key": ("key: a.key", "key: b.key"),
    "http.client_certificate.password": (
      "password: \"{{ secrets.KEY_PASSWORD }}\"", "password: \"a{{ secrets.KEY_PASSWORD }}\""
    ),
    "resource.unescaped": ("query: { a: b, c: d }\nunescaped: [a]", "query: { a: b, c: d }\nunescaped: [a, c]"),
    "sign.headers": (
      "headers: { X-S: \"{{ sha256(request.path) }}\" }", "headers: { X-S: \"{{ sha256(request.url) }}\" }"
    ),
    "sign.query": ("query: { s: \"{{ sha256(request.path) }}\" }", "query: { s: \"{{ sha256(request.url) }}\" }"),
    "choose.by": (
      "by: vars.user\nelse: { bearer: \"{{ secrets.PASSWORD }}\" }",
      "by: vars.region\nelse: { bearer: \"{{ secrets.PASSWORD }}\" }"
    ),
    "login.token": ("token: $.token", "token: $.access"),
    "each.flow": ("flow: customers", "values: [1]\nas: parent"),
    "each.product.flow": ("flow: customers", "values: [1]\nas: parent"),
    "each.schema": ("file: out/customers.jsonl\nschema: customer", "file: out/customers.jsonl"),
    "each.product.schema": ("file: out/customers.jsonl\nschema: customer", "file: out/customers.jsonl"),
    "each.product": (
      "product: [{ flow: customers }, { values: [open], as: status }]",
      "product: [{ flow: customers }, { values: [closed], as: status }]"
    ),
    "each.union": ("union: [customers, { values: [1] }]\nkey: id", "union: [{ values: [1] }, customers]\nkey: id"),
    "each.product.union": (
      "union: [customers, { values: [1] }]\nkey: id", "union: [{ values: [1] }, customers]\nkey: id"
    ),
    "each.union.flow": ("flow: customers", "values: [1]"),
    "each.union.values": ("values: [1]", "values: [1, 2]"),
    "each.union.file": ("file: out/customers.jsonl", "file: out/others.jsonl"),
    "each.union.schema": ("file: out/customers.jsonl\nschema: customer", "file: out/customers.jsonl"),
    "each.batch.size": ("size: 10", "size: 20"),
    "each.batch.records": (
      "size: 10\nrecords: $.a\nfailed: has(result.error)", "size: 10\nrecords: $.b\nfailed: has(result.error)"
    ),
    "each.batch.failed": (
      "size: 10\nrecords: $.a\nfailed: has(result.error)", "size: 10\nrecords: $.a\nfailed: has(result.fault)"
    ),
    "each.store": ("store: shop\ntable: a", "store: archive\ntable: a"),
    "each.table": ("store: shop\ntable: a", "store: shop\ntable: b"),
    "each.query": ("store: shop\nquery: select 1", "store: shop\nquery: select 2"),
    "each.product.store": ("store: shop\ntable: a", "store: archive\ntable: a"),
    "each.product.table": ("store: shop\ntable: a", "store: shop\ntable: b"),
    "each.product.query": ("store: shop\nquery: select 1", "store: shop\nquery: select 2"),
    "rejected.store": ("store: shop\ntable: a", "store: archive\ntable: a"),
    "rejected.table": ("store: shop\ntable: a", "store: shop\ntable: b"),
    "persistence.history": ("store: shop\ntable: a\nhistory: true", "store: shop\ntable: a\nhistory: false"),
    "persistence.flatten": ("store: shop\ntable: a\nflatten: _", "store: shop\ntable: a"),
    "reshape.each": ("each: .a", "each: .b"),
    "pages.by": ("by: page\nquery: page", "by: offset\nquery: page"),
    "pages.from_last": ("by: cursor\nfrom_last: $.id\nquery: after", "by: cursor\nfrom_last: $.no\nquery: after"),
    "pages.query": ("by: page\nquery: page", "by: page\nquery: p"),
    "cursor.field": ("field: updated_at", "field: id"), "cursor.query.start": ("start: since", "start: updated_since"),
    "cursor.query.end": ("start: since\nend: until", "start: since\nend: to"),
    "cursor.token": ("token: $.a", "token: $.b"),
    "cursor.zone": ("format: date\nzone: Europe/Berlin", "format: date\nzone: Asia/Tokyo"),
    "cursor.cap.records": ("records: 9\nthen: restart", "records: 10\nthen: restart"),
    "cursor.cap.pages": ("pages: 9\nthen: restart", "pages: 10\nthen: restart"),
    "cursor.cap.then": ("records: 9\nthen: restart", "records: 9\nthen: halve"),
    "field_groups.fields": ("fields: [id, name]", "fields: [id, city]"),
    "field_groups.key": ("fields: [name]\nkey: id", "fields: [name]\nkey: city"),
    "field_groups.max": ("max: 20", "max: 30"), "field_groups.max_bytes": ("max_bytes: 90", "max_bytes: 95"),
    "field_groups.by": ("by: $.id", "by: $.name"), "field_groups.partial": ("partial: fail", "partial: keep"),
    "job.retry.max": ("max: 2", "max: 3"), "job.retry.wait": ("wait: 5m", "wait: 6m"),
    "job.values": ("values: { region: response.region }", "values: { region: response.area }"),
    "cursor.optional": ("field: updated_at", "field: updated_at\noptional: true"),
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
    "body.records.format": ("format: json", "format: jsonl"), "body.records.empty": ("empty: leave_out", "empty: keep"),
    "idempotency.header": ("header: X-A", "header: X-B"),
    "idempotency.key": ("key: \"a-{{ parent.id }}\"", "key: \"b-{{ parent.id }}\""),
    "change.rename": ("rename: { $.a: b }", "rename: { $.a: c }"), "change.add": ("add: { a: 1 }", "add: { a: 2 }"),
    "flatten.delimiter": ("delimiter: \".\"", "delimiter: \"-\""), "flatten.depth": ("depth: 1", "depth: 2"),
    "defaults.expect": ("expect: { freshness: 26h }", "expect: { freshness: 7d }"),
    "expect.min": ("min: 1", "min: 2"), "expect.max": ("max: 1", "max: 2"),
    "expect.total": ("total: $.a", "total: $.b"), "expect.max_rejected": ("max_rejected: 1", "max_rejected: 2"),
    "fixture.match": ("match: { repeat: true }", "match: { repeat: false }"),
    "fixture.max_age": ("max_age: 1d", "max_age: 2d"),
    "fixture.match.headers": ("headers: [X-A]", "headers: [X-B]"),
    "fixture.match.ignore_query": ("ignore_query: [a]", "ignore_query: [b]"),
    "fixture.match.body": ("body: true", "body: false"),
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
    "pages.size.max": ("max: 9", "max: 10"), "pages.size.min": ("max: 9\nmin: 2", "max: 9\nmin: 3"),
    "retry.max": ("max: 1", "max: 2"), "retry.on": ("on: [429]", "on: [503]"),
    "retry.backoff": ("backoff: exponential", "backoff: constant"), "retry.wait": ("wait: 1s", "wait: 2s"),
    "retry.max_wait": ("max_wait: 10s", "max_wait: 20s"), "retry.follow": ("follow: none", "follow: retry-after"),
    "retry.idempotency": ("idempotency: true", "idempotency: false"),
    "rate.concurrency": ("concurrency: 1", "concurrency: 2"), "rate.follow": ("follow: none", "follow: headers"),
    "rate.budgets.path": ("path: /a\nmax: 1/s", "path: /b\nmax: 1/s"),
    "rate.budgets.method": ("method: [GET]\nmax: 1/s", "method: [POST]\nmax: 1/s"),
    "rate.budgets.max": ("path: /a\nmax: 1/s", "path: /a\nmax: 2/s"),
    "rate.follow.remaining": ("remaining: X-A", "remaining: X-B"), "rate.follow.reset": ("reset: X-A", "reset: X-B"),
    "rate.follow.format": ("format: epoch_s", "format: seconds"),
    "errors.do": ("when: status == 404\ndo: skip", "when: status == 404\ndo: stop"),
  ]
}

/// What the results of all flows of a file belong to, one for each flow; nil where the file does not load or compile.
func resultKeys(
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
  inputs.present = { _ in .seconds(1_800_000_000) }
  let compiled = FlowCompiler(inputs: inputs).compile(loaded.flows)
  guard !compiled.diagnostics.hasErrors else { return nil }
  return compiled.plans.map { "\($0.id) \($0.key) \($0.records.schema.fingerprint)" }
}
