internal import ArgumentParser
internal import FlowCompiler
internal import FlowRuntime
internal import FlowSpec
internal import JSONSyntax
internal import RunViews
internal import SourceDiagnostics

/// The command `reactor check`.
struct CheckCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    // `_superCommandName` saves time, see `RunCommand`.
    commandName: "check", _superCommandName: "reactor",
    abstract: "Find every error in flow files; touches neither network nor results.",
    discussion: """
      Examples:
        reactor check
        reactor check flows/shop.yaml
        reactor check --format json
      """)

  @Argument(help: ArgumentHelp("Files, or folders to search for *.yaml and *.yml. (default: flows)", valueName: "path"))
  var paths: [String] = []
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) throws(CommandError) -> ExitCode { try invocation.check(self) }
}

extension Invocation {
  /// Runs `reactor check`: loads and compiles flows; uses neither the network nor results.
  func check(_ command: CheckCommand) throws(CommandError) -> ExitCode {
    let inputs = try inputs(command.inputs)
    let found = FlowFiles(command.paths)
    let loaded = found.load()
    var diagnostics = loaded.diagnostics
    try refuseUnknown(inputs.overrides, loaded)
    for file in loaded.files {
      // Values from outside are checked against the declared variables. A variable without a value is an error only
      // in a run.
      _ = file.scope(
        overrides: inputs.overrides, secrets: [:], environment: settings.environment, diagnostics: &diagnostics)
    }
    diagnostics.merge(FlowCompiler.problems(in: loaded.flows))
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
        [("files", .integer(Int64(found.files.count))), ("flows", .integer(Int64(loaded.flows.count)))])
    } else if exit == .passed, !console.isQuiet {
      let counts = "\(Quantity.count(loaded.flows.count, "flow")) in \(Quantity.count(found.files.count, "file"))"
      out.write("\(console.outStyle.paint("ok", .good))  \(counts)\n")
    }
    return exit
  }

  /// Writes the JSON object of `check` and `list`, on one line.
  func writeJSON(_ exit: ExitCode, _ diagnostics: DiagnosticBag, _ more: [(String, JSONValue)]) {
    var members = [
      JSONObject.Member(name: "v", value: .integer(RunReport.version)),
      JSONObject.Member(name: "tool", value: .string(ToolVersion.text)),
      JSONObject.Member(name: "exit", value: .integer(Int64(exit.rawValue))),
    ]
    members += more.map { JSONObject.Member(name: $0.0, value: $0.1) }
    let problems = diagnostics.diagnostics.sortedByPlace().map(\.json)
    members.append(JSONObject.Member(name: "problems", value: .array(problems)))
    out.write(String(decoding: PlainJSON.bytes(.object(JSONObject(members))), as: UTF8.self) + "\n")
  }
}
