/// A JSON value that is written as a literal in code. Members keep their order.
indirect enum LiteralJSON: Sendable {
  case bool(Bool)
  case integer(Int)
  case string(String)
  case array([LiteralJSON])
  case object([(name: String, value: LiteralJSON)])

  /// An array of strings.
  static func texts(_ texts: [String]) -> LiteralJSON { .array(texts.map { .string($0) }) }
}

extension LiteralJSON: ExpressibleByStringLiteral {
  init(stringLiteral value: String) { self = .string(value) }
}

extension LiteralJSON: ExpressibleByBooleanLiteral {
  init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension LiteralJSON: ExpressibleByIntegerLiteral {
  init(integerLiteral value: Int) { self = .integer(value) }
}

extension LiteralJSON: ExpressibleByArrayLiteral {
  typealias ArrayLiteralElement = LiteralJSON

  init(arrayLiteral elements: LiteralJSON...) { self = .array(elements) }
}

extension LiteralJSON: ExpressibleByDictionaryLiteral {
  typealias Key = String
  typealias Value = LiteralJSON

  init(dictionaryLiteral elements: (String, LiteralJSON)...) { self = .object(elements.map { ($0.0, $0.1) }) }
}

extension LiteralJSON {
  /// The formatted JSON text: two spaces for each level, one member per line, short lists on one line.
  func text(indent: Int = 0) -> String {
    let inner = String(repeating: " ", count: indent + 2)
    let outer = String(repeating: " ", count: indent)
    switch self {
    case .bool(let value): return value ? "true" : "false"
    case .integer(let value): return String(value)
    case .string(let text): return Self.quoted(text)
    case .array(let elements):
      let texts = elements.map { $0.text(indent: indent + 2) }
      let line = "[" + texts.joined(separator: ", ") + "]"
      guard line.utf8.count > 80 || line.utf8.contains(0x0A) else { return line }
      return "[\n" + texts.map { inner + $0 }.joined(separator: ",\n") + "\n\(outer)]"
    case .object(let members):
      guard !members.isEmpty else { return "{}" }
      let lines = members.map { "\(inner)\(Self.quoted($0.name)): \($0.value.text(indent: indent + 2))" }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
