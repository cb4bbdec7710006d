internal import Expressions
internal import FlowSpec
internal import FlowModel
internal import JSONSyntax

extension IdentityText {
  /// Adds the paging strategy, without the number of parallel requests.
  mutating func add(_ pages: Pages) {
    switch pages.strategy {
    case .number(let first): add("pages number \(first)")
    case .offset(let first): add("pages offset \(first)")
    case .cursor(let source): add("pages cursor", source.value)
    case .nextURL(let source): add("pages next_url", source.value)
    case .link(let relation): add("pages link \(relation.value)")
    }
    if let location = pages.location { add("pages at \(Self.text(location))") }
    if let size = pages.size, let count = size.count.constant {
      add("pages size \(count) \(Self.text(size.location))")
    }
    if let count = pages.count { add("pages count \(count.value.text)") }
    if let more = pages.more { add("pages more \(more.value.text)") }
    if let stop = pages.stop { add("pages stop", stop.value) }
    if pages.endsAtShort { add("pages short end") }
    if pages.repetition != .error { add("pages repeat \(pages.repetition.rawValue)") }
    add("pages max \(pages.max) \(pages.keepsPart) \(pages.mayLackNext)")
  }

  private mutating func add(_ key: String, _ source: Pages.Source) {
    switch source {
    case .response(let path): add("\(key) from \(path.text)")
    case .header(let name): add("\(key) from_header \(name.lowercased())")
    case .lastRecord(let path): add("\(key) from_last \(path.text)")
    case .expression(let expression): add("\(key) next", expression)
    }
  }

  private static func text(_ location: Pages.Location) -> String {
    switch location {
    case .query(let name): "query \(name)"
    case .header(let name): "header \(name.lowercased())"
    case .body(let steps): "body \(JSONPath(singular: steps).text)"
    }
  }
}
