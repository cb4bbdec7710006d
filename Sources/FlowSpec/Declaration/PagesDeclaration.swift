public import Expressions
public import FlowTerms
public import JSONSyntax

/// How a response that comes in several pages is asked for to its end.
public struct PagesDeclaration: Sendable {
  /// How the next page is found.
  public enum Way: Sendable {
    /// Pages are numbered; the first has this number.
    case number(first: Int)
    /// Pages begin after so many records.
    case offset(first: Int)
    /// The response gives a token for its successor.
    case cursor(Located<PageTerms.Source>)
    /// The response gives the URL of its successor.
    case nextURL(Located<PageTerms.Source>)
    /// A `Link` header with this relation gives it (RFC 8288).
    case link(relation: Located<String>)
  }

  /// How the next page is found.
  public var way: Way
  /// Where the number, offset or token goes; nil for URLs, and where templates of the request use `page`.
  public var place: PageTerms.Location?
  /// The page size that is asked for, with its parameter.
  public var size: (place: PageTerms.Location, count: Int)?
  /// Where the response tells how many pages there are.
  public var count: Located<JSONPath>?
  /// Where the response tells whether there is more: anything but `false`, `null`, 0 and `""` means yes.
  public var more: Located<JSONPath>?
  /// Ends the pull after a page for which it is true.
  public var stop: Located<Expression>?
  /// The greatest number of pages; a pull that needs more is an error.
  public var max = 10_000
  /// How many pages are asked for at once where their number is known.
  public var parallel = 4
  /// Whether what was read before a failed page is kept.
  public var keepsPart = false
  /// Whether pages are counted here, so that the one after the last is asked for too.
  public var isCounted: Bool {
    switch way {
    case .number, .offset: true
    case .cursor, .nextURL, .link: false
    }
  }
  /// Whether a first page without the place of `from` is the only one, instead of a mistake.
  public var mayLackNext = false
}
