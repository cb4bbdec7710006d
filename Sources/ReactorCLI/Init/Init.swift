internal import ArgumentParser

/// The command `reactor init`.
struct InitCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a first flow from a URL, a response, a curl command, a HAR, an OpenAPI file or an example.",
    discussion: """
      Examples:
        reactor init
        reactor init https://api.example.com/v2/customers?limit=100
        reactor init response.json --base-url https://api.example.com
        reactor init --curl "curl 'https://api.example.com/v2/orders' -H 'Accept: application/json'"
        reactor init browser.har -o flows/shop.yaml
        reactor init openapi.yaml -o flows/api.yaml
        reactor init --from github

      In a terminal, 'reactor init' and 'reactor init URL' ask for what they need to know,
      request two pages, show the first records and write a flow that runs; Enter takes
      what is suggested. Nothing is asked with --no-input, -o, --offline or --quiet, in CI,
      or when standard input or output is no terminal: then the flow is printed.

      Types, the key, where the records are and how pages are asked for are guessed from
      the response, and comments say so; 'PART ONLY' marks a flow that takes one page while
      there may be more. Credentials become 'auth' with secrets: their names are written,
      their values are not. A path such as /pets/{id}/visits of an OpenAPI file becomes a
      flow that sends a request for each record of /pets.
      """)

  @Argument(help: ArgumentHelp("A URL, or a file: JSON, HAR, or OpenAPI 3 in JSON or YAML.", valueName: "source"))
  var source: String?
  @Option(
    help: ArgumentHelp("A curl command line in one argument; '-' reads it from standard input.", valueName: "command"))
  var curl: String?
  @Option(
    name: .customLong("from"),
    help: ArgumentHelp(
      "An example with its recording: \(StartingFlow.all.map(\.name).joined(separator: ", ")).", valueName: "example"))
  var start: String?
  @Option(
    name: [.customShort("o", allowingJoined: true), .customLong("output-file")],
    help: ArgumentHelp("The file to write; without it the flow is printed.", valueName: "file"))
  var file: String?
  @Option(help: ArgumentHelp("The flow's name.", valueName: "name"))
  var name: String?
  @Option(
    name: .customLong("base-url"),
    help: ArgumentHelp("The server, where the source does not name one.", valueName: "url"))
  var baseURL: String?
  @Flag(help: "Replace a file that exists.")
  var force = false
  @Flag(help: "Send no request.")
  var offline = false
  @Flag(name: .customLong("no-input"), help: "Ask nothing.")
  var noInput = false
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode {
    if let start { return try writeStart(start, invocation.console) }
    if try asks(invocation) { return try await InitDialogue.run(self, invocation) }
    return try await writeDraft(invocation.console)
  }

  /// Whether a person at a terminal is asked for what the command line does not say.
  private func asks(_ invocation: Invocation) throws(CommandError) -> Bool {
    guard file == nil, !offline, !invocation.isInCI, !invocation.console.isQuiet, !invocation.console.isJSON,
      try !invocation.settings.isOn(noInput, "no-input"), TerminalRespondent.isPossible(invocation.out)
    else { return false }
    if curl != nil { return source == nil && curl != "-" }
    return source.map(InitSource.isURL) ?? true
  }
}
