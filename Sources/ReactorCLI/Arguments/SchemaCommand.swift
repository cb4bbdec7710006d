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
      """)

  @Argument(help: ArgumentHelp("flow, schema or summary. (default: flow)", valueName: "which"))
  var which: String = "flow"
}
