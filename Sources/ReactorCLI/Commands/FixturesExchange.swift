internal import ArgumentParser
internal import BatchRunner
internal import Fixtures
internal import FlowSpec
internal import JSONSyntax
internal import RunViews
internal import SourceDiagnostics
internal import TimeSyntax

/// The command `reactor fixtures import`.
struct FixturesImportCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import a flow's recording from a HAR file or a cassette of VCR or vcrpy.",
    discussion: """
      Examples:
        reactor fixtures import browser.har -s shop.customers
        reactor fixtures import tests/cassettes/list.yaml -s shop.customers

      Exactly one flow must be selected; only requests to its server are imported.
      """)
  @Argument(help: ArgumentHelp("A .har, .json or .yaml file.", valueName: "recording"))
  var recording: String
  @Option(name: [.customShort("s", allowingJoined: true), .customLong("select")], help: "The flow.")
  var select: [String] = []
  @Option(
    name: .customLong("flows"), help: ArgumentHelp("Files or folders of flows. (default: flows)", valueName: "path"))
  var paths: [String] = []
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup var folder: FixtureFolderOption
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) throws(CommandError) -> ExitCode { try invocation.importFixtures(self) }
}

/// The command `reactor fixtures export`.
struct FixturesExportCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write recordings as a HAR file.",
    discussion: """
      Examples:
        reactor fixtures export -s shop.customers > shop.har
      """)
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup var folder: FixtureFolderOption
  @Option(
    name: .customLong("base-url"),
    help: ArgumentHelp("The URL of the server. (default: https://base.invalid)", valueName: "url"))
  var baseURL: String?
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) throws(CommandError) -> ExitCode { try invocation.exportFixtures(self) }
}

extension Invocation {
  /// Runs `reactor fixtures import`.
  func importFixtures(_ command: FixturesImportCommand) throws(CommandError) -> ExitCode {
    let inputs = try inputs(command.inputs)
    // The parser's property wrappers can only be read after parsing, so the options are parsed here.
    let words = command.select.flatMap { ["--select", $0] } + ["--"] + command.paths
    guard let selection = try? SelectionOptions.parse(words) else {
      throw CommandError("the paths and --select cannot be parsed")
    }
    let (selected, root) = (try selectWhole(selection, overrides: inputs.overrides), folder(command.folder))
    guard selected.flows.count == 1, let flow = selected.flows.first else {
      throw CommandError(
        "a recording belongs to one flow, but \(selected.flows.count) are selected", help: "select one with --select")
    }
    let values = try secrets(of: selected.loaded.files, inputs).mapValues { $0.reveal() }
    var order = order(inputs)
    order.secrets = placeholders(for: selected.loaded.files).merging(values.mapValues(Secret.init)) { $1 }
    let assembled = assembly.assemble([flow], order)
    guard let host = assembled.flows.first?.host else {
      console.show(assembled.diagnostics)
      return .configuration
    }
    do throws(FixtureError) {
      guard let bytes = try FixtureFiles.read(named: command.recording) else {
        throw FixtureError("the file '\(command.recording)' does not exist")
      }
      let recording = try ForeignRecording(parsing: bytes, path: command.recording)
      for warning in recording.warnings { console.warn(warning) }
      let (cassette, left, credentials) = recording.cassette(
        flow: flow.id, base: try FixtureBase(parsing: host), matching: flow.fixture.matching, secrets: values,
        tool: ToolVersion.text, now: InstantText.text(now))
      guard !cassette.entries.isEmpty else {
        throw FixtureError(
          "'\(command.recording)' has no request to \(host)", help: "see the flow's 'base_url'")
      }
      if !credentials.isEmpty {
        console.warn(
          "the values of these credentials are not in the recording: \(credentials.joined(separator: ", "))",
          help: "declare them as 'secrets' of the flow, so that its requests match the recording")
      }
      let folder = FixtureFolder(root: root, flow: flow.id)
      try folder.save(cassette, scan: SecretScan(values))
      if !console.isQuiet {
        let others = left > 0 ? ", \(left) to other servers left out" : ""
        out.write("\(folder.cassettePath): \(Quantity.count(cassette.entries.count, "request"))\(others)\n")
      }
      return .passed
    } catch {
      throw CommandError(error, .notJudged)
    }
  }

  /// Runs `reactor fixtures export`.
  func exportFixtures(_ command: FixturesExportCommand) throws(CommandError) -> ExitCode {
    let (selected, root) = (try selectWhole(command.selection), folder(command.folder))
    var base = settings.value(command.baseURL, "base-url")?.text ?? "https://base.invalid"
    while base.hasSuffix("/") { base.removeLast() }
    var cassettes: [Cassette] = []
    let file: [UInt8]
    do throws(FixtureError) {
      for flow in selected.flows {
        if let cassette = try FixtureFolder(root: root, flow: flow.id).load() { cassettes.append(cassette) }
      }
      file = try HARFile.bytes(cassettes, base: base, tool: ToolVersion.text)
    } catch {
      throw CommandError(error, .notJudged)
    }
    guard !cassettes.isEmpty else {
      throw CommandError("none of these flows is recorded", help: "reactor record", .nothingSelected)
    }
    out.writeMasked(file)
    return .passed
  }
}

extension FixtureDeclaration {
  /// The rules that decide whether two requests of the flow are equal.
  var matching: RequestMatching {
    RequestMatching(
      headers: headers, ignoredQuery: Set(ignoredQuery), ignoresBody: ignoresBody, repeats: repeats)
  }
}
