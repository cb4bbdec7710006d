internal import ArgumentParser
internal import FlowCompiler
internal import FlowFolders
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import RunViews
internal import SourceDiagnostics

/// The command `reactor check`.
struct CheckCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    // `_superCommandName` saves time, see `RunCommand`.
    commandName: "check", _superCommandName: "reactor",
    abstract: "Find every error in flow files; without --connect, uses neither the network nor results.",
    discussion: """
      Examples:
        reactor check
        reactor check flows/shop.yaml
        reactor check --connect                would the databases accept the loads?
        reactor check --state                  which flows cannot run on several machines?
        reactor check --changes                which flows have another meaning in this version?
        reactor check --fix                    replaces keys that have another name now
        reactor check --format json
      """)

  @Argument(help: ArgumentHelp("Files, or folders to search for *.yaml and *.yml. (default: flows)", valueName: "path"))
  var paths: [String] = []
  @Flag(
    help: "Also ask the databases of 'stores' whether tables, columns, rights and queries fit; changes nothing.")
  var connect = false
  /// The option alone stands for `declared` (see `ParsedCommand.spelledOut`).
  @Option(
    help: ArgumentHelp(
      "Also find what cannot run in several processes with shared state. The URL may be left out; nothing is sent to it.",
      valueName: "url"))
  var state: String?
  @Flag(help: "Also list the flows whose meaning this version has changed.")
  var changes = false
  @Flag(help: "Replace the keys of earlier versions with their present names, in the files.")
  var fix = false
  @Option(help: ArgumentHelp("The folder of the results. (default: .)", valueName: "folder"))
  var root: String?
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode { try await invocation.check(self) }
}

extension Invocation {
  /// Runs `reactor check`: loads and compiles flows. Uses neither results nor the network, except the databases
  /// with `--connect`.
  func check(_ command: CheckCommand) async throws(CommandError) -> ExitCode {
    let inputs = try inputs(command.inputs)
    var found = FlowFiles(command.paths)
    var loaded = found.load(inputs.overrides)
    if command.fix, try KeyFixes(loaded.diagnostics).write(console) {
      found = FlowFiles(command.paths)
      loaded = found.load(inputs.overrides)
    }
    try refuseUnknown(inputs.overrides, loaded)
    var diagnostics = problems(of: loaded, inputs)
    diagnostics.merge(try problems(withSharedState: loaded, command.state, inputs))
    var checked = ""
    if try settings.isOn(command.connect, "connect"), !diagnostics.hasErrors {
      let parts = try await rehearse(loaded, inputs, root: root(command.root), &diagnostics)
      checked = ", \(parts == 1 ? "1 table or query" : "\(parts) tables and queries") checked"
    }
    let changes = try settings.isOn(command.changes, "changes") ? changes(in: loaded.flows) : nil
    diagnostics = diagnostics.withoutRepeats
    console.show(diagnostics)
    var exit = diagnostics.hasErrors ? ExitCode.configuration : .passed
    if exit == .passed, found.files.isEmpty {
      console.fail("no flow file to check", help: "flow files end with .yaml or .yml")
      exit = .nothingSelected
    }
    if console.isJSON {
      writeJSON(
        exit, diagnostics,
        [("files", .integer(Int64(found.files.count))), ("flows", .integer(Int64(loaded.flows.count)))]
          + (changes.map { [("changes", .array($0.map(\.json)))] } ?? []))
    } else if exit == .passed, !console.isQuiet {
      let counts =
        "\(Quantity.count(loaded.flows.count, "flow")) in \(Quantity.count(found.files.count, "file"))\(checked)"
      let waiting =
        loaded.unlocked.isEmpty ? "" : ", \(Quantity.count(loaded.unlocked.count, "flow")) with fields to infer"
      out.write("\(console.outStyle.paint("ok", .good))  \(counts)\(waiting)\n")
      for change in changes ?? [] { out.write("changed  \(change.location): \(change.flow): \(change.words)\n") }
    }
    return exit
  }

