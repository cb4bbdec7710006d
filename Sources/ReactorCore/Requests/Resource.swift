/// A request to a server: path, method, headers, body and query, all relative to a connection's base URL.
public struct Resource: Sendable, Hashable {
  /// One `name=value` of a query; values are plain text and are percent-encoded when the URL is built.
  public struct QueryItem: Sendable, Hashable {
    /// The name, not encoded.
    public var name: String
    /// The value, not encoded.
    public var value: String

    /// Builds an item.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The request methods of upstream's `Method`.
  public enum Method: String, Sendable, Hashable, CaseIterable {
    case OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE, TRACE, CONNECT
  }

  /// Relative to the base URL's path, to which it is joined; a missing leading slash is added.
  public var path: String
  /// The request method.
  public var method: Method
  /// Request headers, in order.
  public var headers: Headers
  /// The body's bytes; nil differs from empty.
  public var body: [UInt8]?
  /// Query parameters in order, repeats allowed; the base URL's own come first.
  public var query: [QueryItem]
  /// A whole URL to request instead of the base URL and the path, exactly as a server gave it: a link to a next page.
  ///
  /// Query parameters whose names it does not have are added to it.
  public var target: String?
  /// The chain of requests that it is part of; it does not count in comparisons.
  public var chain: RequestChain? {
    get { membership.chain }
    set { membership.chain = newValue }
  }
  private var membership = RequestChain.Membership()

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

  /// A copy with the header added or, if its name is there in any case, replaced.
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
