public import JSONSyntax

extension ExpressionValue {
  /// Converts a JSON value to its declared type.
  ///
  /// Numbers of type int become ints, and ISO 8601 texts of type timestamp or duration become timestamps or durations,
  /// also inside lists, maps and objects. A value that does not match its type, and every other value, remains
  /// unchanged.
  ///
  /// A scope uses this initializer to give its names the values that its ``ExpressionScopeType`` declares. An object is
  /// converted only if a member needs it.
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
  /// Whether values of this type, or parts of them, have another type in JSON and so are converted.
  fileprivate var isConverted: Bool {
    switch self {
    case .int, .timestamp, .duration: true
    case .dynamic, .null, .bool, .double, .string: false
    case .list(let inner), .map(let inner), .optional(let inner): inner.isConverted
    case .object(let object): object.members.contains { $0.type.isConverted }
    }
  }
}
