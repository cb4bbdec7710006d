internal import Fixtures
internal import HTTPTransport
internal import JSONSyntax
internal import ReactorCore
internal import SourceDiagnostics
internal import Storage

extension InitCommand {
  /// Drafts a flow without asking anybody, and prints or writes it.
  func writeDraft(_ console: Console) async throws(CommandError) -> ExitCode {
    guard (source == nil) != (curl == nil) else {
      throw CommandError(
        "give either a source, --curl or --from", help: "reactor init https://api.example.com/customers")
    }
    let draft: DraftFile
    do throws(FixtureError) {
      draft = try await self.draft(console)
    } catch {
      throw CommandError(error, .notJudged)
    }
    if !draft.secrets.isEmpty {
      console.warn(
        "the draft names secrets whose values are not in it: \(draft.secrets.joined(separator: ", "))",
        help: "set them in the environment or in a file for --secret-file")
    }
    guard let file else {
      console.out.write(draft.text)
      return .passed
    }
    let path = WholeFile.resolvingFolders(of: file)
    do throws(FixtureError) {
      if !force, try FixtureFiles.read(path) != nil {
        console.fail("'\(path)' exists already", help: "--force replaces it")
        return .usage
      }
      try FixtureFiles.write(Array(draft.text.utf8), to: path)
    } catch {
      throw CommandError(error, .notWritten)
    }
    if !console.isQuiet { console.out.write("\(PrintableText.of(path))\n") }
    return .passed
  }

  private func draft(_ console: Console) async throws(FixtureError) -> DraftFile {
    if let curl {
      return try await draft(try CurlCommand(curl == "-" ? standardInput() : curl), console)
    }
    let source = source ?? ""
    if InitSource.isURL(source) { return try await draft(CurlCommand(url: source), console) }
    guard let bytes = try FixtureFiles.read(named: source) else {
      throw FixtureError("the file '\(source)' does not exist", help: "a URL begins with http:// or https://")
    }
    return try DraftFile(bytes, path: source, DraftFile.Wishes(name: name, base: baseURL))
  }

  private func standardInput() -> String {
    var text = ""
    while let line = readLine(strippingNewline: false) { text += line }
    return text
  }

  private func draft(_ curl: CurlCommand, _ console: Console) async throws(FixtureError) -> DraftFile {
    for word in curl.ignored { console.warn("'\(word)' of the curl command is ignored: a flow has no such key") }
    var proposal = try FlowProposal(curl, name: name)
    if !offline, proposal.isHarmless { proposal.sample = try await ask(curl, proposal.url) }
    return proposal.file(base: baseURL)
  }

  /// Sends the request; nil when its response is not JSON.
  private func ask(_ curl: CurlCommand, _ url: RequestURL) async throws(FixtureError) -> InferredFlow? {
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
          path: url.path, method: Resource.Method(rawValue: curl.method.uppercased()) ?? .GET,
          body: curl.body.map { Array($0.utf8) }, headers: headers,
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
