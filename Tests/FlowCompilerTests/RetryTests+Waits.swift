import FlowCompiler
import FlowRuntime
import Foundation
import ReactorCore
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
  func `a field of the response sets the wait`(_ honour: String, _ field: String, _ waits: [Duration]) async throws {
    try await Rig.with { rig in
      let count = Counter()
      rig.answer { _ in count.next() == 1 ? answer("503 Busy", "{}", [field]) : ok("[]") }
      let flow = try rig.flow("retry: { max: 1, backoff: constant, wait: 1s, honour: \(honour) }")
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
