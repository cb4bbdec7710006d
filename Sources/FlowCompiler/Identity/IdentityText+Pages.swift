internal import Expressions
internal import FlowSpec
internal import FlowTerms
internal import JSONSyntax

extension IdentityText {
  /// Adds the paging strategy, without the number of parallel requests.
  ///
  /// - Parameter size: the page size that the declaration's setting gives
  mutating func add(_ pages: PagesDeclaration, size: Int?) {
    switch pages.strategy {
    case .number(let first): add("pages number \(first)")
    case .offset(let first): add("pages offset \(first)")
    case .cursor(let source): add("pages cursor", source.value)
    case .nextURL(let source): add("pages next_url", source.value)
    case .link(let relation): add("pages link \(relation.value)")
    }
    if let location = pages.location { add("pages at \(Self.text(location))") }
    if let declared = pages.size, let size { add("pages size \(size) \(Self.text(declared.location))") }
    if let count = pages.count { add("pages count \(count.value.text)") }
    if let more = pages.more { add("pages more \(more.value.text)") }
    if let stop = pages.stop { add("pages stop", stop.value) }
    if pages.endsAtShort { add("pages short end") }
    add("pages max \(pages.max) \(pages.keepsPart) \(pages.mayLackNext)")
  }

  private mutating func add(_ key: String, _ source: PageTerms.Source) {
    switch source {
    case .response(let path): add("\(key) from \(path.text)")
    case .header(let name): add("\(key) from_header \(name.lowercased())")
    case .lastRecord(let path): add("\(key) from_last \(path.text)")
    case .expression(let expression): add("\(key) next", expression)
    }
  }

  private static func text(_ location: PageTerms.Location) -> String {
    switch location {
    case .query(let name): "query \(name)"
    case .header(let name): "header \(name.lowercased())"
    case .body(let steps): "body \(JSONPath(singular: steps).text)"
    }
  }
}
