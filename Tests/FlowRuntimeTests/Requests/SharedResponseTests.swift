import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import ReactorCore
import Storage
import Synchronization
import Testing
import TestSupport

/// Responses that equal requests of a run share.
@Suite struct SharedResponseTests {
  private static let orders = (1...12).map { #"{"id":\#($0),"customer":\#($0 % 3)}"# }.joined(separator: "\n") + "\n"

  /// A flow with a request for the customer of each order.
  private static func flow(_ name: String = "named", _ keys: String = "") -> String {
    """
    \(name):
      each: { file: orders.jsonl, as: order, concurrency: 4 }
      resource: "/customers/{{ order.customer }}"
      schema: { fields: { order: { value: "{{ order.id }}" }, name: string } }
      persistence: { path: \(name).jsonl }
      \(keys)
    """
  }

  /// Runs flows that share responses, and gives what came of them.
  private func run(
    _ flows: String..., cache: String = "run", files: [String: String] = ["orders.jsonl": orders],
    answer: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step] = { request in
      ok(#"{"name":"of \#(request.target)"}"#)
    },
    _ check: (Rig, [FlowRun]) async throws -> Void
  ) async throws {
    try await Rig.with { rig in
      for (name, text) in files { try rig.scratch.write(text.utf8, to: name) }
      rig.answer(answer)
      let flows = try rig.flows(flows.joined(separator: "\n"), http: "cache: \(cache)")
      try await check(rig, await rig.run(flows))
    }
  }

  @Test(arguments: ["run", "none"])
  func `equal requests of partitions are sent once, and each partition has its own records`(
    _ cache: String
  ) async throws {
    try await run(Self.flow(), cache: cache) { rig, runs in
      #expect(runs.map(\.message) == [""])
      #expect(rig.server.requests.count == (cache == "run" ? 3 : 12))
      let lines = (1...12).map { #"{"order":\#($0),"name":"of /customers/\#($0 % 3)"}"# }
      #expect(rig.scratch.text("named.jsonl") == lines.joined(separator: "\n") + "\n")
    }
  }

  @Test func `equal requests at the same time wait for one response`() async throws {
    try await run(
      Self.flow(),
      files: ["orders.jsonl": (1...4).map { #"{"id":\#($0),"customer":1}"# }.joined(separator: "\n")],
      answer: { _ in [.pause(milliseconds: 200)] + ok(#"{"name":"Ada"}"#) }
    ) { rig, runs in
      #expect(runs.map(\.message) == [""] && rig.server.requests.count == 1)
    }
  }

  @Test func `flows with the same server share responses, others do not`() async throws {
    let rule = "errors: [{ when: status == 418, do: skip }]"
    let other = "http: { headers: { X-Key: other } }"
    try await run(
      Self.flow("a"), Self.flow("b"), Self.flow("c", other), Self.flow("d", rule), Self.flow("e", rule)
    ) { rig, runs in
      #expect(runs.map(\.message) == ["", "", "", "", ""])
      // One for the two that are equal, one for each of the three others.
      #expect(rig.server.requests.count == 4 * 3)
    }
  }

  @Test func `requests that write are always sent`() async throws {
    let text = Self.flow().replacing(
      #"resource: "/customers/{{ order.customer }}""#,
      with: #"resource: { method: POST, path: "/customers/{{ order.customer }}" }"#)
    try await run(text) { rig, runs in
      #expect(runs.map(\.message) == [""] && rig.server.requests.count == 12)
    }
  }

  @Test func `a response that says that there is none is shared, one that says nothing is not`() async throws {
    for (status, count) in [("404 Not Found", 3), ("410 Gone", 3), ("403 Forbidden", 12)] {
      try await run(Self.flow(), answer: { _ in answer(status, "{}") }) { rig, runs in
        #expect(runs[0].message.contains("all 12 partitions failed"), "\(runs[0].message)")
        // Those that waited for a response that is not shared send their own.
        #expect(rig.server.requests.count == count, "\(status)")
      }
    }
  }

  @Test func `what a rule skips is shared`() async throws {
    try await run(
      Self.flow("named", "errors: [{ when: status == 403, do: skip }]"), answer: { _ in answer("403 Forbidden", "{}") }
    ) { rig, runs in
      #expect(runs.map(\.message) == [""] && runs[0].kept == 0 && rig.server.requests.count == 3)
    }
  }

  @Test func `a response that does not fit is read by each of its requests`() async throws {
    let name = String(repeating: "a", count: 5 << 20)
    try await run(
      Self.flow(),
      files: ["orders.jsonl": (1...3).map { #"{"id":\#($0),"customer":1}"# }.joined(separator: "\n")],
      answer: { _ in ok(#"{"name":"\#(name)"}"#) }
    ) { rig, runs in
      #expect(runs.map(\.message) == [""] && runs[0].kept == 3 && rig.server.requests.count == 3)
    }
  }

  @Test func `pages of equal lists are shared`() async throws {
    let text = """
      first: &list
        resource: /items
        records: $.items
        pages: { by: cursor, from: $.next, query: after }
      second: *list
      """
    try await run(
      text,
      answer: { request in
        request.target.contains("after=2")
          ? ok(#"{"items":[{"id":2}]}"#) : ok(#"{"items":[{"id":1}],"next":2}"#)
      }
    ) { rig, runs in
      #expect(runs.map(\.message) == ["", ""] && runs.map(\.kept) == [2, 2] && rig.server.requests.count == 2)
    }
  }
}
