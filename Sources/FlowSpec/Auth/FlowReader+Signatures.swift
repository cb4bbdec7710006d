import Expressions
import FlowModel
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  mutating func jwt(_ value: FieldValue) -> WrittenAuth? {
    let errors = errorCount
    guard let nodes = open(value, as: .jwt) else { return nil }
    let token = signedToken(nodes)
    guard let use = tokenUse(nodes, knowing: [], owner: value.key), errors == errorCount, !nodes.hasError else {
      return nil
    }
    return .jwt(token, use: use)
  }

  mutating func assertion(_ value: FieldValue) -> SignedToken? {
    let errors = errorCount
    guard let nodes = open(value, as: .assertion) else { return nil }
    let token = signedToken(nodes)
    return errors == errorCount && !nodes.hasError ? token : nil
  }

  private mutating func signedToken(_ nodes: FieldNodes) -> SignedToken {
    var token = SignedToken(key: Located(Template([]), at: nodes.range))
    fill(&token, with: JWTKeys.stored, from: nodes)
    refuse(["alg": "see 'algorithm'", "kid": "see 'key_id'"], in: token.header, of: nodes.construct)
    var own = ["iat": "it is the time of the run", "exp": "see 'lifetime'"]
    if token.hasIdentifier { own["jti"] = "leave one of the two out" }
    refuse(own, in: token.claims, of: nodes.construct)
    return token
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

  mutating func sign(_ value: FieldValue) -> WrittenAuth? {
    guard let nodes = open(value, as: .sign) else { return nil }
    let errors = errorCount
    // The same for every request of a flow: no parent and no page, whose values are in the request already.
    let scope = Scope(file: value.scope.file).with([Self.requestName])
    var fields = ComputedFields()
    fields.query = read(SignKeys.query, of: nodes, in: scope) ?? []
    fields.headers = read(SignKeys.headers, of: nodes, in: scope) ?? []
    guard errors == errorCount, !nodes.hasError else { return nil }
    guard !fields.query.isEmpty || !fields.headers.isEmpty else {
      return fail(
        .authForm, "'sign' computes nothing", at: value.key,
        help: "add headers, for example 'headers: { X-Signature: \"{{ hmac_sha256(request.body, secrets.NAME) }}\" }'")
    }
    return .sign(fields)
  }

  private static let requestName = ExpressionType.Member(
    "request",
    .object([
      "method": .string, "url": .string, "host": .string, "path": .string, "query": .string, "target": .string,
      "body": .string,
    ]))
}
