internal import Fixtures
internal import FlowSpec
internal import RunViews
internal import SourceDiagnostics

extension Program {
  /// `reactor serve`: until a signal ends it.
  func serve(_ command: ServeCommand) async throws(UsageError) -> ExitCode {
    let console = try console(command.output)
    let inputs = try inputs(command.inputs, console)
    var faults: [ServedFault] = []
    for text in settings.values(command.faults, "fault") {
      guard let fault = ServedFault(text) else {
        throw UsageError(
          "--fault '\(text)' is not PATTERN[#N]=WHAT",
          help: "WHAT is a status, delay:500ms, cut, reset, empty or garbage: customers#2=503")
      }
      faults.append(fault)
    }
    var port: UInt16 = 0
    if let (text, origin) = settings.value(command.port, "port") {
      guard let number = UInt16(text) else { throw UsageError("\(origin) is '\(text)', which is no port") }
      port = number
    }
    let loaded = FlowFiles(command.selection.paths).load()
    let selected = try select(command.selection, from: loaded, root: Self.testMemory, console)
    console.show(loaded.diagnostics)
    if loaded.diagnostics.hasErrors { return .configuration }
    if selected.flows.isEmpty { return nothingSelected(selected, of: loaded.flows, console) }
    let values = secrets(of: loaded.files, inputs, console).mapValues { $0.reveal() }
    let root = settings.value(command.folder.fixtures, "fixtures")?.text ?? "fixtures"
    let server: LoopbackServer
    do throws(FixtureError) {
      var cassettes: [(cassette: Cassette, path: String, matching: RequestMatching)] = []
      for flow in selected.flows {
        let folder = FixtureFolder(root: root, flow: flow.id)
        guard let cassette = try folder.load() else {
          console.warn("\(flow.id) is not recorded", help: "reactor record -s \(flow.id)")
          continue
        }
        cassettes.append((cassette, folder.cassettePath, flow.fixture.matching))
      }
      guard !cassettes.isEmpty else { throw FixtureError("there is no recording to serve", help: "reactor record") }
      let (err, isQuiet) = (err, console.isQuiet)
      server = try LoopbackServer(
        ServedTapes(cassettes, faults: faults, secrets: placeholders(for: loaded.files).merging(values) { $1 }),
        port: port
      ) { line in
        guard !isQuiet else { return }
        err.write(PrintableText.of(line, limit: 500) + "\n")
        err.flush()
      }
    } catch {
      console.fail(error.message, help: error.help)
      return .notJudged
    }
    out.write(server.url + "\n")
    out.flush()
    server.start()
    let (stream, end) = AsyncStream<Void>.makeStream()
    signals?.act(
      SignalWatch.Actions(grace: .zero) {
        end.finish()
      } report: {
      })
    for await _ in stream {}
    return .passed
  }
}
