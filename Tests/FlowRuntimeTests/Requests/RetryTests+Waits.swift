import FlowCompiler
import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import SourceDiagnostics
import Synchronization
import Testing
import TestSupport

/// Waits that the server sets in fields of its own, or in the body.
extension RetryTests {
  /// The clock stands at 1700000000.
  private static let fields: [(String, String, [Duration])] = [
    ("{ header: X-Wait }", "X-Wait: 7", [.seconds(7)]),
    ("{ header: x-wait }", "X-Wait: 1700000009", [.seconds(9)]),
    ("{ header: X-Wait }", "X-Wait: Tue, 14 Nov 2023 22:13:31 GMT", [.seconds(11)]),
    ("{ header: X-Wait, format: epoch_s }", "X-Wait: 1700000012.5", [.milliseconds(12_500)]),
    ("{ header: X-Wait, format: epoch_ms }", "X-Wait: 1700000003000", [.seconds(3)]),
    ("{ header: X-Wait, format: milliseconds }", "X-Wait: 2500", [.milliseconds(2500)]),
    ("{ header: X-Wait, format: seconds }", "X-Wait: 1700000000", [.seconds(60)]),
    ("{ header: X-Wait }", "Retry-After: 4", [.seconds(4)]),
    ("{ header: X-Wait, format: seconds }", "X-Wait: soon", [.seconds(1)]),
    ("{ header: X-Wait, format: epoch_s }", "X-Wait: 12", [.seconds(1)]),
    ("none", "Retry-After: 4", [.seconds(1)]),
  ]

  @Test(arguments: fields)
  func `a field of the response sets the wait`(_ follow: String, _ field: String, _ waits: [Duration]) async throws {
    try await Rig.with { rig in
      let count = Counter()
      rig.answer { _ in count.next() == 1 ? answer("503 Busy", "{}", [field]) : ok("[]") }
      let flow = try rig.flow("retry: { max: 1, backoff: constant, wait: 1s, follow: \(follow) }")
      #expect(await rig.run(flow).message == "")
      #expect(rig.waits.all == waits)
    }
  }

  @Test(arguments: [
    ("int(headers['x-wait'])", [Duration.seconds(7)]), ("response.wait", [.milliseconds(1500)]),
    ("duration('PT3S')", [.seconds(3)]), ("now() + duration('5s')", [.seconds(5)]),
    ("int(extract(response.text, 'in ([0-9]+) s'))", [.seconds(9)]), ("response.none", [.seconds(1)]),
    ("int(response.text)", [.seconds(1)]), ("-5", [.seconds(1)]), ("90", [.seconds(60)]),
    ("response.none == null ? 2 : 3", [.seconds(2)]),
  ])
  func `a rule sets the wait by an expression`(_ wait: String, _ waits: [Duration]) async throws {
    for action in ["retry", "wait"] {
      try await Rig.with { rig in
        let count = Counter()
        rig.answer { _ in
          count.next() == 1
            ? answer("500 No", #"{"wait":1.5,"text":"try again in 9 s"}"#, ["X-Wait: 7"]) : ok("[]")
        }
        let flow = try rig.flow(
          """
          errors: [{ when: status == 500, do: \(action), for: "\(wait)" }]
          retry: { max: 1, backoff: constant, wait: 1s }
          """)
        #expect(await rig.run(flow).message == "")
        #expect(rig.waits.all == waits)
      }
    }
  }
}

private final class Counter: Sendable {
  private let count = Atomic(0)
  func next() -> Int { count.add(1, ordering: .sequentiallyConsistent).newValue }
}

/// Numbers of retries and waits that variables give.
extension RetryTests {
  private static let variables =
    "vars: { tries: { type: integer, default: 2 }, wait: { type: integer, default: 3 }, text: none }"

  @Test func `variables give the number of retries and their waits`() async throws {
    try await Rig.with(answer("503 Busy", "{}")) { rig in
      let keys = "retry: { max: \"{{ vars.tries }}\", backoff: constant, wait: \"{{ vars.wait * 2 }}s\" }"
      let flow = try rig.flow(keys, top: Self.variables)
      #expect(await rig.run(flow).error?.status == 503)
      #expect(rig.waits.all == [.seconds(6), .seconds(6)])
      let short = try rig.flow("retry: \"{{ vars.tries - 1 }}\"", top: Self.variables)
      #expect(await rig.run(short).error?.status == 503)
      #expect(rig.waits.all.count == 3)
    }
  }

  @Test(arguments: [
    ("retry: { max: \"{{ vars.tries * 99 }}\" }", "198 is out of range for 'retry.max'"),
    ("retry: { wait: \"{{ vars.text }}\" }", "'none' is not a duration"),
    ("retry: { max_wait: \"{{ vars.wait * 99 }}d\" }", "297d is out of range for 'retry.max_wait'"),
    ("retry: { wait: \"{{ vars.wait }}m\", max_wait: 2m }", "the first wait is longer than 'max_wait'"),
  ])
  func `a number that does not fit is an error before the run`(_ keys: String, _ message: String) async throws {
    try await Rig.with { rig in
      let compilation = rig.compile(rig.text(keys, top: Self.variables))
      #expect(compilation.diagnostics.diagnostics.map(\.message) == [message])
      #expect(compilation.diagnostics.diagnostics.allSatisfy { $0.range != nil })
    }
  }
}
