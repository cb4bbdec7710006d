internal import Expressions
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import ReactorCore
internal import SourceDiagnostics

/// Resolves the authorization of a flow. Reports values that cannot be resolved, with their source location.
struct AuthResolver {
  let scope: ResolutionScope
  var diagnostics = DiagnosticBag()

  init(scope: ResolutionScope) { self.scope = scope }

  /// Returns the authorization of a flow; nil after an error was reported.
  ///
  /// - Parameter choice: texts that name the chosen case of `choose`: one is shown before the description of the
  ///   authorization, one after it; nil without `choose`
  mutating func plan(_ declaration: FlowDeclaration, choice: (start: String, end: String)?) -> AuthPlan? {
    guard let declared = declaration.auth?.value else { return AuthPlan() }
    let auth = resolved(declared, declaration.id, declaration.pull.request.baseURL)
    guard let auth, !diagnostics.hasErrors else { return nil }
    var secrets: [String?] = []
    if case .sign(let fields) = declared {
      let names = (fields.query + fields.headers).flatMap(\.value.value.secretNames)
      secrets = names.map { scope.secrets[$0]?.reveal() }
    }
    return AuthPlan(auth, choice: choice, secrets: secrets)
  }

  /// Whether a user name contains a colon. Colons in the placeholders for secrets in a replay do not count.
  private func holdsColon(_ text: FilledText) -> Bool {
    let secrets = text.template.secretNames.compactMap { scope.secrets[$0] }.filter { $0.placeholder != nil }
    return secrets.reduce(text.value) { $0.replacing($1.reveal(), with: "") }.contains(":")
  }

  private mutating func resolved(_ auth: WrittenAuth, _ flow: String, _ base: Located<Template>) -> ResolvedAuth? {
    switch auth {
    // The kind was chosen before.
    case .none, .choose: return ResolvedAuth.none
    case .bearer(let token): return .bearer(filled(token))
    case .apiKey(let location, let key): return .apiKey(location, filled(key))
    case .basic(let declared):
      let account = declared.map { filled($0) }
      refuse(
        if: holdsColon(account.username), "the user name contains a colon, where the password would begin",
        at: declared.username)
      return .basic(account)
    case .digest(let declared):
      let account = declared.map { filled($0) }
      refuse(if: holdsColon(account.username), "the user name contains a colon", at: declared.username)
      refuse(if: account.username.value.isEmpty, "the user name is empty", at: declared.username)
      return .digest(account)
    case .sigv4(let declared):
      var keys = declared.map { filled($0) }
      keys.service = scopePart(keys.service, "service", at: declared.service)
      keys.region = scopePart(keys.region, "region", at: declared.region)
      keys.accessKey = scopePart(keys.accessKey, "key_id", at: declared.accessKey)
      refuse(if: keys.secretKey.value.isEmpty, "the secret key is empty", at: declared.secretKey)
      return .sigv4(keys)
    case .oauth1(let declared): return .oauth1(oauth1(declared, base))
    case .oauth2(let declared): return oauth2(declared).map { .oauth2($0) }
    case .jwt(let declared, let use): return token(declared).map { .jwt($0, use: self.use(use)) }
    case .login(let declared):
      var resolver = RequestResolver(scope: scope)
      // Placeholders replace values that only a response contains. So this reports every value that cannot be resolved.
      var login = declared.mapRequests { (request: RequestDeclaration) -> RequestPlan? in
        resolver.request(request.sent(to: declared.baseURL ?? base), of: flow)
      }
      diagnostics.merge(resolver.diagnostics)
      login?.use = use(declared.use)
      return login.map { .login($0) }
    case .sign(let declared):
      var fields = declared
      fields.query = declared.query.map { bound($0) }
      fields.headers = declared.headers.map { bound($0) }
      return .sign(fields)
    }
  }

  private mutating func oauth1(_ declared: OAuth1<Located<Template>>, _ base: Located<Template>) -> OAuth1<FilledText> {
    let keys = declared.map { filled($0) }
    let server = declared.signature == .plaintext ? filled(base).value : nil
    refuse(if: keys.consumerKey.value.isEmpty, "the key of the client is empty", at: declared.consumerKey)
    refuse(if: keys.token?.value == "", "the token is empty", at: declared.token)
    refuse(
      if: keys.realm?.value.contains { $0 == "\"" || $0 == "\\" } ?? false, "the realm contains a quote or a backslash",
      at: declared.realm)
    refuse(
      if: server.map { !$0.lowercased().hasPrefix("https:") } ?? false,
      "'algorithm: PLAINTEXT' would send the secrets without encryption", at: declared.consumerSecret)
    return keys
  }

  private mutating func oauth2(
    _ written: OAuth2<Located<Template>, SignedToken>
  ) -> OAuth2<FilledText, FilledToken>? {
    var declared = written
    declared.params.removeAll {
      $0.value.value.isOptional && (try? $0.value.value.resolveEach(with: scope))?.isEmpty == true
    }
    var client: OAuth2<FilledText, FilledToken> = declared.map { filled($0) }
    client.use = use(declared.use)
    guard !diagnostics.hasErrors else { return nil }
    do throws(ReactorError) {
      _ = try BaseURL(parsing: client.tokenURL.value)
    } catch {
      diagnostics.report(Diagnostic(FlowCode.invalidURL.code, error.message, at: declared.tokenURL.range))
      return nil
    }
    guard let assertion = declared.assertion else { return client }
    // Claims that the other keys say.
    let id = client.clientID?.value ?? ""
    let names = id.isEmpty ? [] : client.grant == .jwtBearer ? ["iss"] : ["iss", "sub"]
    client.assertion = token(assertion, defaults: names.map { ($0, id) } + [("aud", client.tokenURL.value)])
    return client.assertion == nil ? nil : client
  }

