internal import ArgumentParser
internal import BatchRunner
internal import Fixtures
internal import FlowSpec
internal import JSONSyntax
internal import RunViews
internal import SourceDiagnostics
internal import TimeSyntax

extension Program {
  /// The flows of a verb and the folder of their fixtures.
  private struct Found {
    var loaded: LoadedFlows
    var flows: [FlowDeclaration]
    var root: String
    /// Whether no selection was made: then folders without a flow count too.
    var isWhole: Bool
  }

  private func found(
    _ selection: SelectionOptions, _ fixtures: String?, _ console: Console
  ) throws(UsageError) -> (Found?, ExitCode) {
    let loaded = FlowFiles(selection.paths).load()
    let selected = try select(selection, from: loaded, root: Self.testMemory, console)
    console.show(loaded.diagnostics)
    if loaded.diagnostics.hasErrors { return (nil, .configuration) }
    if selected.flows.isEmpty { return (nil, nothingSelected(selected, of: loaded.flows, console)) }
    return (
      Found(
        loaded: loaded, flows: selected.flows, root: settings.value(fixtures, "fixtures")?.text ?? "fixtures",
        isWhole: selected.flows.count == loaded.flows.count), .passed
    )
  }

  /// `reactor fixtures list`
  func listFixtures(_ command: FixturesListCommand) throws(UsageError) -> ExitCode {
    let console = try console(command.output)
    let (found, exit) = try found(command.selection, command.folder.fixtures, console)
    guard let found else { return exit }
    var codes: Set<ExitCode> = []
    var values: [JSONValue] = []
    let width = min(found.flows.lazy.map(\.id.count).max() ?? 0, 48)
    for flow in found.flows {
      let folder = FixtureFolder(root: found.root, flow: flow.id)
      var cassette: Cassette?
      var problem: String?
      do throws(FixtureError) {
        cassette = try folder.load()
      } catch {
        problem = error.message
        codes.insert(.notJudged)
      }
      let golden = [FixtureFolder.records, FixtureFolder.decisions].allSatisfy {
        ((try? folder.golden($0)) ?? nil) != nil
      }
      let age = cassette.flatMap { InstantText.seconds($0.recordedAt) }.map { max(0, now - $0) / 86_400 }
      let size = cassette?.files.reduce(0) { $0 + $1.bytes.count }
      let waiting = folder.waiting
      values.append(
        .object([
          "id": .string(flow.id), "path": .string(folder.path),
          "recorded_at": cassette.map { .string($0.recordedAt) } ?? .null,
          "age_days": age.map { .integer($0) } ?? .null,
          "requests": cassette.map { .integer(Int64($0.entries.count)) } ?? .null,
          "bytes": size.map { .integer(Int64($0)) } ?? .null, "golden": .bool(golden),
          "waiting": .array(waiting.map { .string($0) }), "problem": problem.map { .string($0) } ?? .null,
        ]))
      guard !console.isJSON else { continue }
      var cells = [Quantity.padded(PrintableText.of(flow.id), to: width)]
      if let problem {
        cells.append("cannot be read: \(PrintableText.of(problem))")
      } else if let cassette {
        cells += [
          cassette.recordedAt, Quantity.count(cassette.entries.count, "request"), Quantity.bytes(size ?? 0),
          golden ? "golden" : "no golden",
        ]
        if let limit = flow.fixture.maxAge, let age, Double(age) * 86_400 > limit { cells.append("stale") }
        if !waiting.isEmpty { cells.append("waits for review") }
      } else {
        cells.append("not recorded")
      }
      out.write(cells.joined(separator: "  ") + "\n")
    }
    let code = ExitCode.worst(of: codes)
    if console.isJSON { writeJSON(code, found.loaded.diagnostics, [("fixtures", .array(values))]) }
    return code
  }

