internal import Authorization
internal import Expressions
internal import HTTPTransport
internal import ReactorCore
internal import Records

extension AuthPlan {
  /// What puts the credentials on requests; nil without credentials.
  func authorization(of plan: FlowPlan, in environment: FlowEnvironment) -> RequestAuthorization? {
    for secret in secrets { environment.secrets.add(secret) }
    switch way {
    case nil: return nil
    case .fixed(let credential)?: return .fixed(credential)
    case .oauth2(let oauth2)?:
      return .token(
        session(oauth2.use, plan, environment) { oauth2.session(plan, in: environment) })
    case .login(let login)?:
      return .token(session(login.use, plan, environment) { login.session(plan, in: environment) })
    }
  }

  /// Flows share a session that have the same credentials, sent the same way, asked for by the same way.
  private func session(
    _ use: Use, _ plan: FlowPlan, _ environment: FlowEnvironment, _ make: () -> TokenSession
  ) -> TokenSession {
    let options = plan.transfer.options
    let way = "\(options.proxies)\n\(String(describing: options.allow))\n\(options.certificateFile ?? "")"
    let key = "\(identity.text)\n\(use.place)\n\(use.value?.sourceText ?? "")\n\(way)"
    // Each recording holds all that its flow needs, its token too.
    return environment.tokens.session(environment.seam == nil ? key : "\(plan.id)\n\(key)", make)
  }
}

extension OAuth2Plan {
  fileprivate func session(_ plan: FlowPlan, in environment: FlowEnvironment) -> TokenSession {
    let options = plan.tokenOptions(environment.secrets)
    return TokenSession(
      client, shown: shown, wording: use.wording(in: plan.scope), secrets: environment.secrets,
      stopwatch: environment.stopwatch
    ) { () throws(ReactorError) -> any Connection in
      let connection = try environment.connection(of: plan.id, name: "auth", baseURL: url, options)
      return mask.map { MaskedConnection(connection, $0) } ?? connection
    }
  }
}

extension LoginPlan {
  fileprivate func session(_ plan: FlowPlan, in environment: FlowEnvironment) -> TokenSession {
    var options = plan.tokenOptions(environment.secrets)
    options.secretHeaderNames += steps.flatMap { $0.request.secretHeaderNames }
    return TokenSession(
      sequence(in: plan.scope), wording: use.wording(in: plan.scope), secrets: environment.secrets,
      stopwatch: environment.stopwatch, wallClock: environment.wallClock
    ) { [options] () throws(ReactorError) -> any Connection in
      try environment.connection(of: plan.id, name: "auth", baseURL: steps.last?.request.baseText ?? "", options)
    }
  }
}

extension FlowPlan {
  /// Options of requests for tokens: the flow's way to servers, with limits of their own.
  fileprivate func tokenOptions(_ secrets: KnownSecrets) -> HTTPOptions {
    var options = transfer.options
    options.timeout = min(options.timeout, .seconds(30))
    options.maxBodyBytes = 1 << 20
    options.redirects = HTTPRedirects(scope: .sameOrigin)
    options.hasSecretBody = true
    options.secrets = secrets
    return options
  }
}
