internal import ArgumentParser

/// `reactor init`
struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a first flow from a URL, a response, a curl command, a HAR or an OpenAPI file.",
    discussion: """
      Examples:
        reactor init https://api.example.com/v2/customers?limit=100
        reactor init answer.json --base-url https://api.example.com
        reactor init --curl "curl 'https://api.example.com/v2/orders' -H 'Accept: application/json'"
        reactor init browser.har -o flows/shop.yaml
        reactor init openapi.yaml -o flows/api.yaml

      Types, the key, where the records are and how pages are asked for are guessed from
      the response, and comments say so; 'PART ONLY' marks a flow that takes one page while
      there may be more. Credentials become 'auth' with secrets: their names are written,
      their values are not. Paths of an OpenAPI file ask for each record of the collection
      above them.
      """)

  @Argument(help: ArgumentHelp("A URL, or a file: JSON, HAR, or OpenAPI 3 in JSON or YAML.", valueName: "source"))
  var source: String?
  @Option(
    help: ArgumentHelp("A curl command line in one argument; '-' reads it from standard input.", valueName: "command"))
  var curl: String?
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
  @Flag(help: "Replace a file that is there.")
  var force = false
  @Flag(help: "Ask no server.")
  var offline = false
  @OptionGroup(title: "Output") var output: OutputOptions
}
