internal import ArgumentParser

/// `reactor schema`
struct SchemaCommand: ParsableCommand {
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
}
