public import JSONSyntax

extension ExpressionValue {
  /// A JSON value as what its declared type says: numbers of ints as ints, ISO 8601 texts of timestamps and durations as
  /// these, in lists, maps and objects, too. What does not fit its type stays as it came, and so does all else.
  ///
  /// With it, a scope gives its names the values that its ``ExpressionScopeType`` promises. An object is only taken
  /// apart where a member needs it.
  public init(_ json: JSONValue, as type: ExpressionType) {
    guard type.isConverted else {
      self.init(json)
      return
    }
    switch (type, json) {
    case (.optional(let inner), _):
      self.init(json, as: inner)
    case (.int, .number(let number)):
      self = number.int64.map { .int($0) } ?? .number(number)
    case (.timestamp, .string(let text)):
      self = ExpressionTimestamp(iso8601: text).map { .timestamp($0) } ?? .string(text)
    case (.duration, .string(let text)):
      self = DurationValue.parse(text).map { .duration($0) } ?? .string(text)
    case (.list(let inner), .array(let elements)):
      self = .list(elements.map { ExpressionValue($0, as: inner) })
    case (.map(let inner), .object(let object)):
      self = .map(object.members.map { ExpressionMember($0.name, ExpressionValue($0.value, as: inner)) })
    case (.object(let known), .object(let object)):
      self = .map(
        object.members.map { member in
          ExpressionMember(
            member.name, ExpressionValue(member.value, as: known.member(member.name)?.type ?? .dynamic))
        })
    default:
      self.init(json)
    }
  }
}

extension ExpressionType {
  /// Whether JSON represents a part of it differently.
  fileprivate var isConverted: Bool {
    switch self {
    case .int, .timestamp, .duration: true
    case .dynamic, .null, .bool, .double, .string: false
    case .list(let inner), .map(let inner), .optional(let inner): inner.isConverted
    case .object(let object): object.members.contains { $0.type.isConverted }
    }
  }
}
