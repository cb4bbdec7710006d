internal import JSONSyntax
internal import ReactorCore
internal import TimeSyntax

/// Obtains tokens from the login requests of an API.
struct LoginTokenSource: TokenSource {
  let sequence: LoginSequence
  let connection: @Sendable () throws(ReactorError) -> any Connection
  let wording: TokenWording
  let wallClock: WallClock

  let mustFinish = false

  func obtain(_ secrets: KnownSecrets) async throws(ReactorError) -> ObtainedToken {
    var captures: [String: String] = [:]
    for (index, step) in sequence.steps.enumerated() {
      let request = TokenRequest(connection: connection, shown: step.shown)
      let response: TokenResponse
      do throws(ReactorError) {
        response = try await request.response(to: try step.resource(captures))
      } catch {
        throw Self.named(error, index + 1, of: sequence.steps.count)
      }
      let isLast = index == sequence.steps.count - 1
      let values = try request.read(response, by: mapping(of: step, isLast: isLast, response.headers, secrets))
      captures.merge(values.captures) { $1 }
      if let token = values.token {
        return ObtainedToken(credential: try wording.credential(token, captures), lifetime: values.lifetime)
      }
    }
    throw .server("no token: the login has no request")
  }

  /// The values from one response.
  private struct Values: Sendable {
    var captures: [String: String] = [:]
    /// The token; nil before the last response.
    var token: String?
    var lifetime: Duration?
  }

  /// Returns the mapping that the flow file declares for the response of a step.
  ///
  /// Each value is added to the secrets as soon as it is read.
  private func mapping(
    of step: LoginSequence.Step, isLast: Bool, _ headers: Headers, _ secrets: KnownSecrets
  ) -> ModelMapping<Values> {
    ModelMapping(
      decode: { (json) throws(MappedError) -> Values in
        var values = Values()
        for capture in step.captures {
          let text = try Self.text(at: capture.path, in: json)
          secrets.add(text)
          values.captures[capture.name] = text
        }
        guard isLast else { return values }
        let token = try token(in: json, headers)
        secrets.add(token)
        values.token = token
        values.lifetime = try lifetime(in: json)
        return values
      }, encode: { _ in nil })
  }

  private func token(in json: JSONValue, _ headers: Headers) throws(MappedError) -> String {
    switch sequence.token {
    case .body(let path): return try Self.text(at: path, in: json)
    case .header(let name):
      guard let value = headers[name], !value.isEmpty else {
        throw MappedError("the response has no header '\(name)', where the token should be")
      }
      return value
    }
  }

  /// Returns the single text or number at a path. Control characters are rejected, because they could split a header.
  private static func text(at path: JSONPath, in json: JSONValue) throws(MappedError) -> String {
    let values = Self.found(path, in: json)
    guard values.count == 1 else {
      throw MappedError("the response has \(values.isEmpty ? "nothing" : "several values") at \(path.text)")
    }
    let text: String
    switch values[0] {
    case .string(let string): text = string
    case .number(let number): text = number.text
    default: throw MappedError("expected a text at \(path.text), found \(values[0].kindName)")
    }
    guard !text.isEmpty, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw MappedError("the value at \(path.text) in the response is empty or contains a control character")
    }
    return text
  }

  private func lifetime(in json: JSONValue) throws(MappedError) -> Duration? {
    switch sequence.expiry {
    case nil: return nil
    case .after(let duration): return duration
    case .path(let path):
      guard let value = Self.found(path, in: json).first else {
        throw MappedError("the response has nothing at \(path.text), where its expiry should be")
      }
      if let seconds = TokenLifetime.seconds(value) { return seconds }
      guard let text = value.string, let moment = InstantText.instant(text) else {
        throw MappedError("expected seconds or an ISO 8601 time at \(path.text), found \(value.kindName)")
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

extension LoginTokenSource {
  /// The values at a path; none if finding them takes too many steps, so that the token counts as missing.
  fileprivate static func found(_ path: JSONPath, in json: JSONValue) -> [JSONValue] {
    (try? path.values(in: json, budget: 1_000_000)) ?? []
  }
}