  /// `reactor fixtures verify`
  func verifyFixtures(_ command: FixturesVerifyCommand) throws(UsageError) -> ExitCode {
    let console = try console(command.output)
    let inputs = try inputs(command.inputs, console)
    let (found, exit) = try found(command.selection, command.folder.fixtures, console)
    guard let found else { return exit }
    let values = secrets(of: found.loaded.files, inputs, console).mapValues { $0.reveal() }
    let scan = SecretScan(values)
    var codes: Set<ExitCode> = []
    var count = 0
    func say(_ code: ExitCode, _ text: String) {
      codes.insert(code)
      count += 1
      out.write("\(PrintableText.of(text))\n")
    }
    for flow in found.flows {
      let folder = FixtureFolder(root: found.root, flow: flow.id)
      do throws(FixtureError) {
        guard let cassette = try folder.load() else {
          say(.policy, "\(flow.id): not recorded")
          continue
        }
        if let limit = flow.fixture.maxAge, let recorded = InstantText.seconds(cassette.recordedAt),
          Double(now - recorded) > limit
        {
          say(
            .policy, "\(flow.id): recorded at \(cassette.recordedAt), which is longer ago than fixture.max_age allows")
        }
        let known = Set(cassette.files.map(\.path))
        for name in FixtureFiles.files(below: folder.path("bodies")) where !known.contains("bodies/\(name)") {
          say(.policy, "\(folder.path("bodies/\(name)")): no recording names this file")
        }
        for name in folder.waiting { say(.policy, "\(folder.path(name)): waits for 'reactor review'") }
        for name in FixtureFiles.files(below: folder.path) {
          let bytes = try FixtureFiles.read(folder.path(name)) ?? []
          for secret in scan.survivors(in: bytes) {
            say(.notJudged, "\(folder.path(name)): holds the secret '\(secret)': reactor fixtures redact -s \(flow.id)")
          }
        }
      } catch {
        say(.notJudged, error.message)
      }
    }
    if found.isWhole {
      let known = Set(found.flows.map(\.id))
      for folder in FixtureFolder.all(in: found.root) where !known.contains(folder.flow) {
        say(.policy, "\(folder.path): there is no such flow: reactor fixtures prune")
      }
    }
    if count == 0, !console.isQuiet {
      let secrets =
        values.isEmpty ? "no secret was given to look for" : "\(Quantity.count(values.count, "secret")) looked for"
      out.write("ok  \(Quantity.count(found.flows.count, "recording")), \(secrets)\n")
    }
    return ExitCode.worst(of: codes)
  }

  /// `reactor fixtures redact`
  func redactFixtures(_ command: FixturesRedactCommand) throws(UsageError) -> ExitCode {
    let console = try console(command.output)
    let inputs = try inputs(command.inputs, console)
    let (found, exit) = try found(command.selection, command.folder.fixtures, console)
    guard let found else { return exit }
    let values = secrets(of: found.loaded.files, inputs, console).mapValues { $0.reveal() }
    guard !values.isEmpty else {
      console.fail("no secret is known", help: "give their values by the environment or --secret-file")
      return .configuration
    }
    let scrubber = Scrubber(bases: [], secrets: values, keepsMarks: true)
    let scan = SecretScan(values)
    var changed = 0
    for flow in found.flows {
      let folder = FixtureFolder(root: found.root, flow: flow.id)
      do throws(FixtureError) {
        for name in FixtureFiles.files(below: folder.path) {
          let path = folder.path(name)
          guard let bytes = try FixtureFiles.read(path) else { continue }
          let clean = scrubber.scrub(bytes)
          if clean != bytes {
            try FixtureFiles.write(clean, to: path)
            changed += 1
            if !console.isQuiet { out.write("\(PrintableText.of(path))\n") }
          }
          if let name = scan.survivors(in: clean).first {
            throw FixtureError("the secret '\(name)' is still in '\(path)'", help: "record the flow again")
          }
        }
        // It must still be one.
        _ = try folder.load()
      } catch {
        console.fail(error.message, help: error.help)
        return .notJudged
      }
    }
    if !console.isQuiet { out.write("\(Quantity.count(changed, "file")) redacted\n") }
    return .passed
  }

