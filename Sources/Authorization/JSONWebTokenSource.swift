internal import ReactorCore

/// A source whose tokens this program signs itself, without a request to a server.
struct JSONWebTokenSource: TokenSource {
  let token: JSONWebToken
  let wording: TokenWording
  let wallClock: WallClock

  let mustFinish = false

  func obtain(_ secrets: KnownSecrets) async throws(ReactorError) -> ObtainedToken {
    let text = try token.signed(at: wallClock.sinceEpoch())
    secrets.add(text)
    return ObtainedToken(credential: try wording.credential(text), lifetime: token.lifetime)
  }
}
