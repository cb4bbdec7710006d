internal import Authorization
internal import ByteCodings
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import JSONSyntax
internal import SourceDiagnostics

extension AuthResolver {
  /// A signed token with its values resolved.
  struct SignedTokenPlan {
    var token: JSONWebToken
    /// The text of the key; nil if only a placeholder of it is known.
    var key: String?
    /// What the identity of the credentials consists of.
    var identity: [String?]
    /// The algorithm, the key and the names of the claims, with secrets masked.
    var shown: String
  }

  /// Resolves a token that each run signs itself.
  mutating func jwt(_ declared: AuthDeclaration.SignedToken, _ use: AuthDeclaration.TokenUse) -> AuthPlan? {
    guard let signed = signedToken(declared) else { return nil }
    let plan = SignedPlan(signed.token, use: self.use(use))
    var auth = AuthPlan.none
    auth.source = .signed(plan)
    auth.location = plan.use.location
    auth.identity = CredentialIdentity(["jwt"] + signed.identity)
    auth.secrets = signed.key.map { [$0] } ?? []
    auth.kind = "jwt"
    auth.shown = (
      "jwt \(signed.shown)",
      ", in \(plan.use.location.words)\nsigned once per run, anew before it expires and once on status 401"
    )
    return auth
  }

  /// Resolves the key and the claims of a signed token.
  ///
  /// - Parameter defaults: claims for which the declaration gives no value
  mutating func signedToken(
    _ declared: AuthDeclaration.SignedToken, defaults: [(name: String, value: String)] = []
  ) -> SignedTokenPlan? {
    // Without its key no token can be valid, and what a placeholder stands for cannot be read.
    let isPlaceholder = declared.key.value.usesPlaceholder(in: scope)
    let claims = object(declared.claims, isTolerant: isPlaceholder)
    let header = object(declared.header, isTolerant: isPlaceholder)
    let keyID = declared.keyID.map { isPlaceholder ? "" : resolve($0) }
    var text: String?
    if !isPlaceholder {
      text = keyText(declared.key)
      if text == nil { return nil }
    }
    guard let algorithm = SigningAlgorithm(rawValue: declared.algorithm.rawValue), var claims, var header,
      let key = signingKey(declared, algorithm, text)
    else { return nil }
    for (name, value) in defaults where claims[name] == nil { claims[name] = .string(value) }
    if let keyID {
      guard let keyID else { return nil }
      header["kid"] = .string(keyID)
    }
    var token = JSONWebToken(key: key, claims: claims, lifetime: .milliseconds(Int64(declared.lifetime * 1000)))
    token.header = header
    token.hasIdentifier = declared.hasIdentifier
    var shown = "\(algorithm.rawValue), key \(Self.shown(declared.key))"
    if !claims.members.isEmpty { shown += ", claims \(claims.members.map(\.name).joined(separator: " "))" }
    let identity =
      [algorithm.rawValue, text]
      + [claims, header].map { String(decoding: JSONWriter.bytes(.object($0)), as: UTF8.self) }
    return SignedTokenPlan(token: token, key: text, identity: identity, shown: shown)
  }

  private mutating func object(_ declared: Located<TemplatedJSON>?, isTolerant: Bool) -> JSONObject? {
    guard let declared else { return JSONObject([]) }
    do throws(ResolutionError) {
      guard case .object(let object) = try declared.value.resolve(with: scope).value else { return JSONObject([]) }
      return object
    } catch {
      if isTolerant { return JSONObject([]) }
      report(error, at: Located(Template(text: ""), at: declared.range))
      return nil
    }
  }

  private mutating func keyText(_ declared: Located<Template>) -> String? {
    do throws(ResolutionError) {
      let text = try declared.value.resolve(with: scope, for: .body).text
      return text.isEmpty ? refuse("the key is empty", at: declared) : text
    } catch {
      report(error, at: declared)
      return nil
    }
  }

  private mutating func signingKey(
    _ declared: AuthDeclaration.SignedToken, _ algorithm: SigningAlgorithm, _ text: String?
  ) -> SigningKey? {
    guard let text else { return SigningKey(placeholderFor: algorithm) }
    guard !algorithm.isShared else {
      let bytes: [UInt8]? =
        switch declared.keyEncoding {
        case .text: Array(text.utf8)
        case .hex: Hex.bytes(text.utf8)
        case .base64: Base64.decode(Array(text.utf8), allowing: .urlSafe)
        }
      guard let bytes, !bytes.isEmpty else {
        return refuse("the key is not \(declared.keyEncoding.rawValue), as 'key_encoding' says", at: declared.key)
      }
      return SigningKey(algorithm, shared: bytes)
    }
    do throws(SigningKey.KeyError) {
      return try SigningKey(algorithm, pem: text)
    } catch {
      diagnostics.report(
        Diagnostic(FlowCode.authValue.code, error.message, at: declared.key.range, help: error.help))
      return nil
    }
  }
}
