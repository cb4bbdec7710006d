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
}
