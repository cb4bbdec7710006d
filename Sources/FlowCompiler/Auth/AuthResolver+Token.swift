internal import Authorization
internal import ByteCodings
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import JSONSyntax
internal import SourceDiagnostics

extension AuthResolver {
  /// Resolves the key and the claims of a signed token; nil after an error was reported.
  ///
  /// - Parameter defaults: claims for which the declaration gives no value
  mutating func token(_ declared: SignedToken, defaults: [(name: String, value: String)] = []) -> FilledToken? {
    // Without its key, no token can be valid. A placeholder for a key cannot be read as a key.
    let isPlaceholder = declared.key.value.usesPlaceholder(in: scope)
    let claims = object(declared.claims, isTolerant: isPlaceholder)
    let header = object(declared.header, isTolerant: isPlaceholder)
    let keyID = declared.keyID.map { isPlaceholder ? "" : filled($0).value }
    let text = isPlaceholder ? "" : keyText(declared.key)
    guard let algorithm = SigningAlgorithm(rawValue: declared.algorithm.rawValue), var claims,
      var header, let text,
      let key = isPlaceholder ? SigningKey(placeholderFor: algorithm) : signingKey(declared, algorithm, text)
    else { return nil }
    for (name, value) in defaults where claims[name] == nil { claims[name] = .string(value) }
    if let keyID { header["kid"] = .string(keyID) }
    var token = JSONWebToken(key: key, claims: claims, lifetime: .milliseconds(Int64(declared.lifetime * 1000)))
    token.header = header
    token.hasIdentifier = declared.hasIdentifier
    return FilledToken(token, key: FilledText(declared.key.value, value: text), isPlaceholder: isPlaceholder)
  }

  private mutating func object(_ declared: Located<TemplatedJSON>?, isTolerant: Bool) -> JSONObject? {
    guard let declared else { return JSONObject([]) }
    do throws(ResolutionError) {
      guard case .object(let object) = try declared.value.resolve(with: scope).value else { return JSONObject([]) }
      return object
    } catch {
      if isTolerant { return JSONObject([]) }
      report(error, at: declared.range)
      return nil
    }
  }

  private mutating func keyText(_ declared: Located<Template>) -> String? {
    do throws(ResolutionError) {
      let text = try declared.value.resolve(with: scope, for: .body).text
      if !text.isEmpty { return text }
      refuse("the key that signs the token is empty", at: declared)
    } catch {
      report(error, at: declared.range)
    }
    return nil
  }

  private mutating func signingKey(
    _ declared: SignedToken, _ algorithm: SigningAlgorithm, _ text: String
  ) -> SigningKey? {
    guard !algorithm.isShared else {
      let bytes: [UInt8]? =
        switch declared.keyEncoding {
        case .text: Array(text.utf8)
        case .hex: Hex.bytes(text.utf8)
        case .base64: Base64.decode(Array(text.utf8), allowing: .urlSafe)
        }
      if let bytes, !bytes.isEmpty { return SigningKey(algorithm, shared: bytes) }
      refuse("the key is not \(declared.keyEncoding.rawValue), which 'encoding' declares", at: declared.key)
      return nil
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
