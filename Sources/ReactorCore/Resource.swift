/// What is asked of a server: path, method, headers, body and query, all relative to a connection's base URL.
public struct Resource: Sendable, Hashable {
  /// The request methods of upstream's `Method`.
  public enum Method: String, Sendable, Hashable, CaseIterable {
    case OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE, TRACE, CONNECT
  }

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

  /// Builds a resource.
  public init(
    path: String, method: Method, body: [UInt8]? = nil, headers: Headers = Headers(), query: [QueryItem] = []
  ) {
    self.path = path
    self.method = method
    self.body = body
    self.headers = headers
    self.query = query
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

/// Header fields in order; names compare without case.
public struct Headers: Sendable, Hashable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
  /// One field.
  public struct Field: Sendable, Hashable {
    /// The name as written.
    public var name: String
    /// The value without surrounding white space.
    public var value: String

    /// Builds a field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// All fields in order, repeats included.
  public var fields: [Field]

  /// Builds headers from fields.
  public init(_ fields: [Field] = []) { self.fields = fields }

  /// Builds headers from a literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.fields = elements.map { Field($0.0, $0.1) }
  }

  /// The first value under a name; setting replaces all of that name, setting nil removes them.
  public subscript(_ name: String) -> String? {
    get { fields.first { Headers.matches($0.name, name) }?.value }
    set {
      let first = fields.firstIndex { Headers.matches($0.name, name) }
      fields.removeAll { Headers.matches($0.name, name) }
      if let newValue { fields.insert(Field(name, newValue), at: min(first ?? fields.count, fields.count)) }
    }
  }

  /// All values under a name, in order.
  public func values(_ name: String) -> [String] {
    fields.filter { Headers.matches($0.name, name) }.map(\.value)
  }

  /// Whether two names are equal without ASCII case.
  public static func matches(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count
      && zip(left.utf8, right.utf8).allSatisfy { lowercase($0) == lowercase($1) }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  /// `[name: value, …]`, `[:]` when empty.
  public var description: String {
    fields.isEmpty ? "[:]" : "[" + fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ") + "]"
  }
}