  /// Binds a template without evaluating its expressions: `now()` is the moment of sending.
  private mutating func bound(_ field: NamedTemplate) -> NamedTemplate {
    let segments = field.value.value.segments.map { (segment) -> Template.Segment in
      guard case .expression(let expression) = segment else {
        return .text(filled(Located(Template([segment]), at: field.value.range)).value)
      }
      check(expression, at: field.value)
      return segment
    }
    return Named(field.name, Located(Template(segments), at: field.value.range))
  }

  /// Reports secrets and variables without a value before the run.
  private mutating func check(_ expression: Expression, at template: Located<Template>) {
    for reference in expression.references {
      guard let name = reference.firstMember else { continue }
      if reference.root == "secrets", scope.secrets[name] == nil {
        report(ResolutionError(.unsetSecret(name), at: template.range), at: template.range)
      } else if reference.root == "vars", scope.variables[name] == nil {
        report(ResolutionError(.unsetVariable(name), at: template.range), at: template.range)
      }
    }
  }

  /// Checks a service, region or key ID of a signature for AWS. A placeholder for a secret is valid.
  private mutating func scopePart(_ text: FilledText, _ name: String, at declared: Located<Template>) -> FilledText {
    if declared.value.usesPlaceholder(in: scope) { return unknown(declared) }
    if text.value.isEmpty || !text.value.utf8.allSatisfy(SigV4<FilledText>.isScopeByte) {
      refuse(
        "the value of '\(name)' is empty or contains a character that a signature cannot contain", at: declared)
    }
    return text
  }

  // MARK: - Templates

  /// The text with the values of its templates. A value that cannot be sent is reported.
  mutating func filled(_ template: Located<Template>) -> FilledText {
    do throws(ResolutionError) {
      let text = try template.value.resolve(with: scope).text
      guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
        refuse("this value of the authorization contains a control character", at: template)
        return unknown(template)
      }
      return FilledText(template.value, value: text)
    } catch {
      report(error, at: template.range)
      return unknown(template)
    }
  }

  /// A text whose value is unknown. It gets a placeholder, which causes no further errors.
  private func unknown(_ template: Located<Template>) -> FilledText {
    FilledText(template.value, value: "placeholder")
  }

  /// Reports a value that cannot be used.
  mutating func refuse(_ message: String, at template: Located<Template>?) {
    diagnostics.report(Diagnostic(FlowCode.authValue.code, message, at: template?.range))
  }

  /// Reports a wrong value, unless an error was reported before.
  private mutating func refuse(if isWrong: Bool, _ message: String, at template: Located<Template>?) {
    if isWrong, !diagnostics.hasErrors { refuse(message, at: template) }
  }

  /// How a token is sent. Values that are known before the run are filled into the text around it.
  private mutating func use(_ declared: TokenUse) -> TokenUse {
    guard let value = declared.value else { return declared }
    var use = declared
    do throws(ResolutionError) {
      use.value = Located(Template(try value.value.bound(in: scope)), at: value.range)
    } catch {
      report(error, at: value.range)
    }
    return use
  }

  mutating func report(_ error: ResolutionError, at range: SourceRange?) {
    var diagnostic = error.diagnostic
    if diagnostic.range == nil { diagnostic.range = range }
    diagnostics.report(diagnostic)
  }
}

extension AuthResolver {
  /// Replaces a choice with the chosen kind of authorization.
  ///
  /// - Returns: the declaration with the chosen kind, and the texts for `plan(_:choice:)` that name it; nil after an
  ///   error was reported.
  mutating func chosen(
    _ declaration: FlowDeclaration
  ) -> (declaration: FlowDeclaration, words: (start: String, end: String)?)? {
    guard case .choose(let choice)? = declaration.auth?.value else { return (declaration, nil) }
    let name: String
    do throws(ResolutionError) {
      name = try scope.choice(choice.by)
    } catch {
      report(error, at: nil)
      return nil
    }
    let text = choice.by.value.text
    let names = choice.cases.map(\.name.value)
    let index = names.firstIndex(of: name)
    guard let auth = index.map({ choice.cases[$0].value }) ?? choice.otherwise else {
      let usesSecret = choice.by.value.references.contains { $0.root == "secrets" }
      let value = usesSecret ? "the value of '\(text)'" : "'\(name.prefix(60))', the value of '\(text)',"
      diagnostics.report(
        Diagnostic(
          FlowCode.authValue.code, "\(value) is not a case of 'choose'", at: choice.by.range,
          help: "the cases are \(names.map { "'\($0)'" }.joined(separator: ", ")); give one of them, or add 'else'"))
      return nil
    }
    var declaration = declaration
    declaration.auth = auth
    // A case may be a choice too.
    guard let inner = self.chosen(declaration) else { return nil }
    let which = index == nil ? "no case of \(text) applies, so else" : "case '\(name)' of \(text)"
    let others = names.filter { $0 != name } + (index == nil || choice.otherwise == nil ? [] : ["else"])
    let rest = others.isEmpty ? "" : "\nnot chosen: \(others.joined(separator: ", "))"
    return (inner.declaration, ("\(which): \(inner.words?.start ?? "")", "\(inner.words?.end ?? "")\(rest)"))
  }
}

extension Template {
  /// The names of the secrets that the template uses, in order.
  fileprivate var secretNames: [String] {
    segments.flatMap { (segment) -> [String] in
      switch segment {
      case .secret(let name): [name]
      case .expression(let expression):
        expression.references.filter { $0.root == "secrets" }.compactMap(\.firstMember)
      case .text, .variable, .environment: []
      }
    }
  }
}
