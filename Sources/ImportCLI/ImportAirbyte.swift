internal import ArgumentParser
internal import Fixtures
internal import FlowCompiler
internal import Importing
internal import ReactorCLI
internal import SourceDiagnostics

/// The command `reactor import airbyte`.
struct ImportAirbyteCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "airbyte",
    abstract: "Translate a declarative (low-code) manifest of Airbyte.",
    discussion: """
      Examples:
        reactor import airbyte manifest.yaml
        reactor import airbyte manifest.yaml -o flows/shop.yaml
        reactor import airbyte manifest.yaml -o flows/shop.yaml --report json

      Each stream becomes a flow. What cannot be translated is a comment '# not imported: …' in
      the file and a warning with its line; the file passes 'reactor check'. Warnings leave
      the exit code 0. Schemas in JSON files are read from the folder of the manifest.
      """)

  @Argument(help: ArgumentHelp("The manifest, in YAML or JSON.", valueName: "manifest"))
  var manifest: String
  @OptionGroup var options: ImportOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode {
    let file = try invocation.source(manifest)
    let folder = manifest.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    return try invocation.importing(manifest, options) { () throws(ImportError) in
      try AirbyteImport(
        file, folder: options.folder,
        schemaFile: { path in (try? FixtureFiles.read(folder.isEmpty ? path : "\(folder)/\(path)")) ?? nil },
        check: { FlowCompiler.problems(in: $0) }
      ).result()
    }
  }
}
