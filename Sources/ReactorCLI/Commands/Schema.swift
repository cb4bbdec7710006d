internal import ArgumentParser
internal import FlowSpec
internal import RunViews
internal import SourceDiagnostics

/// The command `reactor schema`.
struct SchemaCommand: ReactorCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print a JSON Schema, for editors and other tools.",
    discussion: """
      Examples:
        reactor schema > schemas/flow.schema.json
        reactor schema schema > schemas/schema.schema.json
        reactor schema summary                       of the output of 'reactor run --format json'
        reactor schema event                         of a line of 'reactor run --report ndjson'
      """)

  @Argument(help: ArgumentHelp("flow, schema, summary or event. (default: flow)", valueName: "which"))
  var which: String = "flow"

  func perform(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let out = invocation.out
    switch which {
    case "flow": out.write(EditorSchema.flowFile)
    case "schema": out.write(EditorSchema.schemaFile)
    case "summary": out.write(RunReport.schema)
    case "event": out.write(EventLine.schema)
    default:
      let suggestion = NearMiss.suggestion(for: which, in: ["flow", "schema", "summary", "event"])
      throw CommandError(
        "unknown schema '\(which)'",
        help: suggestion.map { "did you mean '\($0)'?" } ?? "flow, schema, summary or event")
    }
    return .passed
  }
}
