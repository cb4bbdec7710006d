internal import Authorization
internal import Expressions
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import JSONSyntax
internal import Records
internal import SourceDiagnostics

/// Resolves the authorization of flows. Reports values that cannot be resolved, with their source location.
struct AuthResolver {
  let scope: ResolutionScope
  var diagnostics = DiagnosticBag()

  init(scope: ResolutionScope) { self.scope = scope }

  /// Returns the authorization plan of a flow; nil after an error was reported.
  mutating func auth(_ declaration: FlowDeclaration) -> AuthPlan? {
    switch declaration.auth?.value {
    // The kind was chosen before.
    case nil, .choose?: return AuthPlan.none
    case .none?:
      var auth = AuthPlan.none
      auth.shown = ("none", "")
      return auth
    case .bearer(let template)?:
      guard let token = resolve(template) else { return nil }
      return fixed(.bearer(token), [token], "bearer", "bearer \(Self.shown(template))")
    case .basic(let username, let password)?:
      guard let name = resolve(username), let word = resolve(password) else { return nil }
      guard !name.contains(":") else {
        return refuse("the user name holds a colon, where the password would begin", at: username)
      }
      return fixed(
        .basic(username: name, password: word), [name, word], "basic",
        "basic, user \(username.value.sourceText), password \(Self.shown(password))")
    case .apiKey(let declared, let template)?:
      guard let key = resolve(template) else { return nil }
      let location = Credential.Location(declared)
      return fixed(Credential(location, key), [key], "api_key", "api_key \(Self.shown(template))")
    case .oauth2(let oauth2)?: return self.oauth2(oauth2)
    case .login(let login)?: return self.login(login, of: declaration)
    case .jwt(let token, let use)?: return jwt(token, use)
    case .sign(let sign)?: return self.sign(sign)
    case .sigv4(let sigv4)?: return self.sigv4(sigv4)
    case .oauth1(let oauth1)?: return self.oauth1(oauth1, of: declaration)
    case .digest(let username, let password)?: return digest(username, password)
    }
  }

  private func fixed(_ credential: Credential, _ parts: [String], _ kind: String, _ shown: String) -> AuthPlan {
    var auth = AuthPlan.none
    auth.source = .fixed(credential)
    auth.identity = CredentialIdentity([kind, "\(credential.location)"] + parts)
    auth.location = credential.location
    auth.secrets = [credential.secret] + parts.suffix(1)
    auth.kind = kind
    auth.shown = (shown, ", in \(credential.location.words)")
    return auth
  }

  // MARK: - Templates

  mutating func resolve(_ template: Located<Template>) -> String? {
    do throws(ResolutionError) {
      let text = try template.value.resolve(with: scope).text
      guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
        return refuse("the value holds a control character", at: template)
      }
      return text
    } catch {
      report(error, at: template)
      return nil
    }
  }

  mutating func refuse<Value>(_ message: String, at template: Located<Template>) -> Value? {
    diagnostics.report(Diagnostic(FlowCode.authValue.code, message, at: template.range))
    return nil
  }

  /// A credential in a format that may be shown.
  ///
  /// A template is shown with the names in it. A literal value is masked.
  static func shown(_ template: Located<Template>) -> String {
    template.value.constantText == nil ? template.value.sourceText : Secret.mask
  }

  /// Resolves the location of a token in a request and the template around the token.
  mutating func use(_ declared: AuthDeclaration.TokenUse) -> AuthPlan.Use {
    var value: ExpressionTemplate?
    do throws(ResolutionError) {
      value = try declared.value?.value.bound(in: scope)
    } catch {
      report(error, at: declared.value)
    }
    return AuthPlan.Use(Credential.Location(declared.location), value: value)
  }

  mutating func report(_ error: ResolutionError, at template: Located<Template>?) {
    var diagnostic = error.diagnostic
    if diagnostic.range == nil { diagnostic.range = template?.range }
    diagnostics.report(diagnostic)
  }
}

extension Credential.Location {
  init(_ declared: AuthLocationDeclaration) {
    switch declared {
    case .header(let name): self = .header(name)
    case .query(let name): self = .query(name)
    case .body(let name): self = .body(name)
    }
  }
}

extension Credential.Location {
  /// The location as text: `the header Authorization`.
  var words: String {
    switch self {
    case .header(let name): "the header \(name)"
    case .query(let name): "the query parameter \(name)"
    case .body(let name): "the body's '\(name)'"
    }
  }
}
