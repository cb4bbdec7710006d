internal import ArgumentParser
internal import Fixtures
internal import FlowSpec
internal import RunViews
internal import SourceDiagnostics

/// The command `reactor serve`.
struct ServeCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve recordings over HTTP on this machine.",
    discussion: """
      Examples:
        reactor serve --port 8080
        reactor serve -s 'shop.*' --fault 'customers#2=503' --fault 'orders=delay:2s'

      The server's URL is the first line on standard output. A fault is
      PATTERN[#N]=WHAT: the Nth request whose URL or flow contains the pattern gets
      a status, delay:500ms, cut, reset, empty or garbage.
      """)

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup var folder: FixtureFolderOption
  @Option(help: ArgumentHelp("The port of 127.0.0.1. (default: one that is free)", valueName: "number"))
  var port: String?
  @Option(
    name: .customLong("fault"), help: ArgumentHelp("A fault to inject. Repeatable.", valueName: "fault"))
  var faults: [String] = []
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode { try await invocation.serve(self) }
}

extension Invocation {
  /// Runs `reactor serve` until a signal ends it.
  func serve(_ command: ServeCommand) async throws(CommandError) -> ExitCode {
    let inputs = try inputs(command.inputs)
    var faults: [ServedFault] = []
    for text in settings.values(command.faults, "fault") {
      guard let fault = ServedFault(text) else {
        throw CommandError(
          "--fault '\(text)' is not PATTERN[#N]=WHAT",
          help: "WHAT is a status, delay:500ms, cut, reset, empty or garbage: customers#2=503")
      }
      faults.append(fault)
    }
    let port = try port(command.port)
    let selected = try selectWhole(command.selection)
    let values = try secrets(of: selected.loaded.files, inputs)
    let root = folder(command.folder)
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
        ServedTapes(
          cassettes, faults: faults,
          secrets: placeholders(for: selected.loaded.files).merging(values) { $1 }.mapValues { $0.reveal() }),
        port: port
      ) { line in
        guard !isQuiet else { return }
        err.write(PrintableText.of(line, limit: 500) + "\n")
        err.flush()
      }
    } catch {
      throw CommandError(error, .notJudged)
    }
    out.write(server.url + "\n")
    out.flush()
    server.start()
    await signals?.firstSignal()
    return .passed
  }

  /// The port that the command line names; 0 for any free port.
  func port(_ option: String?) throws(CommandError) -> UInt16 {
    guard let (text, origin) = settings.value(option, "port") else { return 0 }
    guard let number = UInt16(text) else {
      throw CommandError("\(origin) is '\(text)', which is not a port from 0 to 65535")
    }
    return number
  }
}

extension SignalWatch {
  /// Waits for a signal that ends the command.
  func firstSignal() async {
    let (stream, end) = AsyncStream<Void>.makeStream()
    act(
      Actions(grace: .zero) {
        end.finish()
      } report: {
      })
    for await _ in stream {}
  }
}
