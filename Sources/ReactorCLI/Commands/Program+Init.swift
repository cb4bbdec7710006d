internal import ByteCodings
internal import Fixtures
internal import HTTPTransport
internal import JSONSyntax
internal import ReactorCore
internal import SourceDiagnostics
internal import WebSyntax

extension Program {
  /// What a first flow is made of.
  private struct Draft {
    var text: String
    var secrets: [String]
  }

  /// `reactor init`
  func start(_ command: InitCommand) async throws(UsageError) -> ExitCode {
    let console = try console(command.output)
    guard (command.source == nil) != (command.curl == nil) else {
      throw UsageError("give either a source or --curl", help: "reactor init https://api.example.com/customers")
    }
    let draft: Draft
    do throws(FixtureError) {
      if let curl = command.curl {
        var text = curl
        if curl == "-" {
          text = ""
          while let line = readLine(strippingNewline: false) { text += line }
        }
        draft = try await self.draft(try CurlCommand(text), command, console)
      } else {
        draft = try await self.draft(command.source ?? "", command, console)
      }
    } catch {
      console.fail(error.message, help: error.help)
      return .notJudged
    }
    if !draft.secrets.isEmpty {
      console.warn(
        "the draft names the secret '\(draft.secrets.joined(separator: "', '"))', whose value is not in it",
        help: "set it in the environment or in a file for --secret-file")
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

  private func draft(_ source: String, _ command: InitCommand, _ console: Console) async throws(FixtureError) -> Draft {
    if source.hasPrefix("http://") || source.hasPrefix("https://") {
      return try await draft(try CurlCommand("curl '\(source.replacing("'", with: "%27"))'"), command, console)
    }
    guard let bytes = try FixtureFiles.read(source) else {
      throw FixtureError("there is no '\(source)'", help: "a URL begins with http:// or https://")
    }
    let value = try OpenAPIDocument.value(bytes, path: source)
    if OpenAPIDocument.isOne(value) {
      let document = OpenAPIDocument(value)
      guard !document.flows.isEmpty else { throw FixtureError("'\(source)' describes no GET operation") }
      guard let base = command.baseURL ?? document.server else {
        throw FixtureError("'\(source)' names no whole server URL", help: "--base-url names it")
      }
      let (text, secrets) = DraftFlow.file(
        document.flows, base: base, description: document.title, variables: document.variables)
      return Draft(text: text, secrets: secrets)
    }
    if value["log"]?["entries"] != nil {
      let recording = try ForeignRecording(parsing: bytes, path: source)
      return try draft(recording, source)
    }
    var flow = DraftFlow(name: command.name ?? "records", path: "/")
    flow.notes.append("The sample does not say where it came from: write the path.")
    flow.sample = InferredFlow(value)
    let (text, secrets) = DraftFlow.file([flow], base: command.baseURL ?? "https://api.example.com")
    return Draft(text: text, secrets: secrets)
  }

  /// A flow for each address of a recording whose answer is JSON; of the server that answered most of them.
  private func draft(_ recording: ForeignRecording, _ source: String) throws(FixtureError) -> Draft {
    let usable = recording.exchanges.filter {
      (200..<300).contains($0.status) && (try? JSONValue(parsing: $0.body)) != nil
    }
    var counts: [String: Int] = [:]
    for exchange in usable { counts[Self.parts(exchange.url).origin, default: 0] += 1 }
    guard let origin = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else {
      throw FixtureError("'\(source)' holds no JSON answer")
    }
    var seen: Set<String> = []
    var flows: [DraftFlow] = []
    for exchange in usable {
      let parts = Self.parts(exchange.url)
      guard parts.origin == origin, seen.insert("\(exchange.method) \(parts.path)").inserted else { continue }
      var flow = Self.flow(
        CurlParts(
          method: exchange.method, headers: exchange.requestHeaders,
          body: exchange.requestBody.map { String(decoding: $0, as: UTF8.self) }), parts, name: nil)
      flow.sample = (try? JSONValue(parsing: exchange.body)).map {
        InferredFlow(
          $0, parameters: flow.query.map(\.name), link: exchange.headers.first { $0.name.lowercased() == "link" }?.value
        )
      }
      let name = flow.name
      var number = 2
      while flows.contains(where: { $0.name == flow.name }) {
        flow.name = "\(name)_\(number)"
        number += 1
      }
      flows.append(flow)
    }
    let (text, secrets) = DraftFlow.file(flows, base: origin)
    return Draft(text: text, secrets: secrets)
  }

  private func draft(_ curl: CurlCommand, _ command: InitCommand, _ console: Console) async throws(FixtureError)
    -> Draft
  {
    for word in curl.ignored { console.warn("'\(word)' of the curl command has no place in a flow") }
    let parts = Self.parts(curl.url)
    guard !parts.origin.isEmpty else { throw FixtureError("'\(curl.url)' is no http or https URL") }
    var flow = Self.flow(
      CurlParts(method: curl.method, headers: curl.headers, body: curl.body), parts, name: command.name)
    if !command.offline {
      let answer = try await ask(curl, parts)
      flow.sample = answer.map { InferredFlow($0.value, parameters: flow.query.map(\.name), link: $0.link) }
      if flow.sample == nil { flow.notes.append("The answer was no JSON, so that nothing could be guessed.") }
    }
    let (text, secrets) = DraftFlow.file([flow], base: command.baseURL ?? parts.origin)
    return Draft(text: text, secrets: secrets)
  }

  private struct CurlParts {
    var method: String
    var headers: [RecordedRequest.Field]
    var body: String?
  }

  private static func flow(_ request: CurlParts, _ parts: URLParts, name: String?) -> DraftFlow {
    var flow = DraftFlow(name: name ?? DraftFlow.name(for: parts.path), path: parts.path)
    flow.method = request.method
    flow.query = parts.query
    flow.headers = request.headers
    flow.body = request.body
    if request.body != nil { flow.headers.removeAll { $0.name.lowercased() == "content-type" } }
    return flow
  }

  private func ask(_ curl: CurlCommand, _ parts: URLParts) async throws(FixtureError) -> (
    value: JSONValue, link: String?
  )? {
    guard let method = Resource.Method(rawValue: curl.method.uppercased()) else {
      throw FixtureError("'\(curl.method)' is no method that a flow can use")
    }
    // A draft must not change anything at the server.
    guard method == .GET || method == .HEAD || method == .OPTIONS || method == .POST else { return nil }
    let client = HTTPClient()
    defer { client.shutdown() }
    do throws(ReactorError) {
      let connection = try HTTPConnection(baseURL: parts.origin, client: client)
      let headers = Headers(
        curl.headers.filter { !["host", "content-length", "accept-encoding"].contains($0.name.lowercased()) }.map {
          Headers.Field($0.name, $0.value)
        })
      let response = try await connection.response(
        for: Resource(
          path: parts.path, method: method, body: curl.body.map { Array($0.utf8) }, headers: headers,
          query: parts.query.map { .init($0.name, $0.value) }))
      let body = try await response.body.collect(upTo: 64 << 20)
      guard (200..<300).contains(response.status) else {
        throw ReactorError.server("the server answered \(response.status)")
      }
      return (try? JSONValue(parsing: body)).map { ($0, response.headers["Link"]) }
    } catch {
      throw FixtureError("\(parts.origin): \(error.message)", help: "--offline drafts the flow without asking")
    }
  }

  /// A URL taken apart, with the query's names and values decoded.
  private struct URLParts {
    var origin = ""
    var path = "/"
    var query: [(name: String, value: String)] = []
  }

  private static func parts(_ url: String) -> URLParts {
    // Credentials in a URL are no part of a flow.
    guard let url = try? WebURL(url), url.isHTTP, let origin = url.origin else { return URLParts() }
    return URLParts(
      origin: origin, path: url.path,
      query: (url.query ?? "").split(separator: "&").map { part in
        let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
          PercentCoding.decode($0.replacing("+", with: " "))
        }
        return (pieces[0], pieces.count > 1 ? pieces[1] : "")
      })
  }
}
