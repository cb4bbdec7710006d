package import Authorization
package import Expressions
package import JSONSyntax
internal import ReactorCore
internal import Records
internal import Storage

/// Declares how a flow's requests are authorized.
///
/// A token is requested only before the first request that needs it.
package struct AuthPlan: Sendable {
  /// How the credential is obtained.
  package enum Source: Sendable {
    /// The flow declares the credential itself.
    case fixed(Credential)
    /// The credential is a token from an authorization server.
    case oauth2(OAuth2Plan)
    /// The credential is a token from a login request to the API itself.
    case login(LoginPlan)
    /// The credential is a token that the run signs itself.
    case signed(SignedPlan)
    /// Each request is signed.
    case signature(RequestSignature)
    /// Each request is signed with the keys of a client and a token.
    case oauth1(OAuth1Signature)
    /// The server's challenge is answered.
    case digest(DigestCredentials)
    /// Headers and parameters are computed over each request.
    case computed(ComputedFieldsPlan)
  }

  /// How a token is sent.
  package struct Use: Sendable {
    package let location: Credential.Location
    /// The template of the sent value, which uses `token`; nil for the usual format.
    package let value: ExpressionTemplate?

    package init(_ location: Credential.Location, value: ExpressionTemplate?) {
      self.location = location
      self.value = value
    }

    /// The location of a token in a request and the text around the token.
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

  /// How the credential is obtained; nil without credentials.
  package var source: Source?
  /// The identity of the declared credentials. It does not change with the tokens obtained with them.
  package var identity = CredentialIdentity.none
  /// The location of the credential in a request.
  package var location: Credential.Location?
  /// The names of headers that are dropped on a redirect to another origin, beside that of `location`.
  package var secretHeaderNames: [String] = []
  /// The secret texts that must never be shown anywhere.
  package var secrets: [String] = []
  /// The kind in one word, such as `bearer`; nil without credentials.
  package var kind: String?
  /// A description with secrets masked, in two parts. The path of the refresh token's file goes between them.
  package var shown: (start: String, end: String)?

  /// A plan without credentials.
  package static let none = AuthPlan()

  package init() {}

  /// A description of the credentials, with secrets masked.
  ///
  /// - Parameter tokenRoot: the folder below which refresh tokens are stored
  func text(tokenRoot: String) -> String? {
    guard let shown else { return nil }
    guard case .oauth2(let oauth2)? = source, let file = oauth2.refreshTokenFile(below: tokenRoot) else {
      return shown.start + shown.end
    }
    return "\(shown.start) or the newer one in \(file.shown)\(shown.end)"
  }

  /// The same plan, whose description says which kind was chosen.
  package func chosen(_ words: (start: String, end: String)?) -> AuthPlan {
    guard let words else { return self }
    var plan = self
    plan.shown = (words.start + (shown?.start ?? "none"), (shown?.end ?? "") + words.end)
    return plan
  }

  /// A digest of the declared credentials; nil without credentials.
  var digest: UInt64? { identity == .none ? nil : ContentHash.of(identity.text.utf8) }
}

/// A plan that obtains tokens as an OAuth 2.0 client.
package struct OAuth2Plan: Sendable {
  package let client: OAuth2Client
  /// The URL of the token endpoint.
  package let url: String
  /// The URL of the token endpoint with secrets masked.
  package let shown: String
  /// Masks the URL in errors; nil when the URL contains no secret.
  package var mask: URLMask?
  /// The name of the file with the newest single-use refresh token; nil without such a token.
  package var tokenFile: String?
  package let use: AuthPlan.Use

  package init(_ client: OAuth2Client, url: String, shown: String, use: AuthPlan.Use) {
    self.client = client
    self.url = url
    self.shown = shown
    self.use = use
  }

  /// The file with the newest refresh token, below a folder.
  func refreshTokenFile(below root: String) -> RefreshTokenFile? {
    tokenFile.map { RefreshTokenFile(root: root, name: $0) }
  }

  /// The client with its refresh token file below a folder. The client persists new single-use refresh tokens there.
  func client(keepingTokensBelow root: String) -> OAuth2Client {
    var client = client
    if case .refreshToken(let token, _) = client.grant, let file = refreshTokenFile(below: root) {
      client.grant = .refreshToken(token, persisted: file)
    }
    return client
  }
}

/// A plan that signs its tokens itself.
package struct SignedPlan: Sendable {
  package let token: JSONWebToken
  package let use: AuthPlan.Use

  package init(_ token: JSONWebToken, use: AuthPlan.Use) {
    self.token = token
    self.use = use
  }
}

/// A plan that logs in with requests to the API itself. The last response contains the token.
package struct LoginPlan: Sendable {
  /// One request, and the named values that later requests use from its response.
  package typealias Step = (request: RequestPlan, captures: [(name: String, path: JSONPath)])

  /// The steps in order; at least one.
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

  /// The login requests. Each one can use values from the earlier responses.
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
