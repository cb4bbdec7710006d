internal import FlowSpec
internal import RunViews
internal import SourceDiagnostics

extension Program {
  /// `reactor schema`
  func schema(_ command: SchemaCommand) throws(UsageError) -> ExitCode {
    switch command.which {
    case "flow": out.write(EditorSchema.flowFile)
    case "schema": out.write(EditorSchema.schemaFile)
    case "summary": out.write(RunReport.schema)
    case "event": out.write(EventLine.schema)
    default:
      let meant = NearMiss.suggestion(for: command.which, in: ["flow", "schema", "summary", "event"])
      throw UsageError(
        "there is no schema '\(command.which)'",
        help: meant.map { "did you mean '\($0)'?" } ?? "flow, schema, summary or event")
    }
    return .passed
  }
}
