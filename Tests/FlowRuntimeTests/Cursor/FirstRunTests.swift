import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import JSONSyntax
import ReactorCore
import SourceDiagnostics
import Synchronization
import Testing
import TestSupport

/// A server that gives everything in one way, and changes in another.
private final class Ledger: Sendable {
  struct Account { var id: Int, day: Int, name: String }

  let accounts = Mutex<[Account]>([])
  let asked = Mutex<[String]>([])

  init(_ accounts: [Account]) { self.accounts.withLock { $0 = accounts } }

  func put(_ id: Int, _ day: Int, _ name: String) {
    accounts.withLock { accounts in
      accounts.removeAll { $0.id == id }
      accounts.append(Account(id: id, day: day, name: name))
    }
  }

  func takeAsked() -> [String] {
    asked.withLock { asked in
      defer { asked = [] }
      return asked
    }
  }

  /// `/accounts` gives pages of two in `data`; `/events` gives the changes since a day, each in an envelope.
  func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
    let text = request.target.removingPercentEncoding ?? ""
    asked.withLock { $0.append(text) }
    let query = URLComponents(string: request.target)?.queryItems ?? []
    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
    let all = accounts.withLock { $0.sorted { $0.id < $1.id } }
    func json(_ account: Account) -> String {
      #"{"id":\#(account.id),"name":"\#(account.name)","t":"\#(CursorTests.time(account.day))"}"#
    }
    if text.hasPrefix("/accounts") {
      let page = value("page").flatMap { Int($0) } ?? 1
      let rows = all.dropFirst(2 * (page - 1)).prefix(2).map(json)
      let more = all.count > 2 * page
      let fields = value("fields").map { "fields=\($0)&" } ?? ""
      return FlowTesting.answer(
        "200 OK", #"{"data":[\#(rows.joined(separator: ","))],"more":\#(more)}"#,
        more ? ["Link: </accounts?\(fields)page=\(page + 1)>; rel=\"next\""] : [])
    }
    guard text.hasPrefix("/events") else { return FlowTesting.answer("404 Not Found", "{}") }
    let rows = all.filter { CursorTests.time($0.day) >= value("since") ?? "" }
    return ok("[" + rows.map { #"{"event":"changed","account":\#(json($0))}"# }.joined(separator: ",") + "]")
  }
}

/// `first_run`: another request while the cursor has no position.
@Suite struct FirstRunTests {
  private static func keys(
    cursor: String = "query: since", first: String = "pages: { by: page, query: page, more: $.more }",
    more: String = ""
  ) -> String {
    """
    resource: /events
    reshape: { each: .account }
    schema: { key: id, fields: { id: integer, name: string, t: timestamp } }
    persistence: { path: users.jsonl, mode: merge }
    cursor: { field: t, \(cursor) }
    first_run:
      resource: /accounts
      records: $.data
      \(first)
    \(more)
    """
  }

  private static func with(_ days: [Int], _ body: (Rig, Ledger) async throws -> Void) async throws {
    let ledger = Ledger(days.map { .init(id: $0, day: $0, name: "a\($0)") })
    try await Rig.with { rig in
      rig.answer { ledger.answer($0) }
      try await body(rig, ledger)
    }
  }

  private func names(_ rig: Rig) throws -> [String] {
    try #require(rig.scratch.text("users.jsonl")).split(separator: "\n").map {
      try #require(try JSONValue(parsing: Array($0.utf8))["name"]?.string)
    }
  }

  @Test func `the first run reads everything, and others read the changes`() async throws {
    try await Self.with([1, 2, 3]) { rig, ledger in
      let flow = try rig.flow(Self.keys(cursor: "query: since, start: 2023-11-02, slice: 5d, end: 2023-11-08"))
      #expect(await flow.persisted().bound?.hasPrefix("but in the first run GET \(rig.server.url)/accounts") == true)
      let first = await rig.run(flow)
      #expect(first.message == "" && first.kept == 3)
      #expect(ledger.takeAsked() == ["/accounts?page=1", "/accounts?page=2"])
      ledger.put(2, 4, "b2")
      let second = await rig.run(flow)
      #expect(second.message == "" && second.kept == 2)
      #expect(ledger.takeAsked() == ["/events?since=2023-11-03T00:00:00Z"])
      #expect(try names(rig) == ["a1", "b2", "a3"])
    }
  }

