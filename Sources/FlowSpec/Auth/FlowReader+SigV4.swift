import FlowModel
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
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
}
