internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Storage

/// Tokens of servers of changes: the last page gives one, and the next run sends it to get what is new since then.
extension PageReading {
  /// The token of the page; nil if it has none.
  ///
  /// - Throws: `.parser` for what is neither a text nor an integer.
  func token(at path: JSONPath) throws(ReactorError) -> String? {
    switch try path.found(in: try envelope()).first {
    case nil, .null?, .string("")?: return nil
    case .string(let text)?: return text
    case .number(let number)? where number.int64 != nil: return number.text
    case let found?:
      var error = ReactorError.parser("expected a text as the token at \(path.text), found \(found.kindName)")
      error.key = "cursor.token"
      throw error
    }
  }
}

extension Pull {
  /// Throws when a whole pull gave no token: the next run would not know where to go on.
  func checkToken(_ outcome: Outcome) throws(ReactorError) {
    guard let path = plan.cursor?.token, outcome.token == nil, outcome.cut == nil, let envelope = outcome.envelope
    else { return }
    var error = ReactorError.parser(
      "no page has a token at \(path.text), so the next run would not know where to go on")
    error.key = "cursor.token"
    if let steps = path.singularSteps, let root = try? JSONValue(parsing: envelope) {
      let missing = MissingPath(steps, in: root)
      error.message += "; \(missing.words)"
      error.help = missing.suggestion.map { "did you mean '\($0)'?" }
    }
    throw error
  }

  /// The outcome with the URL of its token whole. A link may be relative, and must not lead to another origin.
  func resolvingToken(_ outcome: Outcome) throws(ReactorError) -> Outcome {
    guard plan.cursor?.isTokenURL ?? false, let token = outcome.token else { return outcome }
    var outcome = outcome
    outcome.token = try NextLink.resolving(token, from: plan.request.baseURL.origin + "/", as: "the token")
    return outcome
  }
}

extension FlowPlan {
  /// Whether an error says that the server no longer knows a token.
  func refusesToken(_ error: ReactorError) -> Bool { cursor?.token != nil && error.status == 410 }
}

extension DeclaredFlow {
  /// The flow as it begins anew after the server refused its token; nil where that is not what the error says.
  ///
  /// The result is replaced as a whole, because nobody knows what was deleted meanwhile. The flow with parents asks for
  /// the one parent anew (`Pull.runRange`).
  ///
  /// - Throws: the error with what to do, for a result that keeps what it has
  func startingAnew(after error: ReactorError) async throws(ReactorError) -> DeclaredFlow? {
    guard plan.refusesToken(error), plan.each == nil, !plan.isFullRefresh else { return nil }
    let known = try await rememberedState()?.value
    guard known != nil || plan.since != nil else { return nil }
    guard plan.result.mode != .append else {
      var error = error
      error.key = "cursor.token"
      error.help =
        "the server no longer knows the token: what changed meanwhile is lost, or comes again with --full-refresh, "
        + "which replaces the result"
      throw error
    }
    var plan = plan
    plan.isFullRefresh = true
    plan.since = nil
    return DeclaredFlow(plan, in: environment)
  }
}
