internal import BatchRunner
internal import Fixtures
internal import ReactorCore
internal import RunViews

extension InitDialogue {
  /// Sends the request, and asks for credentials as long as the server wants other ones.
  ///
  /// - Returns: the response, whose status means success
  mutating func authorizedResponse(
    _ proposal: inout FlowProposal
  ) async throws(CommandError) -> DraftRehearsal.Response {
    while true {
      let draft = proposal.file()
      try fillSecrets(of: draft, proposal.flow.secretValues)
      person.say("\(proposal.request.method) \(invocation.out.masked(proposal.request.url))", indent: 2)
      let outcome = try await rehearsal.run(draft, .all, secrets: secrets)
      guard let response = outcome.responses.last else {
        throw CommandError(
          outcome.state.error?.message ?? "the server sent no response",
          help: outcome.state.error?.help ?? "--offline drafts the flow without a request", .notJudged)
      }
      if (200..<300).contains(response.status) { return response }
      guard (400..<500).contains(response.status), response.status != 429 else {
        throw refusal(response, proposal, outcome.state.error)
      }
      if draft.secrets.isEmpty {
        person.complain("the server answered \(response.status)")
      } else {
        person.complain("the server answered \(response.status): it refuses \(draft.secrets.joined(separator: ", "))")
        for name in draft.secrets { secrets[name] = nil }
        refused.formUnion(draft.secrets)
      }
      let wanted = AuthKind(status: response.status, challenge: response.headers["WWW-Authenticate"])
      guard try askAuthorization(&proposal, suggestion: wanted) else { throw refusal(response, proposal, nil) }
    }
  }

  /// Asks for the kind of authorization and its names; what was answered last is suggested.
  ///
  /// - Returns: false for no authorization
  mutating func askAuthorization(_ proposal: inout FlowProposal, suggestion: AuthKind) throws(CommandError) -> Bool {
    let kind = AuthKind(rawValue: try person.ask(AuthKind.question(lastKind?.kind ?? suggestion))) ?? .none
    guard kind != .none else { return false }
    let server = ServerName.word(of: proposal.url.origin)?.uppercased() ?? "API"
    var names: [String] = []
    for (index, question) in kind.questions(server).enumerated() {
      var question = question
      if let lastKind, lastKind.kind == kind { question.suggestion = lastKind.names[index] }
      names.append(try person.ask(question))
    }
    lastKind = (kind, names)
    proposal.auth = kind.auth(names)
    return true
  }

  /// The error of a response that no flow can be made of.
  ///
  /// - Parameter error: what the run says about it, such as where a redirect leads; nil to name the status only
  private func refusal(
    _ response: DraftRehearsal.Response, _ proposal: FlowProposal, _ error: ReactorError?
  ) -> CommandError {
    CommandError(
      "\(proposal.request.method) \(proposal.request.url): "
        + (error?.message ?? "the server answered \(response.status)"),
      help: error?.help ?? "check the URL; --offline drafts the flow without a request", .notJudged)
  }

  /// Finds a value for each secret of a draft: in the request, in the environment, or by asking.
  ///
  /// - Parameter written: the values that the request contains
  private mutating func fillSecrets(of draft: DraftFile, _ written: [String: String]) throws(CommandError) {
    for name in draft.secrets where secrets[name] == nil {
      let value: String
      if let given = written[name], !refused.contains(name) {
        value = given
      } else if let given = invocation.settings.environment[name], !given.isEmpty, !refused.contains(name) {
        person.say("\(name): the value of the environment variable is used")
        value = given
      } else {
        if !hasAskedForSecrets {
          person.say("The value is used for these requests only, and written nowhere. What you type is not shown.")
        }
        hasAskedForSecrets = true
        value = try person.ask(Question(text: "Value of \(name)", form: .secret))
      }
      secrets[name] = value
      invocation.console.hide([name: value])
    }
  }
}
