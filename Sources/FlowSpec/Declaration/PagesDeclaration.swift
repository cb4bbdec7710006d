public import Expressions
public import FlowTerms
public import JSONSyntax

/// The declaration of how all pages of a response are requested.
public struct PagesDeclaration: Sendable {
  /// The strategy that finds the next page.
  public enum Strategy: Sendable {
    /// Requests contain a page number. The first page has the number `first`.
    case number(first: Int)
    /// Requests contain the number of records before the page. The first page has the offset `first`.
    case offset(first: Int)
    /// The response contains a token for the next page.
    case cursor(Located<PageTerms.Source>)
    /// The response contains the URL of the next page.
    case nextURL(Located<PageTerms.Source>)
    /// A `Link` header with this relation contains the URL of the next page (RFC 8288).
    case link(relation: Located<String>)
  }

  /// The strategy that finds the next page.
  public var strategy: Strategy
  /// The location of the number, offset or token in a request.
  ///
  /// Nil for URLs, and if templates of the request use `page`.
  public var location: PageTerms.Location?
  /// The requested number of records per page, and the location of this number in a request.
  public var size: (location: PageTerms.Location, count: Setting<Int>)?
  /// The path to the number of pages in the response.
  public var count: Located<JSONPath>?
  /// The path to a value in the response that shows whether another page exists.
  ///
  /// `false`, `null`, 0 and `""` mean that there is no other page.
  public var more: Located<JSONPath>?
  /// The condition that ends the pull after a page for which it is true.
  public var stop: Located<Expression>?
  /// The maximum number of pages. A further page is an error.
  public var max = 10_000
  /// The number of pages that are requested at the same time if the number of pages is known.
  public var parallel = 4
  /// Whether the records before a failed page are published.
  public var keepsPart = false
  /// Whether pages are counted. The page after the last page is then requested too.
  public var isCounted: Bool {
    switch strategy {
    case .number, .offset: true
    case .cursor, .nextURL, .link: false
    }
  }
  /// Whether a page with fewer records than the requested size is the last one.
  public var endsAtShort = false
  /// The size below which a page is not made smaller, at least 1.
  public var leastSize = 1
  /// Whether a first page without the member of `from` is the only page. If false, it is an error.
  public var mayLackNext = false
}
