internal import ArgumentParser
internal import FlowCompiler
internal import Importing
internal import ReactorCLI
internal import SourceDiagnostics

/// The command `reactor import dlt`.
struct ImportDltCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "dlt",
    abstract: "Translate a configuration of dlt's REST API source.",
    discussion: """
      Examples:
        reactor import dlt config.json -o flows/shop.yaml
        reactor import dlt dlt.yml --report json

      Each resource becomes a flow. The configuration is the dictionary that 'rest_api_source'
      gets, as JSON or YAML; Python code is not run. Write it as JSON where it is defined:
        python3 -c "import json, shop; print(json.dumps(shop.config, default=str))" > config.json
      Credentials become secrets: their names are written, their values are not.
      """)

  @Argument(help: ArgumentHelp("The configuration, in JSON or YAML.", valueName: "configuration"))
  var config: String
  @OptionGroup var options: ImportOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode {
    let file = try invocation.source(config)
    return try invocation.importing(config, options) { () throws(ImportError) in
      try DltImport(file, check: { FlowCompiler.problems(in: $0) }).result()
    }
  }
}
