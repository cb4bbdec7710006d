internal import BatchRunner
internal import Fixtures
internal import FlowSpec
internal import RunViews
internal import SourceDiagnostics

extension Program {
  /// `reactor fixtures prune`: replays the flows to see what they ask for.
  func pruneFixtures(_ command: FixturesPruneCommand) async throws(UsageError) -> ExitCode {
    let console = try console(command.output)
    let inputs = try inputs(command.inputs, console)
    let removes = try settings.isOn(command.yes, "yes")
    guard var flows = try fixtureFlows(command.selection, inputs, console) else { return .usage }
    var fixture = FixtureSettings()
    fixture.folder = settings.value(command.folder.fixtures, "fixtures")?.text ?? "fixtures"
    fixture.keepsPending = false
    fixture.now = now
    let values = placeholders(for: flows.loaded.files)
    guard let session = session(fixture, flows.declarations, secrets: { values }, console) else { return .notWritten }
    flows.order.secrets = values.mapValues(Secret.init)
    flows.order.fixtures = session
    let (assembled, diagnostics) = assemble(flows, on: session, console)
    if let obstacle = obstacle(flows, diagnostics, console) { return obstacle }
    let state = await BatchRun(RunPlan(assembled.flows)).execute()
    await assembled.close()
    defer { session.close() }

    var count = 0
    do throws(FixtureError) {
      for flow in state.flows {
        guard let outcome = session.outcome(of: flow.id), !outcome.unused.isEmpty else { continue }
        // A flow that misses a recording has not shown all that it asks for.
        guard outcome.details.isEmpty else {
          console.warn(
            "\(flow.id) misses recordings, so that nothing of it is pruned", help: "reactor record -s \(flow.id)")
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
      if flows.selected.flows.count == flows.loaded.flows.count {
        let known = Set(flows.loaded.flows.map(\.id))
        for folder in FixtureFolder.all(in: fixture.folder) where !known.contains(folder.flow) {
          // Only what a recording made is removed with the flow that is gone.
          guard FixtureFiles.entries(of: folder.path).contains(where: { $0.name == "cassette.yaml" }) else { continue }
          out.write("\(folder.path)  there is no such flow\n")
          count += 1
          if removes { FixtureFiles.removeTree(folder.path) }
        }
      }
    } catch {
      console.fail(error.message, help: error.help)
      return .notWritten
    }
    if !console.isQuiet {
      let words = removes ? "removed" : "would be removed: reactor fixtures prune --yes"
      out.write(count == 0 ? "nothing to prune\n" : "\(Quantity.count(count, "recording")) \(words)\n")
    }
    return .passed
  }
}
