internal import ArgumentParser
internal import BatchRunner
internal import Fixtures
internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import RunViews
internal import SourceDiagnostics

/// The command `reactor drift`.
struct DriftCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "drift", abstract: "Ask the servers and show how they differ from the recordings.",
    discussion: """
      Examples:
        reactor drift
        reactor drift -s 'shop.*' --values

      Nothing is written. Fields, types and statuses are compared; values only with
      --values. Only flows whose requests cannot change the server are run; --writing
      also sends requests that may change it (POST, PUT, PATCH, DELETE).
      The exit code is 1 when something has changed.
      """)

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup var folder: FixtureFolderOption
  @Flag(help: "Show changed values too.")
  var values = false
  @Option(
    name: .customLong("max-diffs"),
    help: ArgumentHelp("The maximum number of changes to show for one flow. (default: 20)", valueName: "n"))
  var maximumDifferences: String?
  @Flag(help: "Also send requests that may change the server: POST, PUT, PATCH, DELETE.")
  var writing = false
  @OptionGroup(title: "Running") var jobs: JobOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode { try await invocation.drift(self) }
}

extension Invocation {
  /// Runs `reactor drift`: compares the servers with the recordings; writes nothing.
  func drift(_ command: DriftCommand) async throws(CommandError) -> ExitCode {
    var inputs = try inputs(command.inputs)
    inputs.readsSources = true
    let limits = try limits(command.jobs)
    let includesValues = try settings.isOn(command.values, "values")
    let maximum = try settings.count(command.maximumDifferences, "max-diffs", default: 20)
    var flows = try flowsToRun(command.selection, replayOrder(inputs))
    let unsent = try settings.isOn(command.writing, "writing") ? [] : flows.leaveOutChanging()
    if !unsent.isEmpty, flows.declarations.isEmpty {
      let first = unsent[0]
      throw CommandError(
        "nothing was compared: \(first.id) sends \(first.method), which may change the server",
        help: "use --writing to send it")
    }
    flows.order.secrets = try secrets(of: flows.files, inputs, for: flows.declarations)
    var fixture = FixtureSettings()
    fixture.folder = folder(command.folder)
    fixture.mode = .all
    fixture.recordsFailures = true
    fixture.writesRecordings = false
    fixture.now = now
    let session = try attach(fixture, to: &flows)
    defer { session.close() }
    let (assembled, diagnostics) = assemble(flows)
    if let obstacle = obstacle(flows.selected, diagnostics) { return obstacle }
    let state = await execute(assembled, limits)

    var codes: Set<ExitCode> = []
    var list: [JSONValue] = []
    for flow in state.flows {
      let folder = FixtureFolder(root: fixture.folder, flow: flow.id)
      var lines: [String] = []
      var problem: String?
      do throws(FixtureError) {
        if let old = try folder.load() {
          if let new = session.recording(of: flow.id) {
            let matching = flows.declarations.first { $0.id == flow.id }?.fixture.matching ?? RequestMatching()
            lines = try ResponseDrift.changes(from: old, to: new, matching: matching, values: includesValues)
          } else {
            problem = flow.error?.description ?? "no request was sent to its server"
          }
        } else {
          problem = "it is not recorded: reactor record -s \(flow.id)"
        }
      } catch {
        problem = error.message
      }
      if problem == nil, flow.error?.kind == .noConnectivity { problem = flow.error?.description }
      if problem != nil { codes.insert(.notJudged) } else if !lines.isEmpty { codes.insert(.failed) }
      list.append(
        .object([
          "id": .string(flow.id), "changes": .array(lines.map { .string(out.masked($0)) }),
          "problem": problem.map { .string(out.masked($0)) } ?? .null,
        ]))
      guard !console.isJSON else { continue }
      if let problem {
        console.fail("\(flow.id): \(problem)")
      } else if lines.isEmpty {
        if !console.isQuiet { out.write("same   \(flow.id)\n") }
      } else {
        out.write("\(console.outStyle.paint("DRIFT", .odd))  \(flow.id)  \(Quantity.count(lines.count, "change"))\n")
        for line in lines.prefix(maximum) { out.write("    \(PrintableText.of(out.masked(line), limit: 500))\n") }
        if lines.count > maximum { out.write("    and \(lines.count - maximum) more; --max-diffs shows more\n") }
      }
    }
    for flow in unsent {
      let reason = "it sends \(flow.method), which may change the server; use --writing to send it"
      list.append(.object(["id": .string(flow.id), "changes": .array([]), "problem": .string(reason)]))
      if !console.isJSON { out.write("skip   \(flow.id)  \(reason)\n") }
    }
    let exit = ExitCode.worst(of: codes)
    if console.isJSON { writeJSON(exit, diagnostics, [("flows", .array(list))]) }
    return exit
  }
}