  @Test func `a position that is too old counts as none`() async throws {
    try await Self.with([1, 2, 3]) { rig, ledger in
      // The rig's clock begins on 14 November.
      let flow = try rig.flow(Self.keys(first: "pages: link\n  max_age: P30D"))
      #expect(await rig.run(flow).message == "")
      #expect(await rig.run(flow).message == "")
      #expect(ledger.takeAsked() == ["/accounts", "/accounts?page=2", "/events?since=2023-11-03T00:00:00Z"])
      rig.clock.advance(by: .seconds(86_400 * 19))
      ledger.put(2, 4, "b2")
      #expect(await flow.persisted().bound?.hasPrefix("but in the first run") == true)
      let run = await rig.run(flow)
      #expect(run.message == "" && run.kept == 3)
      #expect(ledger.takeAsked() == ["/accounts", "/accounts?page=2"])
      #expect(try names(rig) == ["a1", "b2", "a3"])
      #expect(await rig.run(flow).message == "")
      #expect(ledger.takeAsked() == ["/events?since=2023-11-04T00:00:00Z"])
    }
  }

  @Test(arguments: [
    (
      "mode: append", "t: timestamp",
      "'max_age' requests all records again, and 'mode: append' would store them twice"
    ),
    ("mode: merge", "t: integer", "'max_age' needs a cursor of times, and the field has type integer"),
  ])
  func `the age of a position needs a cursor of times and a merged result`(
    _ mode: String, _ field: String, _ message: String
  ) async throws {
    try await Rig.with { rig in
      let keys = Self.keys(first: "max_age: P30D").replacing("mode: merge", with: mode).replacing(
        "t: timestamp", with: field)
      #expect(rig.compile(rig.text(keys)).diagnostics.diagnostics.map(\.message).contains(message))
    }
  }

  @Test func `it can use the range, and a full refresh is a first run`() async throws {
    try await Self.with([1, 2]) { rig, ledger in
      func flow(_ inputs: FlowCompiler.Inputs = FlowCompiler.Inputs()) throws -> DeclaredFlow {
        try rig.flow(
          Self.keys(cursor: "query: since, start: 2023-11-01")
            .replacing(
              "resource: /accounts", with: "resource: { path: /accounts, query: { from: \"{{ cursor.start }}\" } }"
            )
            .replacing("pages: { by: page, query: page, more: $.more }", with: ""), inputs: inputs)
      }
      let first = try flow()
      #expect(await rig.run(first).message == "")
      #expect(await rig.run(first).message == "")
      #expect(ledger.takeAsked() == ["/accounts?from=2023-11-01T00:00:00Z", "/events?since=2023-11-02T00:00:00Z"])
      _ = ledger.accounts.withLock { $0.removeFirst() }
      var refresh = FlowCompiler.Inputs()
      refresh.isFullRefresh = true
      #expect(await rig.run(try flow(refresh)).message == "")
      #expect(ledger.takeAsked() == ["/accounts?from=2023-11-01T00:00:00Z"])
      #expect(try names(rig) == ["a2"])
    }
  }

