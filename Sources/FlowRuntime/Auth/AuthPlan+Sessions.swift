internal import Authorization
internal import Expressions
internal import FlowModel
internal import HTTPTransport
internal import ReactorCore
internal import Records

extension AuthPlan {
  /// Creates the part that adds credentials to requests; nil without credentials.
  func authorization(of plan: FlowPlan, in environment: FlowEnvironment) -> RequestAuthorization? {
    guard let auth else { return nil }
    for secret in auth.secrets { environment.secrets.add(secret) }
    switch auth {
    case .none, .choose: return nil
    case .bearer, .basic, .apiKey: return auth.credential.map { .fixed($0) }
    case .oauth2(let oauth2):
      return .token(session(oauth2.use, plan, environment) { oauth2.session(plan, in: environment) })
    case .login(let login):
      return .token(session(login.use, plan, environment) { login.session(plan, in: environment) })
    case .jwt(let token, let use):
      return .token(
        session(use, plan, environment) {
          TokenSession(
            token.token, wording: use.wording(in: plan.scope), secrets: environment.secrets,
            stopwatch: environment.stopwatch, wallClock: environment.signingClock)
        })
    case .sigv4(let sigv4): return .signature(sigv4.client.dated(by: environment.signingClock))
    case .oauth1(let oauth1): return .oauth1(oauth1.client.dated(by: environment.signingClock))
    case .digest(let account):
      let credentials = DigestCredentials(username: account.username.value, password: account.password.value)
      let key = "\(plan.request.baseURL.origin)\n\(identity.text)\n\(plan.transfer.route)"
      return .digest(environment.digests.session(environment.shared(key, by: plan.id), for: credentials))
    case .sign(let fields):
      let (scope, clock) = (plan.scope, environment.signingClock)
      return .computed { (resource, base) throws(ReactorError) in
        // The time is in whole milliseconds, so that each format of time can write it exactly and the server computes
        // the same signature.
        let time = clock.sinceEpoch().components
        let fraction = Duration.milliseconds(time.attoseconds / 1_000_000_000_000_000)
        let now = WallClock { .seconds(time.seconds) + fraction }.now
        return try fields.completed(resource, base: base, in: EvaluationScope(scope.fixed, now: now))
      }
    }
  }

  /// Returns the token session. Flows with the same credentials, token location and network route share a session.
  private func session(
    _ use: TokenUse, _ plan: FlowPlan, _ environment: FlowEnvironment, _ make: () -> TokenSession
  ) -> TokenSession {
    let key = "\(identity.text)\n\(use.location)\n\(use.value?.value.sourceText ?? "")\n\(plan.transfer.route)"
    return environment.tokens.session(environment.shared(key, by: plan.id), make)
  }
}

extension FlowEnvironment {
  /// The key under which flows share a session. With a transport override (a recording or a replay), each flow has its
  /// own session, because each recording contains everything that its flow needs.
  fileprivate func shared(_ key: String, by flow: String) -> String {
    transportOverride == nil ? key : "\(flow)\n\(key)"
  }
}

extension OAuth2<FilledText, FilledToken> {
  fileprivate func session(_ plan: FlowPlan, in environment: FlowEnvironment) -> TokenSession {
    let (options, mask) = (plan.tokenOptions(in: environment), mask)
    return TokenSession(
      client(persistingIn: environment.state), shown: shownURL, wording: use.wording(in: plan.scope),
      secrets: environment.secrets, stopwatch: environment.stopwatch, wallClock: environment.signingClock
    ) { () throws(ReactorError) -> any Connection in
      let connection = try environment.connection(of: plan, name: "auth", baseURL: tokenURL.value, options)
      return mask.map { MaskedConnection(connection, $0) } ?? connection
    }
  }
}

extension Login<RequestPlan> {
  fileprivate func session(_ plan: FlowPlan, in environment: FlowEnvironment) -> TokenSession {
    var options = plan.tokenOptions(in: environment)
    options.secretHeaderNames += steps.flatMap { $0.request.secretHeaderNames }
    return TokenSession(
      sequence(in: plan.scope), wording: use.wording(in: plan.scope), secrets: environment.secrets,
      stopwatch: environment.stopwatch, wallClock: environment.wallClock
    ) { [options] () throws(ReactorError) -> any Connection in
      try environment.connection(of: plan, name: "auth", baseURL: steps.last?.request.baseText ?? "", options)
    }
  }
}

extension FlowPlan {
  /// The HTTP options of token requests: the network route of the flow, with stricter limits.
  fileprivate func tokenOptions(in environment: FlowEnvironment) -> HTTPOptions {
    var options = transfer.options
    if transfer.proxy == nil { options.proxies = environment.proxies }
    options.secretHeaderNames = request.secretHeaderNames
    options.timeout = min(options.timeout, .seconds(30))
    options.maxBodyBytes = 1 << 20
    options.redirects = HTTPRedirects(scope: .sameOrigin)
    options.hasSecretBody = true
    options.secrets = environment.secrets
    return options
  }
}
