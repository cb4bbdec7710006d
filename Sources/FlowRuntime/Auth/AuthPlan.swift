package import Authorization
package import Expressions
package import JSONSyntax
internal import ReactorCore
package import Records
internal import Storage

/// How a flow's requests are authorized.
///
/// No token is asked for before the first request that needs one.
package struct AuthPlan: Sendable {
  /// How the credential is obtained.
  package enum Way: Sendable {
    /// It is known.
    case fixed(Credential)
    /// A token of an authorization server.
    case oauth2(OAuth2Plan)
    /// A token that requests of the API give.
    case login(LoginPlan)
  }

  /// How a token is sent.
  package struct Use: Sendable {
    package let location: Credential.Location
    /// What stands there, with `token` in it; nil is the usual wording.
    package let value: ExpressionTemplate?

    package init(_ location: Credential.Location, value: ExpressionTemplate?) {
      self.location = location
      self.value = value
    }

    /// Where a token goes and in what words.
    func wording(in scope: EvaluationScope) -> TokenWording {
      guard let value else { return TokenWording(location) }
      return TokenWording(location) { (captures) throws(ReactorError) -> String in
        do throws(ReactorError) {
          return try value.text(in: scope.with(captures.mapValues { .string($0) }))
        } catch {
          throw .server("no token: \(error.message)")
        }
      }
    }
  }

  /// Nil without credentials.
  package var way: Way?
  /// Changes with the declared credentials and not with the tokens obtained with them.
  package var identity = CredentialIdentity.none
  /// Where the credential goes.
  package var location: Credential.Location?
  /// What must not be shown wherever it turns up.
  package var secrets: [String] = []
  /// In a word: `bearer`; nil without credentials.
  package var kind: String?
  /// In words, secrets masked; a refresh token's file is named between the two parts.
  package var shown: (start: String, end: String)?

  /// No credentials.
  package static let none = AuthPlan()

  package init() {}

  /// The credentials in words, with secrets masked.
  ///
  /// - Parameter tokenRoot: the folder below which refresh tokens are stored
  func text(tokenRoot: String) -> String? {
    guard let shown else { return nil }
    guard case .oauth2(let oauth2)? = way, let file = oauth2.refreshTokenFile(below: tokenRoot) else {
      return shown.start + shown.end
    }
    return "\(shown.start) or the newer one in \(file.shown)\(shown.end)"
  }

  /// Digest of the credentials that are declared; nil without credentials.
  var digest: UInt64? { identity == .none ? nil : ContentHash.of(identity.text.utf8) }
}

/// A client of an authorization server.
package struct OAuth2Plan: Sendable {
  package let client: OAuth2Client
  /// The token endpoint.
  package let url: String
  /// The same as it may be shown.
  package let shown: String
  /// For errors, when the URL holds a secret.
  package var mask: URLMask?
  /// The name of the file that has the newest single-use refresh token; nil without one.
  package var tokenFile: String?
  package let use: AuthPlan.Use

  package init(_ client: OAuth2Client, url: String, shown: String, use: AuthPlan.Use) {
    self.client = client
    self.url = url
    self.shown = shown
    self.use = use
  }

  /// The file of the newest refresh token, below a folder.
  func refreshTokenFile(below root: String) -> RefreshTokenFile? {
    tokenFile.map { RefreshTokenFile(root: root, name: $0) }
  }

  /// The client, which replaces single-use refresh tokens below a folder.
  func client(keepingTokensBelow root: String) -> OAuth2Client {
    var client = client
    if case .refreshToken(let token, _) = client.grant, let file = refreshTokenFile(below: root) {
      client.grant = .refreshToken(token, kept: file)
    }
    return client
  }
}

/// Requests of the API itself, the last of which gives a token.
package struct LoginPlan: Sendable {
  /// One request, and what is taken from its response for later ones, by name.
  package typealias Step = (request: RequestPlan, captures: [(name: String, path: JSONPath)])

  /// In order; at least one.
  package let steps: [Step]
  package let token: LoginSequence.TokenLocation
  package let expiry: LoginSequence.Expiry?
  package let use: AuthPlan.Use

  package init(
    _ steps: [Step], token: LoginSequence.TokenLocation, expiry: LoginSequence.Expiry?, use: AuthPlan.Use
  ) {
    self.steps = steps
    self.token = token
    self.expiry = expiry
    self.use = use
  }

  /// The requests, each made of what earlier responses gave.
  func sequence(in scope: EvaluationScope) -> LoginSequence {
    LoginSequence(
      steps.map { step in
        let request = step.request
        return LoginSequence.Step(
          shown: request.shownWithoutQuery, captures: step.captures
        ) { (captures) throws(ReactorError) -> Resource in
          guard let program = request.program else { return request.resource }
          return try program.resource(
            of: request, in: scope.with(captures.mapValues { .string($0) }), for: nil)
        }
      }, token: token, expiry: expiry)
  }
}
