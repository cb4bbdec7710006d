import FlowRuntime
import FlowTesting
import Foundation
import JSONSyntax
import ReactorCore
import Testing
import TestSupport

/// The key by which a server knows a request that it has had before.
@Suite struct IdempotencyTests {
  private typealias Sending = SendingTests

  private static func keys(_ rig: Rig, _ header: String = "idempotency-key") -> [String] {
    rig.server.requests.filter { $0.method == "POST" }.compactMap { $0[header] }
  }

  @Test func `an item has the same key in every run, and no other item has it`() async throws {
    try await Rig.with { rig in
      try rig.scratch.write(Sending.people.utf8, to: "people.jsonl")
      rig.answer(Sending.server())
      let flow = try rig.flow(
        Sending.keys(each: "concurrency: 1", request: "idempotency: Idempotency-Key"), top: Sending.top)
      for _ in 0..<2 { #expect(await rig.run(flow, .fresh).kept == 3) }
      let keys = Self.keys(rig)
      #expect(keys.count == 6 && Array(keys.prefix(3)) == Array(keys.suffix(3)) && Set(keys).count == 3)
      #expect(keys.allSatisfy { $0.count == 32 })
    }
  }

  @Test func `another body has another key`() async throws {
    try await Rig.with { rig in
      try rig.scratch.write(Sending.people.utf8, to: "people.jsonl")
      rig.answer(Sending.server())
      for nulls in [false, true] {
        let flow = try rig.flow(
          Sending.keys(
            each: "max: 1", request: "idempotency: Idempotency-Key",
            body: "{ schema: person, empty: \(nulls ? "keep" : "leave_out") }"),
          top: Sending.top)
        _ = await rig.run(flow, .fresh)
      }
      #expect(Set(Self.keys(rig)).count == 2)
    }
  }

  @Test func `a key of one's own, in a header of one's own`() async throws {
    try await Rig.with { rig in
      try rig.scratch.write(Sending.people.utf8, to: "people.jsonl")
      rig.answer(Sending.server())
      let request = "idempotency: { header: X-Request-Id, key: \"p-{{ person.id }}\" }"
      #expect(
        await rig.run(try rig.flow(Sending.keys(each: "concurrency: 1", request: request), top: Sending.top)).kept == 3)
      #expect(Self.keys(rig, "x-request-id") == ["p-1", "p-2", "p-3"])
    }
  }

  @Test(arguments: [("", 1), ("idempotency: Idempotency-Key", 3)])
  func `with a key a POST is tried again, without one it is not`(_ request: String, _ tries: Int) async throws {
    try await Rig.with { rig in
      try rig.scratch.write(Sending.people.utf8, to: "people.jsonl")
      rig.answer(answer("503 Service Unavailable", "{}"))
      let run = await rig.run(try rig.flow(Sending.keys(each: "max: 1", request: request), top: Sending.top))
      #expect(run.error != nil)
      #expect(Sending.bodies(rig).count == tries)
      #expect(Set(Self.keys(rig)).count == (tries == 1 ? 0 : 1))
    }
  }

  @Test func `a request without parents has a key too`() async throws {
    try await Rig.with(ok("{\"id\":1}")) { rig in
      let keys = "resource: { method: POST, path: /a, body: { json: { a: 1 } }, idempotency: Idempotency-Key }"
      let flow = try rig.flow(keys + "\nschema: { fields: { id: integer } }")
      for _ in 0..<2 { _ = await rig.run(flow, .fresh) }
      #expect(Self.keys(rig).count == 2 && Set(Self.keys(rig)).count == 1)
      #expect(flow.explanation.items.contains { $0.text == "Idempotency-Key: computed from flow, item and request" })
    }
  }
}
