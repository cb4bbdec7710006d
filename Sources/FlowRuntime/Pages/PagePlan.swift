package import Expressions
package import FlowTerms
package import JSONSyntax

/// How a response with several pages is requested to its end.
package struct PagePlan: Sendable {
  /// How the next page is found.
  package enum Strategy: Sendable {
    /// By page number; the first page has this number.
    case number(first: Int)
    /// By record offset; the first page has this offset.
    case offset(first: Int)
    /// By a token for the next page, which the response contains.
    case cursor(PageTerms.Source)
    /// By the URL of the next page, which the response contains.
    case nextURL(PageTerms.Source)
    /// By a `Link` header with this relation (RFC 8288).
    case link(relation: String)
  }

  /// How the next page is found.
  package let strategy: Strategy
  /// The location of the number, offset or token in the request.
  ///
  /// Nil for URLs, and when templates of the request use `page`.
  package var location: PageTerms.Location?
  /// The requested page size, with the location of its parameter.
  package var size: (location: PageTerms.Location, count: Int)?
  /// The size below which a page is not made smaller.
  package var leastSize = 1
  /// The path of the number of pages in the response.
  package var count: JSONPath?
  /// The path of a value that says whether there are more pages. `false`, `null`, 0 and `""` mean no.
  package var more: JSONPath?
  /// A condition that ends the pull after the page for which it is true.
  package var stop: Expression?
  /// The maximum number of pages; a pull that needs more is an error.
  package let max: Int
  /// How many pages are requested at the same time when the number of pages is known.
  package let parallel: Int
  /// Whether the records before a failed page are persisted.
  package var keepsPart = false
  /// Whether a page with fewer records than the requested size is the last one.
  package var endsAtShort = false
  /// Whether a first page without a value at `from` is the only page; otherwise it is an error.
  package var mayLackNext = false

  package init(_ strategy: Strategy, max: Int, parallel: Int) {
    self.strategy = strategy
    self.max = max
    self.parallel = parallel
  }

  /// Whether the flow itself counts pages. It then also requests the page after the last one.
  var isCounted: Bool {
    switch strategy {
    case .number, .offset: true
    case .cursor, .nextURL, .link: false
    }
  }

  /// Whether the last record of a page may give the next page.
  var readsLastRecord: Bool {
    switch strategy {
    case .cursor(let source), .nextURL(let source):
      switch source {
      case .lastRecord: true
      case .expression(let next): next.references.contains { $0.root == "last" }
      case .response, .header: false
      }
    case .number, .offset, .link: false
    }
  }

  /// The step of the first page.
  var firstStep: PageStep { step(1, records: 0) }

  /// The step of a page by its number, when the number is known beforehand.
  ///
  /// - Parameter records: how many records precede the page
  func step(_ number: Int, records: Int) -> PageStep {
    var step = PageStep(number: number)
    if let size { step.changes.append(.init(location: size.location, value: .integer(Int64(size.count)))) }
    let value: Int
    switch strategy {
    case .number(let first):
      value = first + number - 1
      step.reported = value
    case .offset(let first):
      value = first + records
      step.offset = value
    case .cursor, .nextURL, .link: return step
    }
    if let location { step.changes.append(.init(location: location, value: .integer(Int64(value)))) }
    return step
  }
}
