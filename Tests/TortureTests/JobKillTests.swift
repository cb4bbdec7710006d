import Foundation
import Synchronization
import TestSupport
import Testing

/// Killed at any call, a run with a job leaves no result or the whole one, and a rerun reads the same job or another one,
/// never one that was deleted.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct JobKillTests {
  private static let item = "T1 job"

  /// A server with jobs that are done at the second look.
  private final class Jobs: Sendable {
    struct State {
      var created = 0
      var looks = 0
      var deleted: Set<String> = []
      /// Requests for a job after its deletion, except another deletion.
      var afterDeletion = 0
    }

    let state = Mutex(State())
    /// Whether the first job fails.
    let hasFailure: Bool

    init(hasFailure: Bool) { self.hasFailure = hasFailure }

    func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
      let steps = request.target.split(separator: "/").map(String.init)
      return state.withLock { state in
        if steps.count > 1, request.method == "GET", state.deleted.contains(steps[1]) {
          state.afterDeletion += 1
          return Self.reply("404 Not Found", "{}")
        }
        switch (request.method, steps.count) {
        case ("POST", _):
          state.created += 1
          state.looks = 0
          return Self.reply("200 OK", #"{"id":"j\#(state.created)"}"#)
        case ("GET", 2):
          state.looks += 1
          let end = hasFailure && steps[1] == "j1" ? "failed" : "done"
          return Self.reply("200 OK", #"{"state":"\#(state.looks > 1 ? end : "running")"}"#)
        case ("DELETE", _):
          state.deleted.insert(steps[1])
          return Self.reply("200 OK", "")
        default: return Self.reply("200 OK", #"[{"id":1},{"id":2},{"id":3}]"#)
        }
      }
    }

    private static func reply(_ status: String, _ body: String) -> [ScriptedServer.Step] {
      [
        .send(
          Array(
            "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
              .utf8))
      ]
    }
  }

  @Test(arguments: [false, true])
  func `a killed run is followed by one that ends as if undisturbed`(_ hasFailure: Bool) async throws {
    guard let strace = await Strace(for: Self.item) else { return }
    let jobs = Jobs(hasFailure: hasFailure)
    let server = try ScriptedServer { jobs.answer($0) }
    defer { server.stop() }
    let workspace = try Workspace()
    let root = workspace.folder.appendingPathComponent("results")
    let file = root.appendingPathComponent("out/rows.jsonl")
    func run(_ wrapper: [String] = []) async throws -> Program.Outcome {
      let command = wrapper + [try Repository.program("reactor"), "run", "flows", "-j", "1", "--root", root.path]
      return await (try Program(command[0], Array(command.dropFirst()), in: workspace.folder)).end()
    }
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)" }
      defaults: { reachability: false }
      flows:
        rows:
          resource: { method: POST, path: /jobs }
          job:
            id: response.id
            poll: "/jobs/{{ job.id }}"
            wait: 1ms
            failed: response.state == 'failed'
            retry: { max: 1, wait: 1ms }
            done: response.state == 'done'
            download: "/jobs/{{ job.id }}/rows"
            remove: { method: DELETE, path: "/jobs/{{ job.id }}" }
          schema: { key: id, fields: { id: integer } }
          persistence: out/rows.jsonl

      """, to: "flows/a.yaml")
    let whole = Data("{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n".utf8)
    var (killed, trials, found) = (0, 0, 0)
    for calls in ["write,pwrite64", "fsync", "linkat,rename,renameat,renameat2", "unlink,unlinkat", "sendto,sendmsg"] {
      for number in stride(from: 1, through: 60, by: Torture.count(short: 2, full: 1)) {
        try? FileManager.default.removeItem(at: root)
        jobs.state.withLock { $0 = Jobs.State() }
        let outcome = try await run(strace.wrapper(calls, "signal=KILL:when=\(number)"))
        trials += 1
        let content = try? Data(contentsOf: file)
        #expect(content == nil || content == whole, "\(calls) number \(number)")
        #expect(try await run().status == 0, "\(calls) number \(number)")
        #expect(try Data(contentsOf: file) == whole, "\(calls) number \(number)")
        let state = jobs.state.withLock { $0 }
        #expect(state.created <= (hasFailure ? 3 : 2) && state.afterDeletion == 0, "\(calls) number \(number)")
        let left = try? FileManager.default.contentsOfDirectory(
          atPath: root.appendingPathComponent(".reactor/jobs").path)
        #expect(left?.filter { !$0.hasSuffix(".tmp") } ?? [] == [], "\(calls) number \(number)")
        guard outcome.status == 137 else { break }
        killed += 1
        if state.created == (hasFailure ? 2 : 1), content == nil { found += 1 }
      }
    }
    #expect(killed > 3 && found > 0)
    Torture.report(Self.item, "\(trials) runs, \(killed) killed before their end, \(found) jobs found again")
  }
}
