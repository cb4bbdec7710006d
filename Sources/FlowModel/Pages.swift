public import Expressions
public import JSONSyntax

/// How all pages of a response are requested.
public struct Pages: Sendable {
  /// The strategy that finds the next page.
  public enum Strategy: Sendable {
    /// Requests contain a page number. The first page has the number `first`.
    case number(first: Int)
    /// Requests contain the number of records before the page. The first page has the offset `first`.
    case offset(first: Int)
    /// The response contains a token for the next page.
    case cursor(Located<Source>)
    /// The response contains the URL of the next page.
    case nextURL(Located<Source>)
    /// A `Link` header with this relation contains the URL of the next page (RFC 8288).
    case link(relation: Located<String>)
  }

  /// The location of the next page's token or URL in a response.
  public enum Source: Sendable, Hashable {
    /// A member of the response body outside the records.
    case response(JSONPath)
    /// A response header.
    case header(String)
    /// A member of the page's last record.
    case lastRecord(JSONPath)
    /// The result of an expression over the response. A null result means that there is no next page.
    case expression(Expression)
  }

  /// The location of the page's number, offset or token in a request.
  public enum Location: Sendable, Hashable {
    /// A query parameter. An existing parameter of this name is replaced.
    case query(String)
    /// A request header.
    case header(String)
    /// A member of the JSON body, given by the path steps that lead to it.
    case body([JSONPath.Step])
  }

  /// The requested number of records per page.
  public struct Size: Sendable {
    /// Where requests contain the number.
    public var location: Location
    /// The number, at least 1.
    public var count: Setting<Int>

    /// Creates a size.
    public init(_ count: Setting<Int>, at location: Location) {
      self.count = count
      self.location = location
    }
  }

  /// The meaning of a repeated page, token or URL.
  public enum Repetition: String, Sendable, Hashable, CaseIterable {
    /// A repetition is an error: the server ignores which page is requested, so the pull would not end.
    case error
    /// The page before the repetition was the last page; the records of the repeated page are not used.
    case end
    /// A repetition is not an error: the data are equal, or the server uses one token for all pages.
    case allow
  }

  /// The strategy that finds the next page.
  public var strategy: Strategy
  /// The location of the number, offset or token in a request.
  ///
  /// Nil for URLs, and if templates of the request use `page`.
  public var location: Location?
  /// The requested page size; nil for the server's default size.
  public var size: Size?
  /// The smallest size that is requested when a page is too large, at least 1.
  public var leastSize = 1
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
  /// Whether the records of the pages before a failed page are published.
  public var keepsPart = false
  /// Whether a page with fewer records than the requested size is the last one.
  public var endsAtShort = false
  /// Whether a first page without the member of `from` is the only page. If false, such a page is an error.
  public var mayLackNext = false

  /// The meaning of a page, a token or a URL that has appeared before.
  public var repetition = Repetition.error

  /// Creates pages with the server's page size.
  public init(_ strategy: Strategy, at location: Location? = nil) {
    self.strategy = strategy
    self.location = location
  }

  /// Whether pages are requested by number or offset, so that also a page after the final one can be requested.
  public var isCounted: Bool {
    switch strategy {
    case .number, .offset: true
    case .cursor, .nextURL, .link: false
    }
  }
}