  /// `reactor fixtures import`
  func importFixtures(_ command: FixturesImportCommand) throws(UsageError) -> ExitCode {
    let console = try console(command.output)
    let inputs = try inputs(command.inputs, console)
    // Options that were not parsed have no values to read.
    let words = command.select.flatMap { ["--select", $0] } + ["--"] + command.paths
    guard let selection = try? SelectionOptions.parse(words) else {
      throw UsageError("the selection cannot be read")
    }
    let (found, exit) = try found(selection, command.folder.fixtures, console)
    guard let found else { return exit }
    guard found.flows.count == 1, let flow = found.flows.first else {
      throw UsageError(
        "a recording is of one flow, and \(found.flows.count) are selected", help: "name it with --select")
    }
    let values = secrets(of: found.loaded.files, inputs, console).mapValues { $0.reveal() }
    var order = AssemblyOrder()
    order.overrides = inputs.overrides
    order.environment = settings.environment
    order.secrets = placeholders(for: found.loaded.files).merging(values) { $1 }.mapValues(Secret.init)
    let assembled = assembly.assemble([flow], order)
    guard let host = assembled.flows.first?.host else {
      console.show(assembled.diagnostics)
      return .configuration
    }
    do throws(FixtureError) {
      guard let bytes = try FixtureFiles.read(command.recording) else {
        throw FixtureError("there is no '\(command.recording)'")
      }
      let recording = try ForeignRecording(parsing: bytes, path: command.recording)
      for warning in recording.warnings { console.warn(warning) }
      let (cassette, left) = recording.cassette(
        flow: flow.id, base: try FixtureBase(parsing: host), matching: flow.fixture.matching, secrets: values,
        tool: ToolVersion.text, now: InstantText.text(now))
      guard !cassette.entries.isEmpty else {
        throw FixtureError(
          "'\(command.recording)' holds nothing that was said to \(host)", help: "see the flow's 'base_url'")
      }
      let folder = FixtureFolder(root: found.root, flow: flow.id)
      try folder.save(cassette, scan: SecretScan(values))
      if !console.isQuiet {
        let others = left > 0 ? ", \(left) of other servers left out" : ""
        out.write("\(folder.cassettePath): \(Quantity.count(cassette.entries.count, "request"))\(others)\n")
      }
      return .passed
    } catch {
      console.fail(error.message, help: error.help)
      return .notJudged
    }
  }

  /// `reactor fixtures export`
  func exportFixtures(_ command: FixturesExportCommand) throws(UsageError) -> ExitCode {
    let console = try console(command.output)
    let (found, exit) = try found(command.selection, command.folder.fixtures, console)
    guard let found else { return exit }
    var cassettes: [Cassette] = []
    do throws(FixtureError) {
      for flow in found.flows {
        if let cassette = try FixtureFolder(root: found.root, flow: flow.id).load() { cassettes.append(cassette) }
      }
    } catch {
      console.fail(error.message, help: error.help)
      return .notJudged
    }
    guard !cassettes.isEmpty else {
      console.fail("none of these flows is recorded", help: "reactor record")
      return .nothingSelected
    }
    var base = settings.value(command.baseURL, "base-url")?.text ?? "https://base.invalid"
    while base.hasSuffix("/") { base.removeLast() }
    out.writeMasked(HARFile.bytes(cassettes, base: base, tool: ToolVersion.text))
    return .passed
  }
}

extension FixtureDeclaration {
  /// What makes two requests of the flow the same.
  var matching: RequestMatching {
    RequestMatching(
      headers: headers, ignoredQuery: Set(ignoredQuery), ignoresBody: ignoresBody, repeats: repeats)
  }
}
