/// A request to a server: path, method, headers, body and query, all relative to a connection's base URL.
public struct Resource: Sendable, Hashable {
  /// One `name=value` pair of a query; the text is percent-encoded when the URL is built.
  ///
  /// The value of an unescaped pair is sent as written, as far as a URL can contain it.
  public struct QueryItem: Sendable, Hashable {
    /// The name, not encoded.
    public var name: String
    /// The value, not encoded.
    public var value: String
    /// Whether characters that a query may contain (RFC 3986, section 3.4) and escapes are sent as written.
    public var isUnescaped: Bool

    /// Builds an item.
    public init(_ name: String, _ value: String, isUnescaped: Bool = false) {
      self.name = name
      self.value = value
      self.isUnescaped = isUnescaped
    }
  }

  /// The request methods of upstream's `Method`.
  public enum Method: String, Sendable, Hashable, CaseIterable {
    case OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE, TRACE, CONNECT
  }

  /// The path, which is appended to the base URL's path; a missing slash at its start is added.
  public var path: String
  /// The request method.
  public var method: Method
  /// Request headers, in order.
  public var headers: Headers
  /// The bytes of the body; nil means no body, which is not the same as an empty body.
  public var body: [UInt8]?
  /// The query parameters in order; repeated names are allowed. The base URL's parameters come before them.
  public var query: [QueryItem]
  /// A complete URL that replaces the base URL and the path, such as a link to the next page.
  ///
  /// It is used exactly as the server sent it. Query parameters whose names it does not have are added.
  public var target: String?
  /// The chain of requests to which the resource belongs; comparisons ignore it.
  public var chain: RequestChain? {
    get { membership.chain }
    set { membership.chain = newValue }
  }
  /// How often the request was sent before, for traces; comparisons ignore it.
  package var resends: Int {
    get { membership.resends }
    set { membership.resends = newValue }
  }
  private var membership = RequestChain.Membership()
  /// Texts that were computed from secrets for this request, such as a signature. They are masked like secrets.
  package var derivedSecrets: [String] = []
  /// The requests for the other fields of the same records, in the order in which they are sent; empty for most
  /// requests.
  ///
  /// A connection sends only the resource itself.
  package var siblings: [Resource] = []

  /// Builds a resource.
  public init(
    path: String, method: Method, body: [UInt8]? = nil, headers: Headers = Headers(), query: [QueryItem] = [],
    target: String? = nil
  ) {
    self.path = path
    self.method = method
    self.body = body
    self.headers = headers
    self.query = query
    self.target = target
  }

  /// Returns a copy with the header added; existing headers of that name, ignoring case, are replaced.
  public func addHeader(_ value: String, key: String) -> Resource {
    var copy = self
    copy.headers[key] = value
    return copy
  }
}

extension Resource: CustomStringConvertible {
  /// Three lines: path, method, headers (upstream R-019).
  public var description: String {
    "Path: \(path)\nMethod: \(method.rawValue)\nHeaders: \(headers)"
  }
}
