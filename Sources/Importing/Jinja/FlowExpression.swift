/// An expression of the flow language, with what is known about its value.
struct FlowExpression: Hashable {
  /// The kind of the value of an expression.
  enum Kind: Hashable {
    case null, bool, integer, number, string, timestamp, duration, list, map, any
  }

  /// How strongly the outermost operator binds, from the weakest to the strongest.
  enum Level: Int, Comparable {
    case choice, or, and, relation, sum, product, unary, value

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  var text: String
  var kind: Kind
  var level: Level
  /// Whether the value may be absent or null.
  var mayBeMissing: Bool
  /// Whether the expression is a look-up, which `has` and `coalesce` accept.
  var isLookUp: Bool
  /// Whether the value may be an empty text.
  var mayBeEmpty: Bool
  /// Whether the value is an instant here but a date in the manifest, so that its text must have no time.
  var isDay = false

  init(
    _ text: String, _ kind: Kind, _ level: Level = .value, mayBeMissing: Bool = false, isLookUp: Bool = false,
    mayBeEmpty: Bool = false
  ) {
    self.text = text
    self.kind = kind
    self.level = level
    self.mayBeMissing = mayBeMissing
    self.isLookUp = isLookUp
    self.mayBeEmpty = mayBeEmpty
  }

  /// The text as an operand of an operator that binds as strongly as `level`.
  func operand(_ level: Level) -> String { self.level >= level ? text : "(\(text))" }

  /// A look-up whose value is known only when a response arrives.
  static func lookUp(_ text: String) -> FlowExpression {
    FlowExpression(text, .any, mayBeMissing: true, isLookUp: true, mayBeEmpty: true)
  }

  /// A literal text.
  static func literal(_ text: String) -> FlowExpression {
    var result = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'": result += "\\'"
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if scalar.value < 0x20 || scalar.value == 0x7F {
          result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return FlowExpression(result + "'", .string, mayBeEmpty: text.isEmpty)
  }

  /// The expression with a default for an absent value.
  func filled(with fallback: FlowExpression) -> FlowExpression {
    guard mayBeMissing else { return self }
    // Here both operands have the same type.
    if kind == .timestamp, fallback.kind == .string, fallback.isLiteral, fallback.text != "''" {
      return filled(with: FlowExpression("timestamp(\(fallback.text))", .timestamp))
    }
    if kind == .string, let number = Double(fallback.text) {
      return filled(with: .literal(number.isFinite ? fallback.text : ""))
    }
    if kind == .string, [.integer, .number, .bool].contains(fallback.kind), !fallback.mayBeMissing {
      return filled(with: fallback.asText)
    }
    let known: Kind = kind == .any || kind == fallback.kind ? (fallback.kind == .null ? kind : kind) : .any
    return FlowExpression(
      "coalesce(\(text), \(fallback.text))", known == .null ? .any : known,
      mayBeMissing: fallback.mayBeMissing || fallback.kind == .null,
      mayBeEmpty: mayBeEmpty || fallback.mayBeEmpty)
  }

  /// The value as a default for a bound of a cursor: an empty value becomes the start of 1970.
  func asBound(of bound: FlowExpression) -> FlowExpression {
    guard bound.kind == .timestamp, kind != .timestamp else { return self }
    if text == "''" || text == "0" { return FlowExpression("timestamp('1970-01-01T00:00:00Z')", .timestamp) }
    return kind == .string ? FlowExpression("timestamp(\(text))", .timestamp) : self
  }

  /// The expression for a member of this value.
  func member(_ name: String) -> FlowExpression {
    let base = operand(.value)
    let isWord =
      name.utf8.first.map { ($0 | 0x20) &- 0x61 < 26 || $0 == 0x5F } ?? false
      && name.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x5F }
    return .lookUp(isWord ? "\(base).\(name)" : "\(base)[\(FlowExpression.literal(name).text)]")
  }

