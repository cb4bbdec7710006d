internal import ArgumentParser
internal import BatchRunner
internal import Fixtures
internal import FlowSpec
internal import JSONSyntax
internal import RunViews
internal import SourceDiagnostics
internal import TimeSyntax

/// The command `reactor fixtures`.
struct FixturesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fixtures", abstract: "Manage recordings and goldens.",
    subcommands: [
      FixturesListCommand.self, FixturesVerifyCommand.self, FixturesPruneCommand.self, FixturesRedactCommand.self,
      FixturesImportCommand.self, FixturesExportCommand.self,
    ])
}

/// The command `reactor fixtures list`.
struct FixturesListCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the recordings, their age and size, and what waits for a decision.",
    aliases: ["ls"])
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup var folder: FixtureFolderOption
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) throws(CommandError) -> ExitCode { try invocation.listFixtures(self) }
}

/// The command `reactor fixtures verify`.
struct FixturesVerifyCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Find recordings that cannot be read, are stale, belong to no flow, or contain a secret.",
    discussion: """
      Secrets are looked for by value: give them as for a run, by the environment or
      --secret-file. The exit code is 5 if one is found or a file cannot be read, 6 if
      something is stale, left over or waits for a decision.
      """)
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup var folder: FixtureFolderOption
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) throws(CommandError) -> ExitCode { try invocation.verifyFixtures(self) }
}

/// The command `reactor fixtures redact`.
struct FixturesRedactCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "redact", abstract: "Remove secrets from existing recordings.",
    discussion: "Secrets are given as for a run, by the environment or --secret-file.")
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup var folder: FixtureFolderOption
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) throws(CommandError) -> ExitCode { try invocation.redactFixtures(self) }
}

extension Invocation {
  /// Runs `reactor fixtures list`.
  func listFixtures(_ command: FixturesListCommand) throws(CommandError) -> ExitCode {
    let (selected, root) = (try selectWhole(command.selection), folder(command.folder))
    var codes: Set<ExitCode> = []
    var values: [JSONValue] = []
    let width = min(selected.flows.lazy.map(\.id.count).max() ?? 0, 48)
    for flow in selected.flows {
      let folder = FixtureFolder(root: root, flow: flow.id)
      var cassette: Cassette?
      var problem: String?
      var size: Int?
      do throws(FixtureError) {
        cassette = try folder.load()
        size = try cassette?.files.reduce(0) { $0 + $1.bytes.count }
      } catch {
        problem = error.message
        codes.insert(.notJudged)
      }
      let golden = [FixtureFolder.records, FixtureFolder.decisions].allSatisfy {
        ((try? folder.golden($0)) ?? nil) != nil
      }
      let age = cassette.flatMap { InstantText.seconds($0.recordedAt) }.map { max(0, now - $0) / 86_400 }
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
    if console.isJSON { writeJSON(code, selected.loaded.diagnostics, [("fixtures", .array(values))]) }
    return code
  }

  /// Runs `reactor fixtures verify`.
  func verifyFixtures(_ command: FixturesVerifyCommand) throws(CommandError) -> ExitCode {
    let inputs = try inputs(command.inputs)
    let (selected, root) = (try selectWhole(command.selection, overrides: inputs.overrides), folder(command.folder))
    let values = try secrets(of: selected.loaded.files, inputs).mapValues { $0.reveal() }
    let scan = SecretScan(values)
    var codes: Set<ExitCode> = []
    var count = 0
    func say(_ code: ExitCode, _ text: String) {
      codes.insert(code)
      count += 1
      out.write("\(PrintableText.of(text))\n")
    }
    for flow in selected.flows {
      let folder = FixtureFolder(root: root, flow: flow.id)
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
        let known = Set(try cassette.files.map(\.path))
        for name in FixtureFiles.files(below: folder.path("bodies")) where !known.contains("bodies/\(name)") {
          say(.policy, "\(folder.path("bodies/\(name)")): no recording names this file")
        }
        for name in [FixtureFolder.records, FixtureFolder.decisions] {
          guard let golden = try folder.golden(name), !GoldenReview.isReadable(golden, name) else { continue }
          say(.notJudged, "\(folder.path(name)): the golden cannot be read: reactor test, then reactor accept")
        }
        for name in folder.waiting { say(.policy, "\(folder.path(name)): waits for 'reactor review'") }
        for name in FixtureFiles.files(below: folder.path) {
          let bytes = try FixtureFiles.read(folder.path(name)) ?? []
          for secret in scan.survivors(in: bytes) {
            say(
              .notJudged,
              "\(folder.path(name)): contains the secret '\(secret)'; to remove it: reactor fixtures redact -s \(flow.id)"
            )
          }
        }
      } catch {
        say(.notJudged, error.message)
      }
    }
    if selected.isWhole {
      let known = Set(selected.flows.map(\.id))
      for folder in FixtureFolder.all(in: root) where !known.contains(folder.flow) {
        say(.policy, "\(folder.path): there is no such flow: reactor fixtures prune")
      }
    }
    if count == 0, !console.isQuiet {
      let secrets =
        values.isEmpty ? "no secret was given to search for" : "\(Quantity.count(values.count, "secret")) searched for"
      out.write("ok  \(Quantity.count(selected.flows.count, "recording")), \(secrets)\n")
    }
    return ExitCode.worst(of: codes)
  }

  /// Runs `reactor fixtures redact`.
  func redactFixtures(_ command: FixturesRedactCommand) throws(CommandError) -> ExitCode {
    let inputs = try inputs(command.inputs)
    let (selected, root) = (try selectWhole(command.selection, overrides: inputs.overrides), folder(command.folder))
    let values = try secrets(of: selected.loaded.files, inputs).mapValues { $0.reveal() }
    guard !values.isEmpty else {
      throw CommandError(
        "no secret has a value", help: "give the values by the environment or --secret-file", .configuration)
    }
    let scrubber = Scrubber(bases: [], secrets: values, keepsMarks: true)
    let scan = SecretScan(values)
    var changed = 0
    for flow in selected.flows {
      let folder = FixtureFolder(root: root, flow: flow.id)
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
        // The rewritten recording must still load.
        _ = try folder.load()
      } catch {
        throw CommandError(error, .notJudged)
      }
    }
    if !console.isQuiet { out.write("\(Quantity.count(changed, "file")) redacted\n") }
    return .passed
  }
}
