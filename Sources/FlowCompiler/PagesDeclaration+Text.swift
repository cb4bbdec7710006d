internal import Expressions
internal import FlowSpec
internal import HTTPTransport
internal import JSONSyntax

extension DeclaredFlow {
  /// The longest that one request may take, in seconds.
  var requestTimeout: Double {
    let (seconds, attoseconds) = options.timeout.components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// How a flow goes through its pages, in words.
  static func text(_ pages: PagesDeclaration) -> String {
    var parts: [String] = []
    switch pages.way {
    case .number(let first): parts.append("by number from \(first)" + place(pages))
    case .offset(let first): parts.append("by offset from \(first)" + place(pages))
    case .cursor(let source): parts.append("by the token at \(text(source.value))" + place(pages))
    case .nextURL(let source): parts.append("by the URL at \(text(source.value))")
    case .link(let relation): parts.append("by the Link header's '\(relation.value)'")
    }
    if let size = pages.size, case .query(let name) = size.place { parts.append("\(size.count) at a time (?\(name)=)") }
    if let count = pages.count { parts.append("as many as \(count.value.text) says") }
    if let more = pages.more { parts.append("while \(more.value.text)") }
    if let stop = pages.stop { parts.append("until \(stop.value.text)") }
    parts.append("at most \(pages.max)")
    if pages.keepsPart { parts.append("kept in part when a page fails") }
    return parts.joined(separator: ", ")
  }

  private static func place(_ pages: PagesDeclaration) -> String {
    switch pages.place {
    case .query(let name): " in ?\(name)="
    case .header(let name): " in the header \(name)"
    case .body(let steps): " in the body's \(JSONPath(singular: steps).text)"
    case nil: ""
    }
  }

  private static func text(_ source: PagesDeclaration.Source) -> String {
    switch source {
    case .answer(let path): path.text
    case .header(let name): "the header \(name)"
    case .expression(let expression): expression.text
    case .lastRecord(let path): "the last record's \(path.text)"
    }
  }
}
