extension Diagnostic {
  /// The diagnostic as one line of JSON, for `--format json`.
  ///
  /// The keys are in this order:
  /// - `severity`, `code`, `message`
  /// - if there is a range: `file`, `line`, `column`, `end_line`, `end_column` (from 1, columns in Unicode scalars),
  ///   `offset`, `end_offset` (UTF-8 bytes, from 0)
  /// - if there is a help text: `help`
  /// - `notes`: a list, each note with `message` and an optional location
  /// - `fixes`: a list, each fix-it with `message`, a location and `replacement`
  public var json: String {
    var members = [
      Self.member("severity", severity.rawValue), Self.member("code", code.rawValue),
      Self.member("message", message),
    ]
    members += Self.location(range)
    if let help { members.append(Self.member("help", help)) }
    let notes = notes.map { Self.object([Self.member("message", $0.message)] + Self.location($0.range)) }
    let fixes = fixIts.map {
      Self.object(
        [Self.member("message", $0.message)] + Self.location($0.range) + [Self.member("replacement", $0.replacement)])
    }
    members.append("\"notes\":[" + notes.joined(separator: ",") + "]")
    members.append("\"fixes\":[" + fixes.joined(separator: ",") + "]")
    return Self.object(members)
  }

  private static func location(_ range: SourceRange?) -> [String] {
    guard let range else { return [] }
    let (start, end) = (range.start, range.end)
    return [
      member("file", range.file.path), "\"line\":\(start.line)", "\"column\":\(start.column)",
      "\"end_line\":\(end.line)", "\"end_column\":\(end.column)", "\"offset\":\(start.offset)",
      "\"end_offset\":\(end.offset)",
    ]
  }

  private static func object(_ members: [String]) -> String { "{" + members.joined(separator: ",") + "}" }

  private static func member(_ name: String, _ value: String) -> String { "\"\(name)\":\"\(escaped(value))\"" }

  /// Escapes a text for a JSON string (RFC 8259 section 7).
  ///
  /// Line separators are escaped too, for programs that read line by line.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _
      where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || (0x2028...0x2029).contains(scalar.value):
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
