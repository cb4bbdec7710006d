internal import ByteCodings
internal import FlowSpec
internal import ReactorCore
internal import SourceDiagnostics
internal import WebSyntax

extension RequestResolver {
  /// The path with its braces filled in (RFC 6570), and the query that these give; nil after reporting.
  mutating func expanded(_ declared: RequestDeclaration) -> (path: Located<Template>, query: [Named], isSecret: Bool)? {
    // Where values come later, what is shown has the braces as they are written.
    let isLater = scope.keepsDynamic && declared.params.contains { $0.value.value.isDynamic }
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
      do throws(URITemplateError) {
        let template = try URITemplate(text)
        if let param = declared.params.first(where: { param in
          template.pathNames.contains(param.name.value)
            && values[param.name.value].map { $0.isEmpty || $0.contains("") } ?? true
        }) {
          diagnostics.report(
            Diagnostic(
              FlowCode.expressionValue.code,
              "'params.\(param.name.value)' is empty, and the path would be another one", at: param.value.range))
          return nil
        }
        let whole = try template.expand { name in
          values[name].map { $0.count == 1 ? .text($0[0]) : .list($0) }
        }
        let parts = whole.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        if !parts[0].isEmpty { segments.append(.text(String(parts[0]))) }
        if parts.count > 1 { query += Self.pairs(parts[1], isSecret: isSecret) }
      } catch {
        diagnostics.report(
          Diagnostic(FlowCode.invalidRequestPath.code, "\(error)", at: declared.path.range))
        return nil
      }
    }
    return (Located(Template(segments), at: declared.path.range), query, isSecret)
  }

  /// The parameters of a query that an expansion wrote, plain again.
  private static func pairs(_ query: Substring, isSecret: Bool) -> [Named] {
    query.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        PercentCoding.decode($0)
      }
      let value = parts.count > 1 ? parts[1] : ""
      return Named(
        name: parts[0], text: ResolvedText(text: value, isSecret: isSecret), shown: isSecret ? Secret.mask : value)
    }
  }
}
