import BatchRunner
import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import ReactorCore
import ReactorState
import Records
import Synchronization
import TestSupport
import Testing

/// Whatever a declared flow reports has no secret in it, also where no command line masks it.
@Suite(.timeLimit(.minutes(1))) struct MaskedErrorTests {
  private static let secret = "s3cr3t/value+42"
  private static var encoded: String { Data(secret.utf8).base64EncodedString() }

  /// The flow, whose request has the secret, and the rig's server, which repeats it as `respond` says.
  private static func with(
    _ keys: String, _ answer: [ScriptedServer.Step], _ body: (DeclaredFlow) async throws -> Void
  ) async throws {
    try await Rig.with(answer) { rig in
      let inputs = FlowCompiler.Inputs(secrets: ["KEY": Secret(secret)])
      let keys = keys + "\nresource: { path: /users, headers: { X-Key: \"{{ secrets.KEY }}\" } }"
      try await body(try rig.flow(keys, top: "secrets: [KEY]", inputs: inputs))
    }
  }

  /// All texts of a value, however deep they are.
  private func texts(_ value: Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }

  private func expectMasked(_ value: Any, _ location: SourceLocation = #_sourceLocation) {
    let text = texts(value)
    for form in [Self.secret, Self.encoded, Self.secret.replacing("/", with: "\\/")] {
      #expect(!text.contains(form), "\(text.prefix(2_000))", sourceLocation: location)
    }
    #expect(text.contains("***"), "\(text.prefix(2_000))", sourceLocation: location)
  }

  @Test func `a response that repeats the secret is masked in the error of each way to fetch`() async throws {
    let body = "{\"error\": \"bad key \(Self.secret), that is \(Self.encoded)\"}"
    try await Self.with("", answer("422 Unprocessable", body)) { flow in
      let events = Mutex<[FlowEvent]>([])
      let note: FlowObserver = { event in events.withLock { $0.append(event) } }
      let fetched = await #expect(throws: ReactorError.self) { try await flow.reactor().fetch(flow.resource) }
      expectMasked(try #require(fetched))
      let direct = await #expect(throws: ReactorError.self) {
        try await flow.reactorFlow(observer: note).networkFlow(flow.resource)
      }
      expectMasked(try #require(direct))
      let judged = await #expect(throws: ReactorError.self) {
        try await flow.reactorFlow(responseModifier: .success, observer: note).networkFlow(flow.resource)
      }
      expectMasked(try #require(judged))
      let executed = await #expect(throws: ReactorError.self) {
        try await flow.execute(.fresh, queue: SaveQueue(), observer: note)
      }
      expectMasked(try #require(executed))
      expectMasked(events.withLock { $0 })
      let run = BatchRun(RunPlan([RunnableFlow(flow)]))
      let changes = run.transitions()
      let state = await run.execute()
      expectMasked(try #require(state.flows.first?.error))
      var mutations: [RunMutation] = []
      for await change in changes { mutations.append(change.mutation) }
      expectMasked(mutations)
    }
  }

  @Test func `rejected records are masked in the report and the events`() async throws {
    let body = "[{\"id\": \"\(Self.secret)\"}, {\"id\": 1, \"name\": \"Ada\"}]"
    try await Self.with("", ok(body)) { flow in
      let events = Mutex<[FlowEvent]>([])
      let fetched = try await flow.reactor { event in events.withLock { $0.append(event) } }.fetch(flow.resource)
      #expect(fetched.report.rejected == 1)
      expectMasked(fetched.summary)
      expectMasked(events.withLock { $0 })
    }
  }
}
