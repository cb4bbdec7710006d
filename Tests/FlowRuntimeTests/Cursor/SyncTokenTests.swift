import FlowCompiler
import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import Synchronization
import Testing
import TestSupport

/// A server of changes: each pull ends with a token that gives what is new since then.
private final class Changes: Sendable {
  struct State {
    /// The tokens in their order, which is not that of their texts.
    var tokens = ["m7", "c1", "x9", "a3"]
    /// The ids that were changed before each token, by its index.
    var changed: [[Int]] = [[1, 2]]
    var gone: Set<String> = []
    var deleted: Set<Int> = []
    var asked: [String] = []
    var hasToken = true
  }

  let state = Mutex(State())

  func change(_ ids: Int...) { state.withLock { $0.changed.append(ids) } }

  func takeAsked() -> [String] {
    state.withLock { state in
      defer { state.asked = [] }
      return state.asked
    }
  }

  func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
    let parts = URLComponents(string: request.target)
    let query = parts?.queryItems ?? []
    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
    return state.withLock { state in
      state.asked.append(request.target)
      let token = value("token")
      var ids: [Int]
      if let token, token != "first" {
        guard !state.gone.contains(token), let index = state.tokens.firstIndex(of: token) else {
          return FlowTesting.answer("410 Gone", #"{"error":"resync required"}"#)
        }
        ids = state.changed.dropFirst(index + 1).flatMap { $0 }
      } else {
        ids = Set(state.changed.flatMap { $0 }).subtracting(state.deleted).sorted()
      }
      let version = state.changed.count
      let page = value("page").flatMap { Int($0) } ?? 1
      let isLast = ids.count <= page
      ids = Array(ids.dropFirst(page - 1).prefix(1))
      var members = ["\"value\":[" + ids.map { #"{"id":\#($0),"v":\#(version)}"# }.joined(separator: ",") + "]"]
      let path = parts?.path ?? ""
      if !isLast {
        let sent = token.map { "token=\($0)&" } ?? ""
        members.append(#""next":"\#(path)?\#(sent)page=\#(page + 1)""#)
      } else if state.hasToken {
        let token = state.tokens[version - 1]
        members.append(#""token":"\#(token)","delta":"\#(path)?token=\#(token)""#)
      }
      return ok("{\(members.joined(separator: ","))}")
    }
  }
}

/// `cursor.token`: a token of the server, instead of a field whose values grow.
@Suite struct SyncTokenTests {
  private static func keys(
    _ cursor: String = "token: $.token, query: token", persistence: String = "{ path: out.jsonl, mode: merge }",
    more: String = ""
  ) -> String {
    """
    resource: /changes
    records: $.value
    pages: { by: next_url, from: $.next, missing: end }
    schema: { key: id, fields: { id: integer, v: integer } }
    persistence: \(persistence)
    cursor: { \(cursor) }
    \(more)
    """
  }

  private static func with(_ body: (Rig, Changes) async throws -> Void) async throws {
    let changes = Changes()
    try await Rig.with { rig in
      rig.answer { changes.answer($0) }
      try await body(rig, changes)
    }
  }

  private static func rows(_ rig: Rig) -> [String] {
    (rig.scratch.text("out.jsonl") ?? "").split(separator: "\n").map(String.init)
  }

  @Test(arguments: ["token: $.token, query: token", "token: $.delta"])
  func `each run asks for what is new since the token of the one before`(_ cursor: String) async throws {
    try await Self.with { rig, changes in
      let flow = try rig.flow(Self.keys(cursor))
      #expect(await rig.run(flow).message == "")
      #expect(changes.takeAsked() == ["/changes", "/changes?page=2"])
      changes.change(2)
      #expect(await rig.run(flow).message == "")
      #expect(changes.takeAsked() == ["/changes?token=m7"])
      // "c1" comes before "m7" as a text.
      changes.change(3)
      #expect(await rig.run(flow).message == "")
      #expect(changes.takeAsked() == ["/changes?token=c1"])
      #expect(await rig.run(flow).message == "")
      #expect(changes.takeAsked() == ["/changes?token=x9"])
      #expect(Self.rows(rig) == [#"{"id":1,"v":1}"#, #"{"id":2,"v":2}"#, #"{"id":3,"v":3}"#])
    }
  }

  @Test(arguments: [nil] + TestStore.available.map { Optional($0) })
  func `where the server no longer knows the token the result is made anew`(_ store: TestStore?) async throws {
    func check(_ rig: Rig, _ changes: Changes, _ flow: DeclaredFlow, _ rows: () async throws -> [String]) async throws {
      #expect(await rig.run(flow).message == "")
      changes.change(3)
      changes.state.withLock { state in
        state.gone = ["m7"]
        state.deleted = [1]
      }
      _ = changes.takeAsked()
      let run = await rig.run(flow)
      #expect(run.message == "" && run.events.contains(.missed(.positionUnknown)))
      #expect(changes.takeAsked() == ["/changes?token=m7", "/changes", "/changes?page=2"])
      // What was deleted meanwhile is not in the result.
      #expect(try await rows() == ["2", "3"])
      #expect(await rig.run(flow).message == "")
      #expect(changes.takeAsked() == ["/changes?token=c1"])
    }
    guard let store else {
      return try await Self.with { rig, changes in
        try await check(rig, changes, try rig.flow(Self.keys())) {
          Self.rows(rig).compactMap { $0.firstMatch(of: /"id":(\d)/).map { String($0.output.1) } }
        }
      }
    }
    try await TableRig.with(store) { tables in
      let changes = Changes()
      tables.rig.answer { changes.answer($0) }
      let keys = Self.keys().split(separator: "\n").filter { !$0.hasPrefix("persistence") }.joined(separator: "\n")
      try await check(tables.rig, changes, try tables.flow(keys, persistence: "mode: merge")) {
        try await tables.lines("SELECT id FROM users ORDER BY id")
      }
    }
  }

  @Test func `a result that keeps what it has is not made anew`() async throws {
    try await Self.with { rig, changes in
      let flow = try rig.flow(Self.keys(persistence: "{ path: out.jsonl, mode: append }"))
      #expect(await rig.run(flow).message == "")
      changes.change(3)
      #expect(await rig.run(flow).message == "")
      let rows = Self.rows(rig)
      #expect(rows.count == 3)
      changes.state.withLock { $0.gone = ["c1"] }
      let run = await rig.run(flow)
      #expect(run.error?.status == 410 && run.error?.help?.contains("--fresh=everything") ?? false)
      #expect(Self.rows(rig) == rows)
    }
  }

  @Test func `a pull without a token fails and stores nothing`() async throws {
    try await Self.with { rig, changes in
      changes.state.withLock { $0.hasToken = false }
      let run = await rig.run(try rig.flow(Self.keys()))
      #expect(run.message.contains("no page has a token at $.token"))
      #expect(Self.rows(rig).isEmpty)
      changes.state.withLock { $0.hasToken = true }
      let misspelt = await rig.run(try rig.flow(Self.keys("token: $.tokn, query: token")))
      #expect(misspelt.error?.help == "did you mean '$.token'?")
    }
  }

  @Test func `a token can be sent by a template, and is remembered whatever its length`() async throws {
    try await Self.with { rig, changes in
      let long = String(repeating: "t", count: 9000)
      changes.state.withLock { $0.tokens = [long, "b", "c"] }
      let flow = try rig.flow(
        Self.keys("token: $.token").replacing(
          "resource: /changes",
          with: "resource: { path: /changes, query: { token: \"{{ coalesce(cursor.position, 'first') }}\" } }"))
      #expect(await rig.run(flow).message == "")
      _ = changes.takeAsked()
      changes.change(3)
      #expect(await rig.run(flow).message == "")
      #expect(changes.takeAsked() == ["/changes?token=\(long)"])
      #expect(await flow.cursor?.memory()?.value == "b")
    }
  }

  @Test func `each parent has its own token, and is asked for anew where the server has forgotten it`() async throws {
    try await Self.with { rig, changes in
      let flow = try rig.flow(
        Self.keys(more: "each: { values: [north, south], as: region }").replacing(
          "resource: /changes", with: "resource: \"/{{ region }}\""
        ).replacing("key: id, fields: {", with: "key: [r, id], fields: { r: { value: \"{{ region }}\", type: string },")
      )
      #expect(await rig.run(flow).message == "")
      _ = changes.takeAsked()
      changes.change(3)
      #expect(await rig.run(flow).message == "")
      #expect(Set(changes.takeAsked()) == ["/north?token=m7", "/south?token=m7"])
      changes.change(4)
      changes.state.withLock { $0.gone = ["c1"] }
      #expect(await rig.run(flow).message == "")
      let asked = changes.takeAsked()
      #expect(asked.contains("/north?token=c1") && asked.contains("/north") && asked.contains("/south?page=4"))
      #expect(await flow.cursor?.memory()?.parents.map(\.value) == ["x9", "x9"])
    }
  }
}
