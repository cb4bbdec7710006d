internal import Authorization
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import SourceDiagnostics

extension AuthResolver {
  /// Resolves a signature of each request.
  mutating func sigv4(_ declared: AuthDeclaration.SigV4) -> AuthPlan? {
    let service = scopePart(declared.service, "service")
    let region = scopePart(declared.region, "region")
    let accessKey = scopePart(declared.accessKey, "access_key")
    let secretKey = resolve(declared.secretKey)
    let token = declared.sessionToken.map { resolve($0) }
    guard !diagnostics.hasErrors, let service, let region, let accessKey, let secretKey else { return nil }
    guard !secretKey.isEmpty else { return refuse("the secret key is empty", at: declared.secretKey) }
    let signature = RequestSignature(
      service: service, region: region, accessKey: accessKey, secretKey: secretKey, sessionToken: token ?? nil)
    var auth = AuthPlan.none
    auth.source = .signature(signature)
    auth.location = .header("Authorization")
    auth.identity = CredentialIdentity(["sigv4", service, region, accessKey, secretKey, token ?? nil])
    auth.secrets = [secretKey, token ?? nil].compactMap { $0 }.filter { !$0.isEmpty }
    auth.kind = "sigv4"
    var shown = "sigv4 for \(declared.service.value.sourceText) in \(declared.region.value.sourceText)"
    shown += ", key \(declared.accessKey.value.sourceText), secret \(Self.shown(declared.secretKey))"
    if let token = declared.sessionToken { shown += ", session token \(Self.shown(token))" }
    auth.shown = (shown, ", in the header Authorization\neach request is signed when it is sent")
    return auth
  }

  /// A part of the scope of a signature; a placeholder stands for one of the right form.
  private mutating func scopePart(_ declared: Located<Template>, _ name: String) -> String? {
    guard let text = resolve(declared) else { return nil }
    if declared.value.usesPlaceholder(in: scope) { return "placeholder" }
    guard !text.isEmpty, text.utf8.allSatisfy(AuthDeclaration.SigV4.isScopeByte) else {
      return refuse(
        "the value of '\(name)' is empty or contains a character that would end it in the signature", at: declared)
    }
    return text
  }
}
