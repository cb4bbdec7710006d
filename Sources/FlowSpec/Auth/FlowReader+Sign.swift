import Expressions
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
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
