/// What can be guessed about a flow from a saved response to its request.
public struct ResponseOutline: Sendable {
  /// A field of the records.
  public struct Field: Sendable {
    /// The name of the member.
    public let name: String
    /// The keys of the field's type, such as `type: timestamp` and `format: epoch_s`.
    public let type: [(name: String, value: String)]
    /// Whether the field is absent or null in some of the records.
    public let isOptional: Bool

    /// Creates a field.
    public init(name: String, type: [(name: String, value: String)], isOptional: Bool) {
      self.name = name
      self.type = type
      self.isOptional = isOptional
    }
  }

  /// The path of the records: a JSONPath.
  public var records: String
  /// The number of records in the response.
  public var count: Int
  /// The field that identifies a record; nil when none does.
  public var key: String?
  /// The fields in the order of the response.
  public var fields: [Field]
  /// The value of `pages` in YAML; nil when the response does not show how pages are requested.
  public var pages: String?
  /// The path of the total number of records; nil when the response has none.
  public var total: String?
  /// The query parameters that `pages` sends, so that the flow need not declare them.
  public var replaced: Set<String>
  /// Sentences that say what was guessed.
  public var notes: [String]

  /// Creates an outline.
  public init(
    records: String, count: Int, key: String?, fields: [Field], pages: String?, total: String?, replaced: Set<String>,
    notes: [String]
  ) {
    self.records = records
    self.count = count
    self.key = key
    self.fields = fields
    self.pages = pages
    self.total = total
    self.replaced = replaced
    self.notes = notes
  }

  /// A saved response with the query of its request, from which an outline is inferred.
  public struct Example: Sendable {
    /// The headers of the response.
    public let headers: [(name: String, value: String)]
    /// The body of the response.
    public let body: String
    /// The query of the request, without parameters whose values depend on variables.
    public let query: [(name: String, value: String)]
  }

  /// Reads an outline; nil for a response that is not JSON.
  public typealias Reader = (Example) -> ResponseOutline?
}
