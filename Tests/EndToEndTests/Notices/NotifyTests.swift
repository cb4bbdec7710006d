import Foundation
import JSONSyntax
import Synchronization
import TestSupport
import Testing

/// `notify` through the program: who is told what, and what happens if a receiver cannot be told.
@Suite(.timeLimit(.minutes(2)))
struct NotifyTests {
  /// A shop whose flows fail as long as they are among the broken ones, and a chat that takes notices while it is up.
  private final class World: Sendable {
    let server: ScriptedServer
    let notices: @Sendable () -> [JSONValue]
    let posts: @Sendable () -> [ScriptedServer.Request]

    init() throws {
      let (broken, isUp) = (Box<Set<String>>([]), Box(true))
      let server = try ScriptedServer { request in
        func answer(_ status: String, _ body: String) -> [ScriptedServer.Step] {
          [.send(Array("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
        }
        if request.method == "POST" { return isUp.value ? answer("200 OK", "ok") : answer("503 Busy", "") }
        let name = String(request.target.dropFirst())
        return broken.value.contains(name) ? answer("500 Odd", "<!channel>") : answer("200 OK", #"[{"id":1}]"#)
      }
      self.server = server
      posts = { server.requests.filter { $0.method == "POST" } }
      notices = { server.requests.filter { $0.method == "POST" }.compactMap { try? JSONValue(parsing: $0.body) } }
      (breaking, upping) = (broken, isUp)
    }

    private let breaking: Box<Set<String>>
    private let upping: Box<Bool>

    func breaks(_ flows: Set<String>) { breaking.value = flows }
    func receives(_ isUp: Bool) { upping.value = isUp }
  }

  private final class Box<Value: Sendable>: Sendable {
    private let content: Mutex<Value>
    init(_ value: Value) { content = Mutex(value) }
    var value: Value {
      get { content.withLock { $0 } }
      set { content.withLock { $0 = newValue } }
    }
  }

  private static let secret = "hook-4711-tea"

  private func workspace(_ world: World, _ receivers: String, more: String = "") throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write(file(world, receivers, more: more), to: "flows/shop.yaml")
    return workspace
  }

  private func file(_ world: World, _ receivers: String, more: String = "") -> String {
    """
    reactor: 1
    secrets: [CHAT]
    http: { base_url: "\(world.server.url)" }
    defaults: { retry: { max: 1, wait: 1ms }, reachability: false }
    notify:
    \(receivers)
    flows:
      orders: { resource: /orders, persistence: out/orders.jsonl }
      items: { resource: /items, persistence: out/items.jsonl, tags: [critical] }
    \(more)

    """
  }

  private func webhook(_ world: World, _ keys: String = "") -> String {
    "  chat: { webhook: \"\(world.server.url)/{{ secrets.CHAT }}\"\(keys) }"
  }

  private func run(_ workspace: Workspace, _ arguments: String...) async throws -> Program.Outcome {
    try await workspace.start(["run", "--fresh"] + arguments, environment: ["CHAT": Self.secret]).end()
  }

  @Test func `a webhook is told a failure once, and the recovery once`() async throws {
    let world = try World()
    defer { world.server.stop() }
    let workspace = try workspace(world, webhook(world))
    world.breaks(["orders", "items"])
    for _ in 0..<2 { #expect(try await run(workspace).status == 5) }
    #expect(world.notices().map { $0["title"]?.string } == ["2 flows failed"])
    let notice = try #require(world.notices().first)
    #expect(notice["flows"]?.array?.map { $0["flow"]?.string } == ["shop.orders", "shop.items"])
    #expect(
      notice["flows"]?.array?.first?["error"]?.string == "the server answered with status 500: <!channel>")
    #expect(world.posts().first?.target == "/\(Self.secret)")
    #expect(world.posts().first?["content-type"] == "application/json")
    world.breaks(["items"])
    _ = try await run(workspace)
    world.breaks([])
    #expect(try await run(workspace).status == 0)
    _ = try await run(workspace)
    #expect(
      world.notices().map { $0["title"]?.string } == [
        "2 flows failed", "shop.orders recovered", "shop.items recovered",
      ])
  }

  @Test func `a receiver that is down changes no exit code, is named without its secret, and is told later`()
    async throws
  {
    let world = try World()
    defer { world.server.stop() }
    let workspace = try workspace(world, webhook(world))
    world.receives(false)
    world.breaks(["orders"])
    let failed = try await run(workspace)
    #expect(failed.status == 5)
    #expect(
      failed.stderr.contains(
        "warning: receiver 'chat' (webhook \(world.server.url)/{{ secrets.CHAT }}) could not be told: "
          + "the server answered 503"), "\(failed.stderr)")
    #expect(!failed.stderr.contains(Self.secret))
    world.receives(true)
    // Another flow alone, and the receiver learns what it has missed.
    #expect(try await run(workspace, "-s", "shop.items").status == 0)
    #expect(world.notices().last?["title"]?.string == "shop.orders failed")
    #expect(world.posts().count == 2)
    let texts = workspace.files(hidden: true).compactMap { workspace.text($0) }
    #expect(!texts.contains { $0.contains(Self.secret) })
  }

