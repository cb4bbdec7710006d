internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import ReactorCore
internal import SourceDiagnostics
internal import WebSyntax

extension RequestResolver {
  /// Fills in the braces of the path (RFC 6570); nil after an error was reported.
  ///
  /// - Returns: the path, the query parameters from the braces, and whether a value is a secret
  mutating func expanded(_ declared: RequestDeclaration) -> (path: Located<Template>, query: [Named], isSecret: Bool)? {
    // When values are known only later, the braces stay in the path as written.
    let isLater = declared.params.contains { $0.value.value.isDynamic }
    guard !declared.params.isEmpty, !isLater else { return (declared.path, [], false) }
    var values: [String: [String]] = [:]
    var isSecret = false
    for param in declared.params {
      guard let elements = each(param) else { return nil }
      values[param.name.value, default: []] += elements.map(\.text.text)
      isSecret = isSecret || elements.contains { $0.text.isSecret }
    }
    var segments: [Template.Segment] = []
    var query: [Named] = []
    for segment in declared.path.value.segments {
      guard case .text(let text) = segment else {
        segments.append(segment)
        continue
      }
      let expanded: (path: String, query: [(name: String, value: String)])
      do throws(BracesError) {
        expanded = try URITemplate.expanding(text, with: values)
      } catch {
        let param = declared.params.first { $0.name.value == error.param }
        let code = param == nil ? FlowCode.invalidRequestPath : .expressionValue
        diagnostics.report(Diagnostic(code.code, error.message, at: param?.value.range ?? declared.path.range))
        return nil
      }
      if !expanded.path.isEmpty { segments.append(.text(expanded.path)) }
      query += expanded.query.map { name, value in
        Named(name: name, text: ResolvedText(text: value, isSecret: isSecret), shown: isSecret ? Secret.mask : value)
      }
    }
    return (Located(Template(segments), at: declared.path.range), query, isSecret)
  }
}
