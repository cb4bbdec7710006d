internal import ReactorCore
internal import Storage

/// Obtains tokens from an authorization server.
struct OAuth2TokenSource: TokenSource {
  let client: OAuth2Client
  let request: TokenRequest
  let wording: TokenWording
  let wallClock: WallClock

  var mustFinish: Bool {
    if case .refreshToken(_, .some) = client.grant { true } else { false }
  }

  func obtain(_ secrets: KnownSecrets) async throws(ReactorError) -> ObtainedToken {
    for secret in client.secrets { secrets.add(secret) }
    switch client.grant {
    case .clientCredentials, .assertion:
      return try token(in: try await response(refreshToken: nil, secrets), secrets)
    case .refreshToken(let token, nil):
      return try self.token(in: try await response(refreshToken: token, secrets), secrets)
    case .refreshToken(let configured, let document?):
      return try await rotate(configured, document, secrets)
    }
  }

  /// Sends the request for a token, with newly signed assertions.
  private func response(
    refreshToken: String?, _ secrets: KnownSecrets
  ) async throws(ReactorError) -> TokenResponse {
    let now = wallClock.sinceEpoch()
    var grant: String?
    if case .assertion(let assertion) = client.grant { grant = try assertion.signed(at: now) }
    let own = try client.assertion?.signed(at: now)
    for assertion in [grant, own].compactMap({ $0 }) { secrets.add(assertion) }
    return try await request.response(
      to: client.request(refreshToken: refreshToken, assertion: grant, clientAssertion: own))
  }

  /// Sends the newest refresh token, and persists the one that replaces it before the access token is used.
  private func rotate(
    _ configured: String, _ document: RefreshTokenDocument, _ secrets: KnownSecrets
  ) async throws(ReactorError) -> ObtainedToken {
    // The lock is held until the new token is persisted. Otherwise another process would send the old token again.
    let lock = try await document.lock()
    let response: TokenResponse
    do throws(ReactorError) {
      response = try await rotate(configured, document, under: lock, secrets)
    } catch {
      await lock.release()
      throw error
    }
    await lock.release()
    return try token(in: response, secrets)
  }

  private func rotate(
    _ configured: String, _ document: RefreshTokenDocument, under lock: any DocumentLock, _ secrets: KnownSecrets
  ) async throws(ReactorError) -> TokenResponse {
    let persisted = try await document.read(configured: configured)
    if let persisted { secrets.add(persisted, inPlaceOf: configured) }
    let current = persisted ?? configured
    let response: TokenResponse
    do throws(ReactorError) {
      response = try await self.response(refreshToken: current, secrets)
    } catch {
      var error = error
      if persisted != nil, error.status == 400 || error.status == 401 {
        error.message +=
          " (the refresh token was the one persisted in \(document.shown); to start over, configure another one)"
      }
      throw error
    }
    if let next = try request.read(response, by: ModelMapping<NextRefreshToken>()).text {
      secrets.add(next, inPlaceOf: configured)
      if next != current { try await document.write(next, configured: configured, under: lock) }
    }
    return response
  }

  private func token(in response: TokenResponse, _ secrets: KnownSecrets) throws(ReactorError) -> ObtainedToken {
    let token = try request.read(response, by: ModelMapping<AccessToken>())
    secrets.add(token.text)
    if wording.isUsual, let type = token.type, type.lowercased() != "bearer" {
      throw request.failure(
        "the token is of the type '\(type.prefix(40))', not 'Bearer'; declare with 'value' how it is sent")
    }
    return ObtainedToken(credential: try wording.credential(token.text), lifetime: token.lifetime)
  }
}
