internal import JSONSyntax
internal import ReactorCore

/// Tokens of an authorization server.
struct OAuth2TokenSource: TokenSource {
  let client: OAuth2Client
  let request: TokenRequest
  let wording: TokenWording

  var mustFinish: Bool {
    if case .refreshToken(_, .some) = client.grant { true } else { false }
  }

  func obtain(_ secrets: KnownSecrets) async throws(ReactorError) -> ObtainedToken {
    for secret in client.secrets { secrets.add(secret) }
    switch client.grant {
    case .clientCredentials:
      return try token(in: try await request.answer(to: client.request(refreshToken: nil)), secrets)
    case .refreshToken(let token, nil):
      secrets.add(token)
      return try self.token(in: try await request.answer(to: client.request(refreshToken: token)), secrets)
    case .refreshToken(let configured, let file?):
      return try await rotate(configured, file, secrets)
    }
  }

  /// Sends the newest refresh token and keeps the one that replaces it before anything else is done with the response.
  private func rotate(
    _ configured: String, _ file: RefreshTokenFile, _ secrets: KnownSecrets
  ) async throws(ReactorError) -> ObtainedToken {
    // Held until the new one is kept: another process would send the old one a second time.
    let lock = try await file.lock()
    defer { lock.release() }
    let kept = try file.read(configured: configured)
    if let kept { secrets.add(kept, inPlaceOf: configured) }
    let current = kept ?? configured
    let answer: TokenRequest.TokenResponse
    do throws(ReactorError) {
      answer = try await request.answer(to: client.request(refreshToken: current))
    } catch {
      var error = error
      if kept != nil, error.status == 400 || error.status == 401 {
        error.message += " (the refresh token was the one kept in \(file.shown); to begin anew, configure another one)"
      }
      throw error
    }
    if let next = answer.json["refresh_token"]?.string, !next.isEmpty {
      secrets.add(next, inPlaceOf: configured)
      if next != current { try file.write(next, configured: configured) }
    }
    return try token(in: answer, secrets)
  }

  /// RFC 6749, section 5.1.
  private func token(
    in answer: TokenRequest.TokenResponse, _ secrets: KnownSecrets
  ) throws(ReactorError) -> ObtainedToken {
    guard let token = answer.json["access_token"]?.string, !token.isEmpty else {
      throw request.failure("the response holds no 'access_token'")
    }
    secrets.add(token)
    if wording.isUsual, let type = answer.json["token_type"]?.string, type.lowercased() != "bearer" {
      throw request.failure(
        "the token is of the type '\(type.prefix(40))', not 'Bearer'; say with 'value' how it is sent")
    }
    return ObtainedToken(
      credential: try wording.credential(token), lifetime: TokenLifetime.seconds(answer.json["expires_in"]))
  }
}
