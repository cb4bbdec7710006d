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
    let loaded = FlowFiles(command.selection.paths).load()
    guard areKnown(inputs.overrides, loaded, console) else { return .usage }
    let selected = try select(command.selection, from: loaded.flows, root: Self.testMemory, console)
    var fixture = FixtureSettings()
    fixture.folder = settings.value(command.fixtures, "fixtures")?.text ?? "fixtures"
    fixture.keepsPending = false
    fixture.now = now
    let values = placeholders(for: loaded.files)
    let (declarations, added) = Self.withParents(selected.flows, of: loaded.flows)
    guard let session = session(fixture, declarations, secrets: { values }, console) else { return .notWritten }
    var order = AssemblyOrder()
    order.mode = .fresh
    order.added = added
    order.overrides = inputs.overrides
    order.environment = settings.environment
    order.secrets = values.mapValues(Secret.init)
    order.fixtures = session
    let assembled = assembly.assemble(session.prepared(declarations), order)
    var diagnostics = loaded.diagnostics
    diagnostics.merge(assembled.diagnostics)
    console.show(diagnostics)
    guard !diagnostics.hasErrors else { return .configuration }
    if selected.flows.isEmpty { return nothingSelected(selected, of: loaded.flows, console) }
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
      if selected.flows.count == loaded.flows.count {
        let known = Set(loaded.flows.map(\.id))
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
