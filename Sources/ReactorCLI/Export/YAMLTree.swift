internal import SourceDiagnostics

/// A YAML document that a program writes for people to read.
indirect enum YAMLTree {
  /// A text, also one that looks like a number.
  case text(String)
  case number(Int)
  case flag(Bool)
  /// A list; of texts and numbers on one line if `isFlow`.
  case list([YAMLTree], isFlow: Bool = false)
  case map([(String, YAMLTree)])

  /// The document, which ends with a line break.
  var document: String { block(indent: 0).drop { $0 == "\n" } + "\n" }

  /// A map without the entries whose value is nil.
  static func entries(_ entries: [(String, YAMLTree?)]) -> YAMLTree {
    .map(entries.compactMap { name, value in value.map { (name, $0) } })
  }

  static func texts(_ texts: [String]) -> YAMLTree { .list(texts.map { .text($0) }) }

  /// The text after a key or a dash: on the same line, or on lines of its own that begin with a line break.
  private func block(indent: Int) -> String {
    let start = "\n" + String(repeating: " ", count: indent)
    switch self {
    case .text(let text): return Self.scalar(text, indent: indent)
    case .number(let number): return "\(number)"
    case .flag(let flag): return "\(flag)"
    case .list(let items, let isFlow):
      if isFlow || items.isEmpty { return "[" + items.map { $0.block(indent: 0) }.joined(separator: ", ") + "]" }
      return items.map { start + "- " + $0.block(indent: indent + 2).drop { $0 == "\n" || $0 == " " } }.joined()
    case .map(let entries):
      if entries.isEmpty { return "{}" }
      return entries.map { name, value in
        let text = value.block(indent: indent + 2)
        return "\(start)\(Self.quoted(name)):" + (text.hasPrefix("\n") ? "" : " ") + text
      }.joined()
    }
  }

  /// A text as a scalar: lines as a literal block, other texts on one line.
  private static func scalar(_ text: String, indent: Int) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count > 2, lines.last == "", lines.dropLast().allSatisfy({ $0.first.map { $0 != " " } ?? false }),
      text.unicodeScalars.allSatisfy({ $0 == "\n" || $0.isShownAsItself })
    else { return quoted(text) }
    let start = "\n" + String(repeating: " ", count: indent)
    return "|" + lines.dropLast().map { start + $0 }.joined()
  }

  /// A text as a plain scalar where every parser reads it as this text, else in double quotes.
  static func quoted(_ text: String) -> String {
    if text.wholeMatch(of: /[A-Za-z_\/][A-Za-z0-9_.\/-]*/) != nil, !words.contains(text.lowercased()) { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += #"\""#
      case "\\": quoted += #"\\"#
      case "\n": quoted += #"\n"#
      case "\t": quoted += #"\t"#
      case let scalar where scalar.isShownAsItself: quoted.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let length = scalar.value > 0xFFFF ? 8 : 4
        quoted += (length == 8 ? #"\U"# : #"\u"#) + String(repeating: "0", count: length - digits.count) + digits
      }
    }
    return quoted + "\""
  }

  /// Words that some parsers read as a boolean or as nothing.
  private static let words: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"]
}
