internal import ArgumentParser
internal import FlowCompiler
internal import Importing
internal import ReactorCLI
internal import SourceDiagnostics

/// The command `reactor import insomnia`.
struct ImportInsomniaCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "insomnia",
    abstract: "Translate an export of Insomnia.",
    discussion: """
      Examples:
        reactor import insomnia shop.yaml -o flows/shop.yaml
        reactor import insomnia shop.json -o flows/shop.yaml --environment Production

      Each request becomes a flow. Exports have no responses, so nothing is known about the
      records: 'reactor init' drafts a schema from one. Credentials become secrets: their names
      are written, their values are not. Scripts and template tags are not run. A request that
      may change the server becomes a flow with --writes only, because a run would send it.
      """)

  @Argument(help: ArgumentHelp("The export: v5 in YAML, or v4 in JSON.", valueName: "export"))
  var export: String
  @Option(help: ArgumentHelp("The sub-environment whose values are used.", valueName: "name"))
  var environment: String?
  @Flag(help: "Also import requests that can change data on the server; their flows get the tag 'writes'.")
  var writes = false
  @OptionGroup var options: ImportOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode {
    let file = try invocation.source(export)
    return try invocation.importing(export, options) { () throws(ImportError) in
      try InsomniaImport(
        file, environment: environment, writes: writes, check: { FlowCompiler.problems(in: $0) }
      ).result()
    }
  }
}