  @Test func `nobody is told by a dry run, a test, a run without a network, or with --no-notify`() async throws {
    let world = try World()
    defer { world.server.stop() }
    let workspace = try workspace(world, webhook(world))
    let environment = ["CHAT": Self.secret]
    #expect(try await workspace.reactor("record", environment: environment).status == 0)
    world.breaks(["orders"])
    for arguments in [
      ["run", "--dry-run"], ["run", "--fresh=never"], ["run", "--fresh", "--no-notify"], ["test"], ["check"],
      ["explain", "orders"],
    ] {
      _ = try await workspace.start(arguments, environment: environment).end()
    }
    let quiet = environment.merging(["REACTOR_NO_NOTIFY": "1"]) { $1 }
    #expect(try await workspace.start(["run", "--fresh"], environment: quiet).end().status == 5)
    #expect(world.posts().isEmpty)
    #expect(try await run(workspace).status == 5)
    #expect(world.posts().count == 1)
  }

  @Test func `body, headers, tags, events and a notice for each flow`() async throws {
    let world = try World()
    defer { world.server.stop() }
    let workspace = try workspace(
      world,
      """
        pager:
          webhook: \(world.server.url)/pager
          headers: { Authorization: "Token {{ secrets.CHAT }}" }
          per: flow
          events: [failed]
          body:
            key: "{{ notice.flow }}"
            count: "{{ length(notice.flows) }}"
            year: "{{ format(notice.time, '%Y') }}"
            where: "{{ notice.host }} {{ notice.run }}"
            detail: { summary: "{{ notice.title }}", severity: critical }
        critical: { webhook: \(world.server.url)/critical, tags: [critical] }
      """)
    world.breaks(["orders", "items"])
    _ = try await run(workspace)
    world.breaks([])
    _ = try await run(workspace)
    let pages = world.posts().filter { $0.target == "/pager" }
    #expect(pages.allSatisfy { $0["authorization"] == "Token \(Self.secret)" })
    let bodies = try pages.map { try JSONValue(parsing: $0.body) }
    #expect(bodies.map { $0["key"]?.string } == ["shop.orders", "shop.items"])
    #expect(bodies.first?["count"]?.int64 == 1)
    #expect(bodies.first?["detail"]?["summary"]?.string == "shop.orders failed")
    #expect(Int(bodies.first?["year"]?.string ?? "") ?? 0 >= 2026)
    #expect(
      try world.posts().filter { $0.target == "/critical" }
        .map { try JSONValue(parsing: $0.body)["title"]?.string } == ["shop.items failed", "shop.items recovered"])
  }

