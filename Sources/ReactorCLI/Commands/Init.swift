internal import ArgumentParser
internal import ByteCodings
internal import Fixtures
internal import HTTPTransport
internal import JSONSyntax
internal import ReactorCore
internal import SourceDiagnostics
internal import Storage

/// The command `reactor init`.
struct InitCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a first flow from a URL, a response, a curl command, a HAR, an OpenAPI file or an example.",
    discussion: """
      Examples:
        reactor init https://api.example.com/v2/customers?limit=100
        reactor init response.json --base-url https://api.example.com
        reactor init --curl "curl 'https://api.example.com/v2/orders' -H 'Accept: application/json'"
        reactor init browser.har -o flows/shop.yaml
        reactor init openapi.yaml -o flows/api.yaml
        reactor init --from github

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
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode { try await invocation.start(self) }
}

extension Invocation {
  /// Runs `reactor init`.
  func start(_ command: InitCommand) async throws(CommandError) -> ExitCode {
    if let start = command.start { return try command.writeStart(start, console) }
    guard (command.source == nil) != (command.curl == nil) else {
      throw CommandError(
        "give either a source, --curl or --from", help: "reactor init https://api.example.com/customers")
    }
    let draft: DraftFile
    do throws(FixtureError) {
      draft = try await self.draft(command)
    } catch {
      throw CommandError(error, .notJudged)
    }
    if !draft.secrets.isEmpty {
      console.warn(
        "the draft names secrets whose values are not in it: \(draft.secrets.joined(separator: ", "))",
        help: "set them in the environment or in a file for --secret-file")
    }
    guard let named = command.file else {
      out.write(draft.text)
      return .passed
    }
    let path = WholeFile.resolvingFolders(of: named)
    do throws(FixtureError) {
      if !command.force, try FixtureFiles.read(path) != nil {
        console.fail("'\(path)' exists already", help: "--force replaces it")
        return .usage
      }
      try FixtureFiles.write(Array(draft.text.utf8), to: path)
    } catch {
      throw CommandError(error, .notWritten)
    }
    if !console.isQuiet { out.write("\(PrintableText.of(path))\n") }
    return .passed
  }

  private func draft(_ command: InitCommand) async throws(FixtureError) -> DraftFile {
    if let curl = command.curl {
      return try await draft(try CurlCommand(curl == "-" ? standardInput() : curl), command)
    }
    let source = command.source ?? ""
    if source.hasPrefix("http://") || source.hasPrefix("https://") {
      return try await draft(CurlCommand(url: source), command)
    }
    guard let bytes = try FixtureFiles.read(named: source) else {
      throw FixtureError("the file '\(source)' does not exist", help: "a URL begins with http:// or https://")
    }
    return try DraftFile(bytes, path: source, DraftFile.Wishes(name: command.name, base: command.baseURL))
  }

  private func standardInput() -> String {
    var text = ""
    while let line = readLine(strippingNewline: false) { text += line }
    return text
  }

  private func draft(
    _ curl: CurlCommand, _ command: InitCommand
  ) async throws(FixtureError) -> DraftFile {
    for word in curl.ignored { console.warn("'\(word)' of the curl command is ignored: a flow has no such key") }
    guard let url = RequestURL(curl.url) else { throw FixtureError("'\(curl.url)' is not an http or https URL") }
    var flow = DraftFlow(name: command.name, method: curl.method, url, headers: curl.headers, body: curl.body)
    flow.take(command.offline ? nil : try await ask(curl, url), query: url.query)
    return DraftFile([flow], base: command.baseURL ?? url.origin)
  }

  private func ask(_ curl: CurlCommand, _ url: RequestURL) async throws(FixtureError) -> InferredFlow? {
    guard let method = Resource.Method(rawValue: curl.method.uppercased()) else {
      throw FixtureError("'\(curl.method)' is not a method that a flow can use")
    }
    // Drafting a flow must not change anything on the server.
    guard method == .GET || method == .HEAD || method == .OPTIONS || method == .POST else { return nil }
    let client = HTTPClient()
    defer { client.shutdown() }
    do throws(ReactorError) {
      let connection = try HTTPConnection(baseURL: url.origin, client: client)
      let fields = curl.headers + [url.authorization].compactMap { $0 }
      let headers = Headers(
        fields.filter { !["host", "content-length", "accept-encoding"].contains($0.name.lowercased()) }.map {
          Headers.Field($0.name, $0.value)
        })
      let response = try await connection.response(
        for: Resource(
          path: url.path, method: method, body: curl.body.map { Array($0.utf8) }, headers: headers,
          query: url.query.map { .init($0.name, $0.value) }))
      let body = try await response.body.collect(upTo: 64 << 20)
      guard (200..<300).contains(response.status) else {
        throw ReactorError.server("the server answered \(response.status)")
      }
      return (try? JSONValue(parsing: body)).map { InferredFlow($0, headers: response.headers) }
    } catch {
      throw FixtureError("\(url.origin): \(error.message)", help: "--offline drafts the flow without a request")
    }
  }
}
