import FlowModel
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads kinds of authorization, of which an expression chooses one.
  mutating func choose(_ value: FieldValue) -> AuthDeclaration? {
    guard let nodes = open(value, as: .choose) else { return nil }
    let errors = errorCount
    // The kind is chosen before the first request, when there is no parent, page or response.
    let by = read(ChooseKeys.by, of: nodes, in: Scope(file: value.scope.file))
    var cases: [(name: Located<String>, auth: Located<AuthDeclaration>)] = []
    let declared = nodes.value(ChooseKeys.cases)
    let members = declared.flatMap { self.members(of: $0, role: .choice) } ?? []
    for member in members {
      guard !member.value.isNull else {
        report(
          .missingValue, "the case '\(member.name)' has no value", at: member.key.range,
          help: "give it a kind of authorization, or write 'none'")
        continue
      }
      let part = FieldValue(spec: HTTPKeys.auth, node: member.value, key: member.key.range, scope: nodes.scope)
      if let auth = auth(part) { cases.append((Located(member.name, at: member.key.range), auth)) }
    }
    let otherwise = read(ChooseKeys.otherwise, of: nodes)
    if let declared, members.isEmpty, errorCount == errors {
      report(
        .missingValue, "'cases' has no case", at: declared.key,
        help: "add one, for example 'token: { bearer: \"{{ secrets.NAME }}\" }'")
    }
    guard let by, errors == errorCount, !nodes.hasError else { return nil }
    return .choose(AuthDeclaration.Choice(by: by, cases: cases, otherwise: otherwise))
  }
}
