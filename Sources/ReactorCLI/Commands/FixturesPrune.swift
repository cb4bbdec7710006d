internal import ArgumentParser
internal import BatchRunner
internal import Fixtures
internal import FlowSpec
internal import RunViews
internal import SourceDiagnostics

/// The command `reactor fixtures prune`.
struct FixturesPruneCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Remove recordings that no request asks for, and folders of flows that are gone.",
    discussion: "Each flow is replayed to see what it asks for. Without --yes, only shows what would be removed.")
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup var folder: FixtureFolderOption
  @Flag(help: "Remove what is shown.")
  var yes = false
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode {
    try await invocation.pruneFixtures(self)
  }
}

extension Invocation {
  /// Runs `reactor fixtures prune`: replays the flows to find out which recordings they request.
  func pruneFixtures(_ command: FixturesPruneCommand) async throws(CommandError) -> ExitCode {
    let inputs = try inputs(command.inputs)
    let removes = try settings.isOn(command.yes, "yes")
    var flows = try flowsToRun(command.selection, replayOrder(inputs))
    var fixture = FixtureSettings()
    fixture.folder = folder(command.folder)
    fixture.keepsPending = false
    fixture.now = now
    flows.order.secrets = placeholders(for: flows.files)
    let session = try attach(fixture, to: &flows)
    defer { session.close() }
    let (assembled, diagnostics) = assemble(flows)
    if let obstacle = obstacle(flows.selected, diagnostics) { return obstacle }
    let state = await execute(assembled)

    var count = 0
    do throws(FixtureError) {
      for flow in state.flows {
        guard let outcome = session.outcome(of: flow.id), !outcome.unused.isEmpty else { continue }
        // A flow that lacks a recording has not sent all its requests, so its unused recordings are unknown.
        guard outcome.details.isEmpty else {
          console.warn(
            "recordings of \(flow.id) are missing, so its other recordings are not removed",
            help: "reactor record -s \(flow.id)")
          continue
        }
        let folder = FixtureFolder(root: fixture.folder, flow: flow.id)
        guard var cassette = try folder.load() else { continue }
        for number in outcome.unused where cassette.entries.indices.contains(number - 1) {
          out.write(
            "\(folder.cassettePath)  entry \(number)  \(PrintableText.of(cassette.entries[number - 1].request.line))\n")
          count += 1
        }
        guard removes else { continue }
        let unused = Set(outcome.unused)
        cassette.entries = cassette.entries.enumerated().filter { !unused.contains($0.offset + 1) }.map(\.element)
        try folder.save(cassette, scan: SecretScan([:]))
      }
      if flows.selected.isWhole {
        let known = Set(flows.selected.loaded.flows.map(\.id))
        for folder in FixtureFolder.all(in: fixture.folder) where !known.contains(folder.flow) {
          // A folder without a flow is removed only when it contains a recording.
          guard FixtureFiles.entries(of: folder.path).contains(where: { $0.name == "cassette.yaml" }) else { continue }
          out.write("\(folder.path)  there is no such flow\n")
          count += 1
          if removes { FixtureFiles.removeTree(folder.path) }
        }
      }
    } catch {
      throw CommandError(error, .notWritten)
    }
    if !console.isQuiet {
      let words = removes ? "removed" : "would be removed: reactor fixtures prune --yes"
      out.write(count == 0 ? "nothing to prune\n" : "\(Quantity.count(count, "recording")) \(words)\n")
    }
    return .passed
  }
}
