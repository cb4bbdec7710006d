internal import FlowCompiler
internal import FlowRuntime
internal import FlowSpec
internal import JSONSyntax
internal import RunViews
internal import SourceDiagnostics

extension Program {
  /// `reactor check`: loads and nothing else, so that neither network nor results are touched.
  func check(_ command: CheckCommand) throws(UsageError) -> ExitCode {
    let console = try console(command.output)
    let inputs = try inputs(command.inputs, console)
    let found = FlowFiles(command.paths)
    let loaded = found.load()
    var diagnostics = loaded.diagnostics
    guard areKnown(inputs.overrides, loaded, console) else { return .usage }
    for file in loaded.files {
      // Values from outside are checked against the variables; names without a value are the run's matter.
      _ = file.scope(
        overrides: inputs.overrides, secrets: [:], environment: settings.environment, diagnostics: &diagnostics)
    }
    diagnostics.merge(FlowCompiler.problems(in: loaded.flows))
    diagnostics = diagnostics.withoutRepeats
    console.show(diagnostics)
    var exit = diagnostics.hasErrors ? ExitCode.configuration : .passed
    if exit == .passed, found.files.isEmpty {
      console.fail("there is no flow file to check", help: "flow files end with .yaml or .yml")
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

  /// The object of `check` and `list`, on one line.
  func writeJSON(_ exit: ExitCode, _ diagnostics: DiagnosticBag, _ more: [(String, JSONValue)]) {
    var members = [
      JSONObject.Member(name: "v", value: .integer(RunReport.version)),
      JSONObject.Member(name: "tool", value: .string(ToolVersion.text)),
      JSONObject.Member(name: "exit", value: .integer(Int64(exit.rawValue))),
    ]
    members += more.map { JSONObject.Member(name: $0.0, value: $0.1) }
    let problems = diagnostics.diagnostics.sortedByPlace().compactMap { try? JSONValue(parsing: $0.json) }
    members.append(JSONObject.Member(name: "problems", value: .array(problems)))
    out.write(String(decoding: PlainJSON.bytes(.object(JSONObject(members))), as: UTF8.self) + "\n")
  }
}