  /// The names of the members of a root, such as `source`, that the expression reads.
  func members(of root: String) -> [String] {
    text.ranges(of: root + ".").map { range in
      String(text[range.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
  }

  /// Whether the expression is a secret, which may have no value.
  var isSecret: Bool {
    text.hasPrefix("secrets.") && text.dropFirst(8).allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  /// The expression for an undefined value. As a part of a text it is empty.
  static var undefined: FlowExpression { FlowExpression("null", .null) }

  /// The expression as a number, if it is a time that is formatted only with digits, such as `20240131`; nil for other
  /// values.
  var numberOfDigits: FlowExpression? {
    guard kind == .string, text.hasPrefix("format("), text.hasSuffix("')"), level == .value,
      let form = text.split(separator: "'").dropLast().last, form.hasPrefix("%Y"),
      form.split(separator: "%").allSatisfy({ $0.count == 1 && "YmdHMSj".contains($0) })
    else { return nil }
    return FlowExpression("int(\(text))", .integer)
  }

  /// Whether the text of the expression shows that the value is a list of texts.
  var isOfTexts: Bool {
    kind == .list
      && (text.hasPrefix("vars.") && !text.contains("(") || text.hasPrefix("split(")
        || !["upper", "lower", "trim", "string"].allSatisfy { !isMapped(by: $0) })
  }

  /// Whether the value is a list whose elements are results of this function, such as `lower`.
  func isMapped(by function: String) -> Bool {
    guard let start = text.ranges(of: ".map(x, ").last?.upperBound else { return false }
    return ["x))", "string(x)))"].contains { text[start...] == "\(function)(\($0)" }
  }

  /// The condition that is true if the value counts as true in Jinja.
  var truth: FlowExpression {
    switch kind {
    case .bool: mayBeMissing ? FlowExpression("coalesce(\(text), false)", .bool) : self
    case .null: FlowExpression("false", .bool)
    case .string where text == "''": FlowExpression("false", .bool)
    case .string where isSecret: FlowExpression("has(\(text))", .bool)
    case .string:
      mayBeMissing
        ? FlowExpression("coalesce(\(text), '') != ''", .bool, .relation)
        : FlowExpression("\(operand(.sum)) != ''", .bool, .relation)
    case .integer, .number:
      mayBeMissing
        ? FlowExpression("coalesce(\(text), 0) != 0", .bool, .relation)
        : FlowExpression("\(operand(.sum)) != 0", .bool, .relation)
    case .timestamp, .duration:
      mayBeMissing && isLookUp ? FlowExpression("has(\(text))", .bool) : FlowExpression("true", .bool)
    case .list, .map:
      mayBeMissing
        ? FlowExpression("length(coalesce(\(text), [])) > 0", .bool, .relation)
        : FlowExpression("length(\(text)) > 0", .bool, .relation)
    case .any where isLookUp && mayBeMissing && text.hasPrefix("cursor."):
      // A bound or a position is never empty.
      FlowExpression("has(\(text))", .bool)
    case .any where mayBeMissing:
      FlowExpression("!(coalesce(\(text), '') in ['', 0, false, [], {}])", .bool, .unary)
    case .any where text.hasPrefix("coalesce("): FlowExpression("!(\(text) in ['', 0, false, [], {}])", .bool, .unary)
    // An element of a list may be null.
    case .any: FlowExpression("!(\(operand(.sum)) in [null, '', 0, false, [], {}])", .bool, .unary)
    }
  }

  /// The value as a text.
  var asText: FlowExpression {
    if kind == .string, !mayBeMissing { return self }
    if isDay, kind == .timestamp, !mayBeMissing { return FlowExpression("format(\(text), '%Y-%m-%d')", .string) }
    if mayBeMissing, isLookUp, [.integer, .number, .bool, .timestamp, .duration].contains(kind) {
      return FlowExpression("has(\(text)) ? string(\(text)) : ''", .string, .choice, mayBeEmpty: true)
    }
    let value = mayBeMissing ? "coalesce(\(text), '')" : text
    return kind == .string
      ? FlowExpression(value, .string, mayBeEmpty: true)
      : FlowExpression("string(\(value))", .string, mayBeEmpty: mayBeEmpty)
  }
}
