internal import JSONSyntax
internal import ReactorCore
internal import TimeSyntax

/// Tokens that an API gives itself.
struct LoginTokenSource: TokenSource {
  let sequence: LoginSequence
  let connection: @Sendable () throws(ReactorError) -> any Connection
  let wording: TokenWording
  let wallClock: WallClock

  let mustFinish = false

  func obtain(_ secrets: KnownSecrets) async throws(ReactorError) -> ObtainedToken {
    var captures: [String: String] = [:]
    for (place, step) in sequence.steps.enumerated() {
      let request = TokenRequest(connection: connection, shown: step.shown)
      let answer: TokenRequest.TokenResponse
      do throws(ReactorError) {
        answer = try await request.answer(to: try step.resource(captures))
      } catch {
        throw Self.named(error, place + 1, of: sequence.steps.count)
      }
      for capture in step.captures {
        let text = try text(at: capture.path, in: answer, request)
        secrets.add(text)
        captures[capture.name] = text
      }
      guard place == sequence.steps.count - 1 else { continue }
      let token = try token(in: answer, request)
      secrets.add(token)
      return ObtainedToken(
        credential: try wording.credential(token, captures), lifetime: try lifetime(in: answer, request))
    }
    throw .server("no token: the login has no request")
  }

  private func token(in answer: TokenRequest.TokenResponse, _ request: TokenRequest) throws(ReactorError) -> String {
    switch sequence.token {
    case .body(let path):
      return try text(at: path, in: answer, request)
    case .header(let name):
      guard let value = answer.headers[name], !value.isEmpty else {
        throw request.failure("the response has no header '\(name)', where the token should be")
      }
      return value
    }
  }

  /// One text or number; control characters could split a header.
  private func text(
    at path: JSONPath, in answer: TokenRequest.TokenResponse, _ request: TokenRequest
  ) throws(ReactorError) -> String {
    let values = path.values(in: answer.json)
    guard values.count == 1 else {
      throw request.failure(
        values.isEmpty
          ? "the response holds nothing at \(path.text)" : "the response holds several values at \(path.text)")
    }
    let text: String
    switch values[0] {
    case .string(let string): text = string
    case .number(let number): text = number.text
    default:
      throw request.failure("what the response holds at \(path.text) is of type \(values[0].kindName), not a text")
    }
    guard !text.isEmpty, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw request.failure("what the response holds at \(path.text) is empty or holds a control character")
    }
    return text
  }

  private func lifetime(in answer: TokenRequest.TokenResponse, _ request: TokenRequest) throws(ReactorError)
    -> Duration?
  {
    switch sequence.expiry {
    case nil: return nil
    case .after(let duration): return duration
    case .path(let path):
      guard let value = path.values(in: answer.json).first else {
        throw request.failure("the response holds nothing at \(path.text), where its expiry should be")
      }
      if let seconds = TokenLifetime.seconds(value) { return seconds }
      guard let text = value.string, let moment = InstantText.instant(text) else {
        throw request.failure("what the response holds at \(path.text) is neither seconds nor an ISO 8601 time")
      }
      return max(.seconds(moment.secondsSince1970) - wallClock.sinceEpoch(), .zero)
    }
  }

  private static func named(_ error: ReactorError, _ step: Int, of count: Int) -> ReactorError {
    guard count > 1, error.kind != .cancelled else { return error }
    var error = error
    error.message += " (login request \(step) of \(count))"
    return error
  }
}
