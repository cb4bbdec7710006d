public import Expressions
public import FlowTerms
public import JSONSyntax

/// How all pages of a response are requested.
public struct PagesDeclaration: Sendable {
  /// How the next page is found.
  public enum Way: Sendable {
    /// Pages are numbered; the first has this number.
    case number(first: Int)
    /// Pages begin after so many records.
    case offset(first: Int)
    /// The response gives a token for the next page.
    case cursor(Located<PageTerms.Source>)
    /// The response gives the URL of the next page.
    case nextURL(Located<PageTerms.Source>)
    /// A `Link` header with this relation gives it (RFC 8288).
    case link(relation: Located<String>)
  }

  /// How the next page is found.
  public var way: Way
  /// The location of the number, offset or token; nil for URLs, and if templates of the request use `page`.
  public var location: PageTerms.Location?
  /// The requested page size, with its parameter.
  public var size: (location: PageTerms.Location, count: Int)?
  /// Where the number of pages is in the response.
  public var count: Located<JSONPath>?
  /// Where the response says whether another page exists: not `false`, `null`, 0 or `""`.
  public var more: Located<JSONPath>?
  /// Ends the pull after a page for which it is true.
  public var stop: Located<Expression>?
  /// The maximum number of pages; more pages are an error.
  public var max = 10_000
  /// How many pages are requested at once if their number is known.
  public var parallel = 4
  /// Whether the records before a failed page are published.
  public var keepsPart = false
  /// Whether pages are counted, so the one after the last is requested too.
  public var isCounted: Bool {
    switch way {
    case .number, .offset: true
    case .cursor, .nextURL, .link: false
    }
  }
  /// Whether a first page without the member of `from` is the only one, instead of an error.
  public var mayLackNext = false
}
