internal import ByteCodings
internal import Fixtures
internal import HTTPTransport
internal import JSONSyntax
internal import ReactorCore
internal import SourceDiagnostics

extension Program {
  /// `reactor init`
  func start(_ command: InitCommand) async throws(UsageError) -> ExitCode {
    let console = try console(command.output)
    guard (command.source == nil) != (command.curl == nil) else {
      throw UsageError("give either a source or --curl", help: "reactor init https://api.example.com/customers")
    }
    let draft: DraftFile
    do throws(FixtureError) {
      draft = try await self.draft(command, console)
    } catch {
      console.fail(error.message, help: error.help)
      return .notJudged
    }
    if !draft.secrets.isEmpty {
      console.warn(
        "the draft names secrets whose values are not in it: \(draft.secrets.joined(separator: ", "))",
        help: "set them in the environment or in a file for --secret-file")
    }
    guard let path = command.file else {
      out.write(draft.text)
      return .passed
    }
    do throws(FixtureError) {
      if !command.force, try FixtureFiles.read(path) != nil {
        console.fail("'\(path)' is there already", help: "--force replaces it")
        return .usage
      }
      try FixtureFiles.write(Array(draft.text.utf8), to: path)
    } catch {
      console.fail(error.message, help: error.help)
      return .notWritten
    }
    if !console.isQuiet { out.write("\(PrintableText.of(path))\n") }
    return .passed
  }

  private func draft(_ command: InitCommand, _ console: Console) async throws(FixtureError) -> DraftFile {
    if let curl = command.curl {
      return try await draft(try CurlCommand(curl == "-" ? standardInput() : curl), command, console)
    }
    let source = command.source ?? ""
    if source.hasPrefix("http://") || source.hasPrefix("https://") {
      return try await draft(CurlCommand(url: source), command, console)
    }
    guard let bytes = try FixtureFiles.read(source) else {
      throw FixtureError("there is no '\(source)'", help: "a URL begins with http:// or https://")
    }
    return try DraftFile(bytes, path: source, DraftFile.Wishes(name: command.name, base: command.baseURL))
  }

  private func standardInput() -> String {
    var text = ""
    while let line = readLine(strippingNewline: false) { text += line }
    return text
  }

  private func draft(
    _ curl: CurlCommand, _ command: InitCommand, _ console: Console
  ) async throws(FixtureError) -> DraftFile {
    for word in curl.ignored { console.warn("'\(word)' of the curl command has no place in a flow") }
    guard let url = RequestURL(curl.url) else { throw FixtureError("'\(curl.url)' is no http or https URL") }
    var flow = DraftFlow(name: command.name, method: curl.method, url, headers: curl.headers, body: curl.body)
    flow.take(command.offline ? nil : try await ask(curl, url), query: url.query)
    return DraftFile([flow], base: command.baseURL ?? url.origin)
  }

  private func ask(_ curl: CurlCommand, _ url: RequestURL) async throws(FixtureError) -> InferredFlow? {
    guard let method = Resource.Method(rawValue: curl.method.uppercased()) else {
      throw FixtureError("'\(curl.method)' is no method that a flow can use")
    }
    // A draft must not change anything at the server.
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
      throw FixtureError("\(url.origin): \(error.message)", help: "--offline drafts the flow without asking")
    }
  }
}
