package import Expressions
package import FlowTerms
package import JSONSyntax

/// How a response that comes in several pages is asked for to its end.
package struct PagePlan: Sendable {
  /// How the next page is found.
  package enum Way: Sendable {
    /// Pages are numbered; the first has this number.
    case number(first: Int)
    /// Pages begin after so many records.
    case offset(first: Int)
    /// The response gives a token for its successor.
    case cursor(PageTerms.Source)
    /// The response gives the URL of its successor.
    case nextURL(PageTerms.Source)
    /// A `Link` header with this relation gives it (RFC 8288).
    case link(relation: String)
  }

  /// How the next page is found.
  package let way: Way
  /// Where the number, offset or token goes; nil for URLs, and where templates of the request use `page`.
  package var location: PageTerms.Location?
  /// The page size that is asked for, with its parameter.
  package var size: (location: PageTerms.Location, count: Int)?
  /// Where the response says how many pages there are.
  package var count: JSONPath?
  /// Where the response says whether there is more: anything but `false`, `null`, 0 and `""` means yes.
  package var more: JSONPath?
  /// Ends the pull after a page for which it is true.
  package var stop: Expression?
  /// The greatest number of pages; a pull that needs more is an error.
  package let max: Int
  /// How many pages are asked for at once where their number is known.
  package let parallel: Int
  /// Whether what was read before a failed page is persisted.
  package var keepsPart = false
  /// Whether a first page without the place of `from` is the only one, instead of an error.
  package var mayLackNext = false

  package init(_ way: Way, max: Int, parallel: Int) {
    self.way = way
    self.max = max
    self.parallel = parallel
  }

  /// Whether pages are counted here, so that the one after the last is asked for too.
  var isCounted: Bool {
    switch way {
    case .number, .offset: true
    case .cursor, .nextURL, .link: false
    }
  }

  /// What the first page asks for.
  var firstStep: PageStep { step(1, records: 0) }

  /// What a page asks for by its number, where that is known beforehand.
  ///
  /// - Parameter records: how many records come before it
  func step(_ number: Int, records: Int) -> PageStep {
    var step = PageStep(number: number)
    if let size { step.changes.append(.init(location: size.location, value: .integer(Int64(size.count)))) }
    let value: Int
    switch way {
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
