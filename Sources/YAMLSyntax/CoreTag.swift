/// The tags of YAML's core schema (YAML 1.2.2 section 10.3). A file may use only these tags.
enum CoreTag: String, CaseIterable {
  case string = "!!str"
  case integer = "!!int"
  case float = "!!float"
  case boolean = "!!bool"
  case null = "!!null"
  case sequence = "!!seq"
  case mapping = "!!map"

  private static let prefix = "tag:yaml.org,2002:"

  /// Creates the core tag for a resolved tag such as `tag:yaml.org,2002:int`; nil when it is not a core tag.
  init?(resolved: String) {
    guard resolved.hasPrefix(Self.prefix) else { return nil }
    self.init(rawValue: "!!" + resolved.dropFirst(Self.prefix.count))
  }

  /// A description of the values that the tag allows, for a message.
  var requirement: String {
    switch self {
    case .string: "text"
    case .integer: "a whole number such as 42 or 0x2A"
    case .float: "a number such as 1.5 or 1e3"
    case .boolean: "true or false"
    case .null: "null, '~' or nothing"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }

  /// Whether a scalar's text has the format that the tag requires.
  func accepts(_ text: String) -> Bool {
    switch self {
    case .string: true
    case .integer: Self.isInteger(text)
    case .float: Self.isFloat(text)
    case .boolean: ["true", "True", "TRUE", "false", "False", "FALSE"].contains(text)
    case .null: ["", "~", "null", "Null", "NULL"].contains(text)
    case .sequence, .mapping: false
    }
  }

  private static func isInteger(_ text: String) -> Bool {
    if text.hasPrefix("0x") { return isMade(text.dropFirst(2), of: "0123456789abcdefABCDEF") }
    if text.hasPrefix("0o") { return isMade(text.dropFirst(2), of: "01234567") }
    return isMade(unsigned(text), of: "0123456789")
  }

  private static func isFloat(_ text: String) -> Bool {
    if [".nan", ".NaN", ".NAN"].contains(text) || isInteger(text) { return true }
    let number = unsigned(text)
    if [".inf", ".Inf", ".INF"].contains(number) { return true }
    var mantissa = number
    if let mark = number.firstIndex(where: { $0 == "e" || $0 == "E" }) {
      mantissa = number[..<mark]
      guard isMade(unsigned(number[number.index(after: mark)...]), of: "0123456789") else { return false }
    }
    let parts = mantissa.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.contains { !$0.isEmpty } && parts.allSatisfy { $0.isEmpty || isMade($0, of: "0123456789") }
  }

  private static func unsigned(_ text: some StringProtocol) -> Substring {
    Substring(text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...])
  }

  private static func isMade(_ text: some StringProtocol, of digits: String) -> Bool {
    !text.isEmpty && text.allSatisfy { digits.contains($0) }
  }
}