  /// The problems of flow files that need no run: those of loading, of values from outside, and of compiling.
  func problems(of loaded: LoadedFlows, _ inputs: Inputs) -> DiagnosticBag {
    var diagnostics = loaded.diagnostics
    for file in loaded.files {
      // Values from outside are checked against the declared variables. A variable without a value is an error only
      // in a run.
      _ = file.scope(
        overrides: inputs.overrides, secrets: [:], environment: settings.environment, diagnostics: &diagnostics)
    }
    diagnostics.merge(FlowCompiler.problems(in: loaded.flows))
    return diagnostics
  }

  /// The flows whose meaning has changed since the last version of this program.
  private func changes(in flows: [FlowDeclaration]) -> [ChangedFlow] {
    flows.flatMap { flow in
      LanguageChange.allCases.filter { $0.concerns(flow) }.map {
        ChangedFlow(location: "\(flow.file.path):\(flow.range.start.line)", flow: flow.id, words: $0.words)
      }
    }
  }

  /// Asks the databases of flows whether they would accept their loads and queries.
  ///
  /// - Returns: the number of tables and queries
  private func rehearse(
    _ loaded: LoadedFlows, _ inputs: Inputs, root: String, _ diagnostics: inout DiagnosticBag
  ) async throws(CommandError) -> Int {
    let flows = loaded.flows.filter(\.usesStore)
    guard !flows.isEmpty else { return 0 }
    var order = order(inputs, root: root)
    order.secrets = try secrets(of: loaded.files, inputs)
    for file in loaded.files {
      for (name, source) in file.secretSources.sorted(by: { $0.key < $1.key }) where order.secrets[name] == nil {
        console.warn(
          "secret '\(name)' comes from \(source.value.words), which 'check' does not read",
          help: "set the environment variable \(name)")
      }
    }
    let assembled = assembly.assemble(flows, order)
    diagnostics.merge(assembled.diagnostics)
    let parts = await assembled.rehearsal()
    for part in parts {
      guard let failure = part.failure, let flow = flows.first(where: { $0.id == part.flow }) else { continue }
      diagnostics.report(
        Diagnostic(
          FlowCode.invalidTable.code, "\(flow.id): \(out.masked(failure.message))", at: flow.range(of: part.part),
          help: failure.help.map { out.masked($0) }))
    }
    await assembled.close()
    return parts.count
  }

  /// Writes the JSON object of `check` and `list`, on one line.
  func writeJSON(_ exit: ExitCode, _ diagnostics: DiagnosticBag, _ more: [(String, JSONValue)]) {
    var members = [
      JSONObject.Member(name: "v", value: .integer(RunReport.version)),
      JSONObject.Member(name: "tool", value: .string(ToolVersion.text)),
      JSONObject.Member(name: "exit", value: .integer(Int64(exit.rawValue))),
    ]
    members += more.map { JSONObject.Member(name: $0.0, value: $0.1) }
    let problems = diagnostics.diagnostics.sortedByPlace().prefix(DiagnosticRenderer.most).map(\.json)
    members.append(JSONObject.Member(name: "problems", value: .array(problems)))
    out.write(String(decoding: PlainJSON.bytes(.object(JSONObject(members))), as: UTF8.self) + "\n")
  }
}

/// A flow whose meaning has changed since the last version of this program.
private struct ChangedFlow {
  let location: String
  let flow: String
  let words: String

  var json: JSONValue { .object(["flow": .string(flow), "location": .string(location), "change": .string(words)]) }
}

extension FlowDeclaration {
  /// Whether the flow uses a database.
  fileprivate var usesStore: Bool {
    result.targets.contains { $0.table != nil } || result.rejected?.table != nil
      || (each?.parents ?? []).contains { if case .rows = $0.source { true } else { false } }
  }

  /// The source location of the part of this flow that uses a database.
  fileprivate func range(of part: DeclaredFlow.StoredPart) -> SourceRange {
    switch part {
    case .result: result.target?.range ?? range
    case .rejected: result.rejected?.range ?? range
    case .parent(let number):
      if let parents = each?.parents, parents.indices.contains(number), case .rows(let rows) = parents[number].source {
        rows.text.range
      } else {
        range
      }
    }
  }
}
