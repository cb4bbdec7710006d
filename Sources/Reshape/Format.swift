internal import ByteCodings
internal import JSONSyntax

/// `@text` and the other formats.
enum Format: String, Sendable, Hashable, CaseIterable {
  case text
  case json
  case html
  case uri
  case csv
  case tsv
  case sh
  case base64
  case base64d
}

extension Meter {
  mutating func formatted(_ value: JSONValue, as format: Format) throws(EvaluationError) -> String {
    let result: String
    switch format {
    case .text: return try shown(value)
    case .json: return try written(value)
    case .csv, .tsv: result = try row(value, format)
    case .sh: result = try quoted(value)
    case .html: result = XMLText.escaped(try shown(value))
    case .uri: result = PercentCoding.encode(try shown(value))
    case .base64: result = Base64.encode(Array(try shown(value).utf8))
    case .base64d:
      let text = try shown(value)
      // Bytes that are not valid UTF-8 become U+FFFD, as in jq.
      guard let decoded = Base64.decode(Array(text.utf8), allowing: [.padding, .spareBits]) else {
        throw .message("\(JSONValue.string(text).shown) is not valid base64 data")
      }
      result = String(decoding: decoded, as: UTF8.self)
    }
    try build(32 + result.utf8.count)
    try step(result.utf8.count / 4)
    return result
  }

  private mutating func row(_ value: JSONValue, _ format: Format) throws(EvaluationError) -> String {
    guard case .array(let cells) = value else {
      throw .message("\(value.shown) cannot be \(format.rawValue)-formatted, only an array can be")
    }
    var texts: [String] = []
    for cell in cells {
      try step()
      switch cell {
      case .null: texts.append("")
      case .bool, .number: texts.append(try written(cell))
      case .string(let text):
        try build(text.utf8.count)
        try step(text.utf8.count / 16)
        texts.append(format == .csv ? Self.csv(text) : Self.tsv(text))
      default: throw .message("\(cell.shown) is not valid in a csv row")
      }
    }
    return texts.joined(separator: format == .csv ? "," : "\t")
  }

  private static func csv(_ text: String) -> String {
    "\"" + text.unicodeScalars.reduce(into: "") { $0 += $1 == "\"" ? "\"\"" : String($1) } + "\""
  }

  private static func tsv(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\t": result += "\\t"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\\": result += "\\\\"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  private mutating func quoted(_ value: JSONValue) throws(EvaluationError) -> String {
    var cells = [value]
    if case .array(let elements) = value { cells = elements }
    var texts: [String] = []
    for cell in cells {
      try step()
      switch cell {
      case .string(let text):
        try build(text.utf8.count)
        try step(text.utf8.count / 16)
        texts.append(
          "'" + text.unicodeScalars.reduce(into: "") { $0 += $1 == "'" ? "'\\''" : String($1) } + "'")
      case .array, .object: throw .message("\(cell.shown) can not be escaped for shell")
      default: texts.append(try written(cell))
      }
    }
    return texts.joined(separator: " ")
  }
}
