import Expressions
import FlowModel
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  mutating func jwt(_ value: FieldValue) -> AuthDeclaration? {
    guard let nodes = open(value, as: .jwt) else { return nil }
    let token = signedToken(nodes)
    let use = tokenUse(nodes, knowing: [], owner: value.key)
    guard let token, let use else { return nil }
    return .jwt(token, use: use)
  }

  mutating func assertion(_ value: FieldValue) -> AuthDeclaration.SignedToken? {
    open(value, as: .assertion).flatMap { signedToken($0) }
  }

  private mutating func signedToken(_ nodes: FieldNodes) -> AuthDeclaration.SignedToken? {
    let errors = errorCount
    let algorithm = reading(JWTKeys.algorithm, of: nodes)
    let key = read(JWTKeys.key, of: nodes)
    let encoding = read(JWTKeys.keyEncoding, of: nodes)
    let keyID = read(JWTKeys.keyID, of: nodes)
    let header = read(JWTKeys.joseHeader, of: nodes)
    let claims = read(JWTKeys.claims, of: nodes)
    let lifetime = read(JWTKeys.lifetime, of: nodes)
    let hasIdentifier = read(JWTKeys.jti, of: nodes) ?? false
    if let algorithm = algorithm.value, !algorithm.isShared, let range = nodes.key(JWTKeys.keyEncoding) {
      report(
        .misplacedKey, "'key_encoding' belongs to a shared key, and \(algorithm.rawValue) has a private key", at: range,
        help: "leave it out: a private key is written in PEM")
    }
    refuse(["alg": "see 'algorithm'", "kid": "see 'key_id'"], in: header, of: nodes.construct)
    var own = ["iat": "it is the time of the run", "exp": "see 'lifetime'"]
    if hasIdentifier { own["jti"] = "leave one of the two out" }
    refuse(own, in: claims, of: nodes.construct)
    guard let algorithm = algorithm.value, let key, errors == errorCount, !nodes.hasError else { return nil }
    return AuthDeclaration.SignedToken(
      algorithm: algorithm, key: key, keyEncoding: encoding ?? .text, keyID: keyID, header: header, claims: claims,
      lifetime: lifetime?.value ?? 300, hasIdentifier: hasIdentifier)
  }

  /// Reports members that a token sets itself.
  private mutating func refuse(
    _ own: [String: String], in document: Located<TemplatedJSON>?, of construct: Construct
  ) {
    for (name, help) in own.sorted(by: { $0.key < $1.key }) where document?.value.holds(name) ?? false {
      report(
        .authConflict, "'\(name)' is set by \(construct.noun) itself", at: document?.range, help: help)
    }
  }

  /// Reads a key, which may have several lines.
  mutating func key(_ value: FieldValue) -> Located<Template>? {
    guard let template = template(value) else { return nil }
    switch template.value.constantText {
    case nil: break
    case "": return fail(.missingValue, "'\(value.spec.name)' is empty", at: value.node.range)
    default:
      report(
        .plainCredential, "the credential '\(value.spec.name)' is written in the file", at: value.node.range,
        help: "declare a secret and write {{ secrets.NAME }}")
    }
    return template
  }

  mutating func oauth1(_ value: FieldValue) -> AuthDeclaration? {
    let errors = errorCount
    guard let nodes = open(value, as: .oauth1) else { return nil }
    let key = read(OAuth1Keys.consumerKey, of: nodes)
    let secret = read(OAuth1Keys.consumerSecret, of: nodes)
    let token = read(OAuth1Keys.token, of: nodes)
    let tokenSecret = read(OAuth1Keys.tokenSecret, of: nodes)
    let signature = read(OAuth1Keys.signature, of: nodes)
    let realm = read(OAuth1Keys.realm, of: nodes)
    for case .text(let text) in realm?.value.segments ?? [] where text.contains("\"") || text.contains("\\") {
      report(.authValue, "a realm holds no quotes and no backslashes", at: realm?.range ?? value.node.range)
    }
    guard errors == errorCount, !nodes.hasError, let key, let secret else { return nil }
    return .oauth1(
      AuthDeclaration.OAuth1(
        consumerKey: key, consumerSecret: secret, token: token, tokenSecret: tokenSecret,
        signature: signature ?? .hmacSHA1, realm: realm))
  }

  mutating func digest(_ value: FieldValue) -> AuthDeclaration? {
    guard let nodes = open(value, as: .digest) else { return nil }
    let password = read(DigestKeys.password, of: nodes)
    guard let username = read(DigestKeys.username, of: nodes), let password else { return nil }
    for case .text(let text) in username.value.segments where text.contains(":") {
      return fail(
        .authValue, "a user name holds no colon", at: username.range, help: "a digest could not tell it from the realm")
    }
    return .digest(username: username, password: password)
  }

  mutating func sigv4(_ value: FieldValue) -> AuthDeclaration? {
    guard let nodes = open(value, as: .sigv4) else { return nil }
    let errors = errorCount
    let names = [SigV4Keys.service, SigV4Keys.region, SigV4Keys.accessKey].map { field in
      read(field, of: nodes).flatMap { scopePart($0, field.name) }
    }
    let secret = read(SigV4Keys.secretKey, of: nodes)
    let token = read(SigV4Keys.sessionToken, of: nodes)
    guard errors == errorCount, !nodes.hasError, let service = names[0], let region = names[1], let key = names[2],
      let secret
    else { return nil }
    return .sigv4(
      AuthDeclaration.SigV4(service: service, region: region, accessKey: key, secretKey: secret, sessionToken: token))
  }

  /// A part of the scope of a signature, whose parts are separated by slashes.
  private mutating func scopePart(_ template: Located<Template>, _ name: String) -> Located<Template>? {
    for case .text(let text) in template.value.segments where !text.utf8.allSatisfy(AuthDeclaration.SigV4.isScopeByte) {
      return fail(
        .authValue, "'\(name)' contains a character that would end it in the signature", at: template.range,
        help: "write letters, digits, '-', '_' and '.' only, as in 'execute-api' and 'eu-central-1'")
    }
    return template
  }

  mutating func sign(_ value: FieldValue) -> AuthDeclaration? {
    guard let nodes = open(value, as: .sign) else { return nil }
    let errors = errorCount
    // The same for every request of a flow: no parent and no page, whose values are in the request already.
    let scope = Scope(file: value.scope.file).with([Self.requestName])
    let query = read(SignKeys.query, of: nodes, in: scope) ?? []
    let headers = read(SignKeys.headers, of: nodes, in: scope) ?? []
    guard errors == errorCount, !nodes.hasError else { return nil }
    guard !query.isEmpty || !headers.isEmpty else {
      return fail(
        .authForm, "'sign' computes nothing", at: value.key,
        help: "add headers, for example 'headers: { X-Signature: \"{{ hmac_sha256(request.body, secrets.NAME) }}\" }'")
    }
    return .sign(AuthDeclaration.Sign(query: query, headers: headers))
  }

  private static let requestName = ExpressionType.Member(
    "request",
    .object([
      "method": .string, "url": .string, "host": .string, "path": .string, "query": .string, "target": .string,
      "body": .string,
    ]))
}
