internal import BatchRunner
internal import Fixtures
internal import JSONSyntax
internal import ReactorCore
internal import RunViews
internal import SourceDiagnostics
internal import Storage

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The dialogue of `reactor init` in a terminal: from a URL to a flow file that runs.
///
/// Nothing is written outside of a temporary folder before the last question.
struct InitDialogue {
  let invocation: Invocation
  let command: InitCommand
  let person: any Respondent
  let rehearsal: DraftRehearsal
  /// The values of secrets by name, for the requests of this dialogue only.
  var secrets: [String: String] = [:]
  /// Whether a person has been asked for the value of a secret.
  var hasAskedForSecrets = false
  /// The names of the secrets whose values a server refused.
  var refused: Set<String> = []
  /// The kind of authorization that was answered last, and its names.
  var lastKind: (kind: AuthKind, names: [String])?

  var style: TextStyle { person.style }

  /// Asks a person at the terminal of this process.
  static func run(_ command: InitCommand, _ invocation: Invocation) async throws(CommandError) -> ExitCode {
    let folder: String
    do throws(FixtureError) {
      folder = try FixtureFiles.makeTemporaryFolder(invocation.settings.environment)
    } catch {
      throw CommandError(error, .notWritten)
    }
    defer { FixtureFiles.removeTree(folder) }
    let terminal = TerminalRespondent(invocation.out, style: invocation.console.outStyle)
    let signals = invocation.signals
    signals?.act(
      SignalWatch.Actions(
        grace: .zero,
        stop: {
          // Nobody can be waited for who is about to read a line.
          terminal.restore()
          FixtureFiles.removeTree(folder)
          terminal.show("\n")
          _exit((signals?.exitCode ?? .interrupted).rawValue)
        }, report: {}))
    var dialogue = InitDialogue(
      invocation: invocation, command: command, person: terminal,
      rehearsal: DraftRehearsal(invocation: invocation, folder: folder))
    return try await dialogue.run()
  }

  /// Asks from the first question to the last; returns the exit code.
  mutating func run() async throws(CommandError) -> ExitCode {
    let written: InitSource?
    do throws(FixtureError) {
      written = try command.writtenSource
    } catch {
      throw CommandError(error, .notJudged)
    }
    let source = if let written { written } else { try askSource() }
    switch source {
    case .example(let name): return try command.writeStart(name, invocation.console)
    case .draft(let draft, let name): return try write(draft, named: name)
    case .request(let request): return try await draft(request)
    }
  }

  private func askSource() throws(CommandError) -> InitSource {
    person.say("What shall the flow pull? A URL, a file (JSON, HAR, OpenAPI), a curl command, or an example:")
    person.say("  " + StartingFlow.all.map(\.name).joined(separator: ", "), indent: 2)
    while true {
      var text = try person.ask(Question(text: "Source"))
      while InitSource.isUnfinished(text), let line = person.furtherLine() { text += "\n" + line }
      do throws(FixtureError) {
        return try InitSource(text, name: command.name, base: command.baseURL)
      } catch {
        person.complain(error.message, help: error.help)
      }
    }
  }

  /// Drafts a flow from a request and its responses.
  private mutating func draft(_ request: CurlCommand) async throws(CommandError) -> ExitCode {
    var proposal: FlowProposal
    do throws(FixtureError) {
      proposal = try FlowProposal(request, name: command.name)
    } catch {
      throw CommandError(error, .notJudged)
    }
    for word in request.ignored {
      person.complain("'\(word)' of the curl command is ignored: a flow has no such key")
    }
    guard proposal.isHarmless else {
      throw CommandError(
        "\(request.method) may change something on the server, so that nothing is sent",
        help: "-o FILE writes a draft without a request", .notJudged)
    }
    var response = try await authorizedResponse(&proposal)
    if proposal.flow.auth == nil, try !person.agrees("Go on without authorization?", suggestion: true) {
      if try askAuthorization(&proposal, suggestion: .bearer) { response = try await authorizedResponse(&proposal) }
    }
    guard let body = try? JSONValue(parsing: response.body) else {
      throw CommandError(
        "the response is not JSON\(response.headers["Content-Type"].map { " (\($0))" } ?? "")",
        help: "-o FILE writes a draft; 'reactor explain decode' shows how a flow reads CSV, XML and others", .notJudged)
    }
    proposal.sample = InferredFlow(body, headers: response.headers)
    show(proposal)
    try offerCursor(&proposal)
    try await confirmPages(&proposal)
    try await preview(proposal)
    return try write(proposal.file(base: command.baseURL), named: proposal.flow.name)
  }

  /// Shows what was found in the responses.
  func show(_ proposal: FlowProposal) {
    guard let sample = proposal.sample else { return }
    guard sample.count > 0 else {
      person.complain(
        "the response has no records, so that nothing could be guessed: the flow stores them as they come")
      return
    }
    person.say("\(Quantity.count(sample.count, "record")) at \(sample.records): \(sample.recordsGuess)", indent: 2)
    let key =
      sample.key.map { "key: \($0), which differs in all of them" } ?? "key: none found; 'schema.key' can name one"
    person.say("  \(key)", indent: 4)
  }

  private func offerCursor(_ proposal: inout FlowProposal) throws(CommandError) {
    guard let cursor = proposal.proposedCursor else { return }
    person.say(
      "The request has '\(cursor.query)', and the records have '\(cursor.field)': later runs can ask only for what is new."
    )
    if try person.agrees("Only what is new?", suggestion: true) { proposal.cursor = cursor }
  }

  /// Shows the first records as the flow maps them.
  private func preview(_ proposal: FlowProposal) async throws(CommandError) {
    // Sends what the last request for a page has not sent, which usually is nothing.
    _ = try await rehearsal.run(proposal.file(), .new, secrets: secrets)
    let outcome = try await rehearsal.run(proposal.file(), .none, secrets: secrets)
    let state = outcome.state
    if state.status != .passed, let error = state.error {
      person.complain("the flow would fail: \(invocation.out.masked(error.message))", help: error.help)
      return
    }
    guard !outcome.records.isEmpty else { return }
    person.show("\n")
    let table = RecordTable(records: Array(outcome.records.prefix(3)), width: person.width)
    for line in table.lines(style) { person.show(line + "\n") }
    person.show("\n")
    guard state.rejected > 0 else { return }
    let first = state.rejections.first.map { ": " + invocation.out.masked($0.description) } ?? ""
    person.complain("\(Quantity.count(state.rejected, "record")) would be rejected\(first)")
  }
}
