package import FlowCompiler
package import FlowRuntime
internal import FlowSpec
internal import ReactorCore
package import SourceDiagnostics
internal import Storage
internal import Synchronization
package import TestSupport

/// A server, an output root and a clock, for flows that are written as YAML: everything is real but the time of day.
package final class Rig: Sendable {
  /// The output root's folder.
  package let scratch: Scratch
  package let server: ScriptedServer
  package let clock: ManualClock
  /// What retries and rate limits waited; time moves on by it at once.
  package let waits: Waits
  package let environment: FlowEnvironment
  private let script: Script

  private final class Script: Sendable {
    let answer: Mutex<@Sendable (ScriptedServer.Request) -> [ScriptedServer.Step]>
    init(_ answer: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step]) {
      self.answer = Mutex(answer)
    }
  }

  package final class Waits: Sendable {
    private let noted = Mutex<[Duration]>([])
    package init() {}
    package var all: [Duration] { noted.withLock { $0 } }
    package func note(_ wait: Duration) { noted.withLock { $0.append(wait) } }
  }

  /// Gives the body a rig, and ends the server and all transfers afterwards.
  package static func with(
    _ steps: [ScriptedServer.Step] = ok("[]"), root: String = "", _ body: (Rig) async throws -> Void
  ) async throws {
    let rig = try Rig(steps, root: root)
    do {
      try await body(rig)
      await rig.stop()
    } catch {
      await rig.stop()
      throw error
    }
  }

  private init(_ steps: [ScriptedServer.Step], root: String) throws {
    let scratch = try Scratch()
    let script = Script { _ in steps }
    let (clock, waits) = (ManualClock(), Waits())
    self.scratch = scratch
    self.script = script
    self.clock = clock
    self.waits = waits
    server = try ScriptedServer { request in script.answer.withLock { $0 }(request) }
    environment = FlowEnvironment(
      root: OutputRoot(path: root.isEmpty ? scratch.folder : scratch.path(root), durability: .fast),
      clocks: .init(
        wallClock: clock.wallClock, stopwatch: clock.stopwatch,
        patience: Patience(
          delay: Delay { (wait) async throws(ReactorError) in
            if Task.isCancelled { throw .cancelled }
            waits.note(wait)
            clock.advance(by: wait)
          }, random: { 0 })))
  }

  private func stop() async {
    await environment.close()
    server.stop()
  }

  /// From now on each request is answered with these steps.
  package func answer(_ steps: [ScriptedServer.Step]) { script.answer.withLock { $0 = { _ in steps } } }

  /// From now on each request is answered with what the closure says.
  package func answer(_ script: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step]) {
    self.script.answer.withLock { $0 = script }
  }

  /// What a flow file gives: problems of the text first; flows only when the loader found no error in it.
  package func compile(
    _ text: String, path: String = "flows/shop.yaml", inputs: FlowCompiler.Inputs = .init()
  ) -> Compilation {
    compile([SourceFile(path: path, text: text)], inputs: inputs)
  }

  package func compile(
    _ files: [SourceFile], inputs: FlowCompiler.Inputs = .init(), in environment: FlowEnvironment? = nil
  ) -> Compilation {
    let loaded = FlowLoader(reader: .nothing).load(files)
    var inputs = inputs
    let present = clock.wallClock.sinceEpoch()
    inputs.present = { _ in present }
    let compilation = FlowCompiler(inputs: inputs).compile(loaded.flows)
    var diagnostics = loaded.diagnostics
    diagnostics.merge(compilation.diagnostics)
    return Compilation(
      flows: (environment ?? self.environment).flows(for: compilation.plans), diagnostics: diagnostics)
  }

  /// A flow `users` with these keys; `resource`, `schema` and `persistence` are the usual ones unless given.
  package func flow(
    _ keys: String = "", top: String = "", http: String = "", inputs: FlowCompiler.Inputs = .init()
  ) throws -> DeclaredFlow {
    guard let flow = try compile(text(keys, top: top, http: http), inputs: inputs).accepted().first else {
      throw CompilationError(messages: ["the file has no flow that runs"])
    }
    return flow
  }

  /// The flow file of `flow`.
  package func text(_ keys: String = "", top: String = "", http: String = "") -> String {
    let usual = [
      ("resource:", "resource: /users"), ("schema:", "schema: { key: id, fields: { id: integer, name: string } }"),
      ("persistence:", "persistence: { path: users.jsonl, expires_after: 1h }"),
    ]
    var lines = keys.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if keys.isEmpty { lines = [] }
    for (key, line) in usual where !lines.contains(where: { $0.hasPrefix(key) }) { lines.append(line) }
    return """
      reactor: 1
      \(top)
      http: { base_url: "\(server.url)", timeout: 20s\(http.isEmpty ? "" : ", " + http) }
      flows:
        users:
      \(lines.map { "    \($0)" }.joined(separator: "\n"))

      """
  }

  /// Runs a flow and drains its saves.
  package func run(_ flow: DeclaredFlow, _ mode: FetchMode = .persistenceFirst) async -> FlowRun {
    let queue = SaveQueue()
    let events = Mutex<[FlowEvent]>([])
    var run = FlowRun()
    do throws(ReactorError) {
      run.outcome = try await flow.execute(mode, queue: queue) { event in events.withLock { $0.append(event) } }
    } catch {
      run.error = error
    }
    run.failures = await queue.drain()
    run.events = events.withLock { $0 }
    return run
  }

  /// Lets go of the root's folders and locks, as the end of a process does.
  package func letGo() async { await environment.root.close() }

  /// The text of the result.
  package var result: String? { scratch.text("users.jsonl") }

  /// The files below the root but for the storage's own, of which there may be only two.
  package var files: [String] {
    scratch.names().filter { name in
      let last = name.split(separator: "/").last.map(String.init) ?? name
      return last != ".reactor.lock" && last != ".reactor.stamps"
    }
  }
}
