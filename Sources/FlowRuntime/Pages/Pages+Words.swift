internal import Expressions
internal import FlowModel
internal import JSONSyntax

extension Pages {
  /// A description of how the flow requests its pages.
  var words: String {
    var parts: [String] = []
    switch strategy {
    case .number(let first): parts.append("by number from \(first)" + placeWords)
    case .offset(let first): parts.append("by offset from \(first)" + placeWords)
    case .cursor(let source): parts.append("by the token at \(Self.text(source.value))" + placeWords)
    case .nextURL(let source): parts.append("by the URL at \(Self.text(source.value))")
    case .link(let relation): parts.append("by the Link header's '\(relation.value)'")
    }
    if let size, let count = size.count.constant, case .query(let name) = size.location {
      parts.append("\(count) at a time (?\(name)=)")
    }
    if leastSize > 1 { parts.append("at least \(leastSize) where a page is too large") }
    if endsAtShort { parts.append("until a page has fewer records") }
    if let count { parts.append("as many as \(count.value.text) says") }
    if let more { parts.append("while \(more.value.text)") }
    if let stop { parts.append("until \(stop.value.text)") }
    switch repetition {
    case .error: break
    case .end: parts.append("until a page is repeated")
    case .allow: parts.append("with repeated pages")
    }
    parts.append("at most \(max)")
    if keepsPart { parts.append("persisted in part when a page fails") }
    return parts.joined(separator: ", ")
  }

  private var placeWords: String {
    switch location {
    case .query(let name): " in ?\(name)="
    case .header(let name): " in the header \(name)"
    case .body(let steps): " in the body's \(JSONPath(singular: steps).text)"
    case nil: ""
    }
  }

  private static func text(_ source: Pages.Source) -> String {
    switch source {
    case .response(let path): path.text
    case .header(let name): "the header \(name)"
    case .expression(let expression): expression.text
    case .lastRecord(let path): "the last record's \(path.text)"
    }
  }
}
