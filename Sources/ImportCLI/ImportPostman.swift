internal import ArgumentParser
internal import Fixtures
internal import FlowCompiler
internal import Importing
internal import ReactorCLI
internal import SourceDiagnostics

/// The command `reactor import postman`.
struct ImportPostmanCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "postman",
    abstract: "Translate a collection of Postman.",
    discussion: """
      Examples:
        reactor import postman shop.postman_collection.json -o flows/shop.yaml
        reactor import postman shop.json --environment eu.postman_environment.json
        reactor import postman shop.json -o flows/shop.yaml --writes

      Each request becomes a flow. Records, types and pages are guessed from the responses
      that are saved with it, as 'reactor init' does. Credentials become secrets: their names
      are written, their values are not. Scripts are not run. A request that may change the
      server becomes a flow with --writes only, because a run would send it.
      """)

  @Argument(help: ArgumentHelp("The collection (v2.0 or v2.1), in JSON.", valueName: "collection"))
  var collection: String
  @Option(
    help: ArgumentHelp("An exported environment, whose values replace those of the collection.", valueName: "file"))
  var environment: [String] = []
  @Flag(help: "Also import requests that can change data on the server; their flows get the tag 'writes'.")
  var writes = false
  @OptionGroup var options: ImportOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode {
    let file = try invocation.source(collection)
    var environments: [SourceFile] = []
    for path in environment { environments.append(try invocation.source(path)) }
    let files = environments
    return try invocation.importing(collection, options) { () throws(ImportError) in
      try PostmanImport(
        file, environments: files, writes: self.writes, outline: { ResponseOutline($0) },
        check: { FlowCompiler.problems(in: $0) }
      ).result()
    }
  }
}