  @Test func `one receiver of several files is told once in a run`() async throws {
    let world = try World()
    defer { world.server.stop() }
    let workspace = try workspace(world, webhook(world))
    try workspace.write(
      file(world, webhook(world)).replacingOccurrences(of: "out/", with: "out/second-"), to: "flows/second.yaml")
    world.breaks(["orders"])
    _ = try await run(workspace)
    #expect(world.notices().map { $0["title"]?.string } == ["2 flows failed"])
  }

  @Test func `a result that is too old is told by a run of another flow, and the first success`() async throws {
    let world = try World()
    defer { world.server.stop() }
    let workspace = try workspace(
      world, webhook(world, ", events: [stale, first, recovered]"),
      more: "  old: { resource: /old, expect: { freshness: 1h } }")
    #expect(try await run(workspace, "-s", "shop.old").status == 0)
    // As if it had been two hours ago.
    let history = try #require(workspace.text(".reactor/history.jsonl"))
    let now = try #require(try JSONValue(parsing: Array(history.utf8))["started"]?.string)
    let before = Date(timeIntervalSinceNow: -7200).formatted(.iso8601)
    try workspace.write(history.replacingOccurrences(of: now, with: before), to: ".reactor/history.jsonl")
    #expect(try await run(workspace, "-s", "shop.items").status == 0)
    #expect(try await run(workspace, "-s", "shop.items").status == 0)
    #expect(try await run(workspace, "-s", "shop.old").status == 0)
    #expect(
      world.notices().map { $0["title"]?.string } == [
        "shop.old passed for the first time", "shop.old is stale, shop.items passed for the first time",
        "shop.old recovered",
      ])
  }

  @Test func `a command gets the notice, without a shell, and its failure is a warning`() async throws {
    let world = try World()
    defer { world.server.stop() }
    let workspace = try workspace(
      world,
      """
        page: { command: [/bin/sh, -c, "cat > told.json; printf %s \\"$1\\" > word", page, "{{ notice.title }}; $(id)"] }
        odd: { command: [/bin/sh, -c, "echo no pager >&2; exit 3"] }
        gone: { command: [no-such-program-4711] }
        slow: { command: [sleep, "60"], timeout: 200ms }
      """)
    world.breaks(["items"])
    let outcome = try await run(workspace)
    #expect(outcome.status == 5)
    let told = try JSONValue(parsing: [UInt8](try #require(workspace.bytes("told.json"))))
    #expect(told["event"]?.string == "failed" && told["flow"]?.string == "shop.items")
    #expect(workspace.text("word") == "shop.items failed; $(id)")
    for part in [
      "receiver 'odd'", "'/bin/sh' ended with exit code 3: no pager", "'no-such-program-4711' cannot be started",
      "'sleep' did not end in time, and was killed",
    ] {
      #expect(outcome.stderr.contains(part), "\(part): \(outcome.stderr)")
    }
  }

  @Test func `a secret without a value is a warning at once, and a source is read only when there is news`()
    async throws
  {
    let world = try World()
    defer { world.server.stop() }
    let workspace = try workspace(world, webhook(world))
    let unset = try await workspace.reactor("run")
    #expect(unset.status == 0)
    #expect(
      unset.stderr.contains("receiver 'chat' is not told anything: secret 'CHAT' has no value"), "\(unset.stderr)")
    try workspace.replace(
      "secrets: [CHAT]", with: "secrets: { CHAT: { command: [/bin/sh, -c, \"echo x >> read; echo hook-0815-cup\"] } }",
      in: "flows/shop.yaml")
    #expect(try await workspace.reactor("run", "--fresh").status == 0)
    #expect(workspace.text("read") == nil)
    world.breaks(["items", "orders"])
    #expect(try await workspace.reactor("run", "--fresh").status == 5)
    #expect(workspace.text("read") == "x\n")
    #expect(world.posts().first?.target == "/hook-0815-cup")
    // A source that fails does not fail the run.
    world.breaks([])
    try workspace.replace("echo hook-0815-cup", with: "exit 7", in: "flows/shop.yaml")
    let failing = try await workspace.reactor("run", "--fresh")
    #expect(failing.status == 0)
    #expect(failing.stderr.contains("could not be told: secret 'CHAT' has no value"), "\(failing.stderr)")
  }

  @Test func `state of a later version is neither used nor replaced`() async throws {
    let world = try World()
    defer { world.server.stop() }
    let workspace = try workspace(world, webhook(world))
    world.breaks(["items"])
    _ = try await run(workspace)
    let path = try #require(workspace.files(hidden: true).first { $0.hasPrefix(".reactor/notices/chat-") })
    let later = #"{"version":2,"flows":{}}"#
    try workspace.write(later, to: path)
    let outcome = try await run(workspace)
    #expect(outcome.status == 5 && workspace.text(path) == later && world.posts().count == 1)
    #expect(outcome.stderr.contains("was written by a later version of reactor"), "\(outcome.stderr)")
  }

  @Test func `two runs that end together tell it once`() async throws {
    let world = try World()
    defer { world.server.stop() }
    let workspace = try workspace(world, webhook(world))
    world.breaks(["items", "orders"])
    let runs = try ["shop.items", "shop.orders"].map {
      try workspace.start(["run", "--fresh", "-s", $0], environment: ["CHAT": Self.secret])
    }
    for run in runs { _ = await run.end() }
    _ = try await run(workspace)
    let flows = world.notices().flatMap { $0["flows"]?.array ?? [] }.compactMap { $0["flow"]?.string }
    #expect(flows.sorted() == ["shop.items", "shop.orders"])
  }

  @Test func `explain shows who is told`() async throws {
    let world = try World()
    defer { world.server.stop() }
    let workspace = try workspace(
      world, webhook(world) + "\n  critical: { command: [page], tags: [critical], events: [failed] }")
    let orders = try await workspace.reactor("explain", "orders", environment: ["CHAT": Self.secret])
    #expect(
      orders.stdout.contains(
        "chat: webhook \(world.server.url)/{{ secrets.CHAT }} (failed, missing, stale, recovered)"),
      "\(orders.stdout)")
    #expect(!orders.stdout.contains("critical: command"))
    #expect(try await workspace.reactor("explain", "items").stdout.contains("critical: command page (failed)"))
  }

  @Test func `a trial reaches each receiver, raises no alarm, and leaves nothing behind`() async throws {
    let world = try World()
    defer { world.server.stop() }
    let workspace = try workspace(world, webhook(world) + "\n  odd: { command: [\"false\"] }")
    let environment = ["CHAT": Self.secret]
    let trial = try await workspace.reactor("notify", environment: environment)
    #expect(trial.status == 5)
    #expect(trial.stdout == "ok     chat  webhook \(world.server.url)/{{ secrets.CHAT }}\n")
    #expect(trial.stderr.contains("receiver 'odd' (command false) could not be told: 'false' ended with exit code 1"))
    #expect(world.notices().map { $0["event"]?.string } == ["recovered"])
    #expect(world.notices().first?["title"]?.string == "trial of a receiver, nothing has happened")
    #expect(try await workspace.reactor("notify", "--receiver", "chat", environment: environment).status == 0)
    let unknown = try await workspace.reactor("notify", "--receiver", "chatt", environment: environment)
    #expect(unknown.status == 2 && unknown.stderr.contains("did you mean 'chat'?"), "\(unknown.stderr)")
    #expect(try await workspace.reactor("notify").status == 5)
    #expect(workspace.files(hidden: true) == ["flows/shop.yaml"])
    try workspace.write("reactor: 1\nschemas: { a: { fields: { id: integer } } }\n", to: "flows/shop.yaml")
    #expect(try await workspace.reactor("notify").status == 4)
  }
}