  /// A parent without a key is known by the flow's own request.
  @Test(arguments: ["key: id, ", ""]) func `each parent has its own first run`(_ key: String) async throws {
    try await Self.with([1, 2, 3]) { rig, ledger in
      func flow(_ shops: String...) throws -> DeclaredFlow {
        try rig.scratch.write(shops.map { "{\"id\":\"\($0)\"}\n" }.joined().utf8, to: "shops.jsonl")
        return try rig.flow(
          Self.keys().replacing("resource: /accounts", with: "resource: \"/accounts/{{ shop.id }}\"")
            .replacing("resource: /events", with: "resource: \"/events/{{ shop.id }}\"")
            .replacing(
              "fields: { id: integer,", with: "fields: { id: integer, shop: { value: \"{{ string(shop.id) }}\" },"
            )
            .replacing("key: id", with: "key: [id, shop]")
            + "\neach: { file: shops.jsonl, as: shop, \(key)concurrency: 1 }")
      }
      let first = try flow("a")
      #expect(await rig.run(first).message == "")
      #expect(ledger.takeAsked() == ["/accounts/a?page=1", "/accounts/a?page=2"])
      #expect(await rig.run(try flow("a", "b")).message == "")
      #expect(
        ledger.takeAsked() == ["/events/a?since=2023-11-03T00:00:00Z", "/accounts/b?page=1", "/accounts/b?page=2"])
      #expect(try names(rig) == ["a1", "a2", "a3", "a1", "a2", "a3"])
    }
  }

  @Test func `a secret in its path is hidden`() async throws {
    try await Rig.with { rig in
      rig.answer(answer("302 Found", "", ["Location: https://other.example.com/x"]))
      for each in ["", "\neach: { values: [1], as: shop, on_error: fail }"] {
        let text = rig.text(
          Self.keys().replacing("resource: /accounts", with: "resource: \"/accounts/{{ secrets.TOKEN }}\"") + each,
          top: "secrets: [TOKEN]")
        let flow = try #require(
          rig.compile(text, inputs: .init(secrets: ["TOKEN": Secret("hidden-word")])).flows.first)
        let run = await rig.run(flow)
        #expect(rig.server.requests.last?.target.hasPrefix("/accounts/hidden-word") == true)
        #expect(run.error != nil && !"\(run.error as Any)".contains("hidden-word"))
        #expect(!run.events.contains { "\($0)".contains("hidden-word") })
      }
    }
  }

  @Test func `a start that is given for one run says that changes are wanted`() async throws {
    try await Self.with([1]) { rig, ledger in
      var inputs = FlowCompiler.Inputs()
      inputs.since = "2023-11-01"
      let flow = try rig.flow(Self.keys(), inputs: inputs)
      #expect(await rig.run(flow).message == "")
      #expect(ledger.takeAsked() == ["/events?since=2023-11-01T00:00:00Z"])
    }
  }

  @Test func `a first run that fails or finds nothing is followed by another one`() async throws {
    try await Self.with([]) { rig, ledger in
      let flow = try rig.flow(Self.keys(more: "expect: { max: 2 }"))
      #expect(await rig.run(flow).message == "")
      for id in 1...3 { ledger.put(id, id, "a\(id)") }
      #expect(await rig.run(flow).message == "expected at most 2 records, found 3")
      _ = ledger.accounts.withLock { $0.removeLast() }
      #expect(await rig.run(flow).message == "")
      #expect(await rig.run(flow).message == "")
      #expect(
        ledger.takeAsked() == [
          "/accounts?page=1", "/accounts?page=1", "/accounts?page=2", "/accounts?page=1",
          "/events?since=2023-11-02T00:00:00Z",
        ])
    }
  }

  @Test func `errors are those of its own keys`() async throws {
    try await Rig.with { rig in
      rig.answer(ok("{}"))
      let flow = try rig.flow(Self.keys())
      let error = try #require(await rig.run(flow).error)
      #expect(error.key == "records" && error.location?.line == flow.line + 8)
      rig.answer(answer("500 Oh No", "{}"))
      let failed = await rig.run(flow)
      #expect(failed.error?.status == 500)
    }
  }

  @Test func `a record that the first run rejects is not lost`() async throws {
    try await Self.with([1, 2]) { rig, ledger in
      ledger.put(1, 99, "a1")
      func flow(_ inputs: FlowCompiler.Inputs = FlowCompiler.Inputs()) throws -> DeclaredFlow {
        try rig.flow(Self.keys(more: "rejected: bad.jsonl"), inputs: inputs)
      }
      let first = try flow()
      #expect(await rig.run(first).outcome?.report.rejected == 1)
      #expect(try names(rig) == ["a2"])
      ledger.put(1, 1, "a1")
      _ = ledger.takeAsked()
      // The flow's own request finds it.
      #expect(await rig.run(try flow(SendingTests.retrying())).message == "")
      #expect(ledger.takeAsked().allSatisfy { $0.hasPrefix("/events") })
      #expect(Set(try names(rig)) == ["a1", "a2"])
      #expect(rig.scratch.text("bad.jsonl") == "")
    }
  }

  @Test(arguments: [
    (
      "cursor: { field: t, query: since }", "", "'first_run' needs a cursor, whose position says which run is the first"
    ),
    (
      "  records: $.data", "  records: $.data\n  pages: { by: page }",
      "the location of the page in the request is missing"
    ),
    ("  resource: /accounts\n", "", "'resource' is missing in 'first_run'"),
    ("resource: /accounts", "resource: \"/accounts/{{ page.number }}\"", "'page' is not known here"),
    ("cursor: { field: t,", "prune: perhaps\ncursor: { field: t,", "'perhaps' is not a boolean"),
    ("first_run:", "first_run:\n  errors: [{ when: status == 404, do: skip }]", "unknown key 'errors' in 'first_run'"),
  ])
  func `what cannot work is one error`(_ text: String, _ other: String, _ message: String) async throws {
    try await Rig.with { rig in
      let keys = Self.keys(first: "")
      #expect(keys.contains(text))
      #expect(
        rig.compile(rig.text(keys.replacing(text, with: other))).diagnostics.diagnostics.map(\.message) == [message])
    }
  }

  @Test func `the fields of a parent are checked in it, and each mistake is told once`() async throws {
    try await Rig.with { rig in
      let text =
        rig.text(
          Self.keys(first: "").replacing("resource: /accounts", with: "resource: \"/accounts/{{ shop.nam }}\"")
            .replacing("resource: /events", with: "resource: \"/events/{{ shop.nme }}\"") + "\neach: shops as shop"
        ).replacing("each: shops as shop", with: "each: { flow: shops, as: shop }")
        + "  shops: { resource: /shops, schema: { key: name, fields: { name: string } } }\n"
      #expect(
        rig.compile(text).diagnostics.diagnostics.map(\.message) == [
          "'shop' has no member 'nme'", "'shop' has no member 'nam'",
        ])
    }
  }

  /// The pages of links are requested ahead, but not where each is requested in groups.
  @Test func `parents can have groups of fields in their first run`() async throws {
    try await Self.with(Array(1...7)) { rig, ledger in
      let flow = try rig.flow(
        Self.keys(
          first: """
            pages: link
              field_groups: { fields: [name, t], key: id, max: 2, by: $.id }
            """,
          more: "each: { values: [a], as: shop, concurrency: 1 }"
        ).replacing(
          "resource: /accounts",
          with: "resource: { path: /accounts, query: { fields: \"{{ join(field_group, ',') }}\" } }"))
      let run = await rig.run(flow)
      #expect(run.message == "" && run.kept == 7)
      let first = ["/accounts?fields=id,name", "/accounts?fields=id,t"]
      let others = (2...4).flatMap { ["/accounts?fields=id,name&page=\($0)", "/accounts?page=\($0)&fields=id,t"] }
      #expect(ledger.takeAsked() == first + others)
    }
  }

  @Test func `it can request fields in groups that other runs need not`() async throws {
    try await Self.with([1, 2]) { rig, ledger in
      let groups = """
        field_groups: { fields: [name, t], key: id, max: 2, by: $.id }
        """
      let flow = try rig.flow(
        Self.keys(first: groups).replacing(
          "resource: /accounts",
          with: "resource: { path: /accounts, query: { fields: \"{{ join(field_group, ',') }}\" } }"))
      #expect(await rig.run(flow).message == "")
      #expect(await rig.run(flow).message == "")
      #expect(
        ledger.takeAsked() == [
          "/accounts?fields=id,name", "/accounts?fields=id,t", "/events?since=2023-11-02T00:00:00Z",
        ])
      #expect(try names(rig) == ["a1", "a2"])
    }
  }

  @Test func `a change of it asks anew`() async throws {
    try await Self.with([1]) { rig, ledger in
      let first = try rig.flow(Self.keys())
      let other = try rig.flow(Self.keys().replacing("/accounts", with: "/accounts/all"))
      #expect(first.version != other.version)
      #expect(try rig.flow(Self.keys()).version == first.version)
    }
  }
}
