/// A sign or word of another language, and what to write instead of it.
struct ForeignSyntax {
  let text: String
  /// The replacement; nil if it depends on the use.
  let suggestion: String?
  let help: String

  /// The error if the sign or word is used as an operator.
  func error(_ kind: ExpressionError.Kind, at range: Range<Int>) -> ExpressionError {
    ExpressionError(kind, "'\(text)' is not an operator", at: range, suggestion: suggestion, help: help)
  }

  private init(_ text: String, _ suggestion: String?, _ help: String) {
    self.text = text
    self.suggestion = suggestion
    self.help = help
  }

  private static let defaultHelp = "a default is written coalesce(value, default)"
  private static let conditionalHelp = "write: condition ? value : other"

  /// Signs of two or three characters that no valid expression contains. Longer ones come first.
  static let signs = [
    Self("===", "==", "equality is written '=='"), Self("!==", "!=", "inequality is written '!='"),
    Self("<=>", nil, "compare with '<', '==' or '>'"), Self("<>", "!=", "inequality is written '!='"),
    Self("=>", nil, "a function of each element is written list.map(x, …)"),
    Self("=~", nil, "a pattern is tested with text.matches('…')"),
    Self("??", nil, defaultHelp), Self("?:", nil, defaultHelp),
    Self("?.", ".", "a member is written with '.'; for a value that may be missing write coalesce(value, default)"),
    Self("->", ".", "a member is written with '.'"), Self("**", nil, "write power(base, exponent)"),
    Self("//", "/", "write '/', which drops the remainder of integers"),
    Self("++", nil, "write + 1; texts are joined with '+'"),
    Self(":=", nil, assignmentHelp), Self("+=", nil, assignmentHelp), Self("-=", nil, assignmentHelp),
    Self("::", nil, "a value is converted with int(…), float(…), string(…) or timestamp(…)"),
  ]

  /// Characters that cannot begin a token.
  static let characters: [UInt8: Self] = [
    UInt8(ascii: "="): Self("=", "==", "equality is written '=='"),
    UInt8(ascii: "&"): Self("&", "&&", "'and' is written '&&'"),
    UInt8(ascii: "~"): Self("~", "+", "texts are joined with '+'"),
  ]

  private static let assignmentHelp = "an expression is one value and assigns nothing"

  /// Words that other languages have between two values.
  static let infixes: [String: Self] = byText([
    Self("and", "&&", "'and' is written '&&'"), Self("AND", "&&", "'and' is written '&&'"),
    Self("or", "||", "'or' is written '||'"), Self("OR", "||", "'or' is written '||'"),
    Self("is", "==", "equality is written '=='"), Self("eq", "==", "equality is written '=='"),
    Self("ne", "!=", "inequality is written '!='"), Self("lt", "<", "write '<'"), Self("le", "<=", "write '<='"),
    Self("lte", "<=", "write '<='"), Self("gt", ">", "write '>'"), Self("ge", ">=", "write '>='"),
    Self("gte", ">=", "write '>='"), Self("mod", "%", "the remainder is written '%'"),
    Self("div", "/", "write '/', which drops the remainder of integers"),
    Self("not", nil, "write !(value in list)"), Self("IN", "in", "write 'in'"),
    Self("like", nil, "write text.contains('…'), text.starts_with('…') or text.matches('…')"),
    Self("LIKE", nil, "write text.contains('…'), text.starts_with('…') or text.matches('…')"),
    Self("contains", nil, "write text.contains('…')"), Self("matches", nil, "write text.matches('…')"),
    Self("between", nil, "write low <= value && value <= high"), Self("if", nil, conditionalHelp),
    Self("then", nil, conditionalHelp), Self("else", nil, conditionalHelp), Self("as", nil, assignmentHelp),
  ])

  /// Words that other languages have in front of a value.
  static let prefixes: [String: Self] = byText([
    Self("not", "!", "'not' is written '!'"), Self("NOT", "!", "'not' is written '!'"),
    Self("if", nil, conditionalHelp), Self("case", nil, conditionalHelp), Self("when", nil, conditionalHelp),
    Self("new", nil, "call a function, for example now() or timestamp(text)"),
    Self("lambda", nil, "a function of each element is written list.map(x, …)"),
    Self("return", nil, "leave it out: an expression is one value"), Self("let", nil, assignmentHelp),
    Self("var", nil, assignmentHelp), Self("set", nil, assignmentHelp),
  ])

  /// Names of values in other languages, such as `None`.
  static let literals = [
    "True": "true", "TRUE": "true", "False": "false", "FALSE": "false", "None": "null", "nil": "null", "NULL": "null",
    "Null": "null", "undefined": "null",
  ]

  /// Typographic quotes, which text processors write.
  static let quotes: Set<Unicode.Scalar> = ["‘", "’", "‚", "‛", "“", "”", "„", "‟", "«", "»"]

  private static func byText(_ words: [Self]) -> [String: Self] {
    Dictionary(words.map { ($0.text, $0) }) { first, _ in first }
  }

  /// The help for `value | name`, which applies a filter in templates of other programs.
  ///
  /// - Parameters:
  ///   - value: the text in front of the sign.
  ///   - filter: the text after it.
  static func filterHelp(_ value: String, _ filter: String) -> String {
    let or = "'or' is written '||'"
    let name = String(filter.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
    guard !name.isEmpty else { return or }
    let function =
      FunctionTable.function(name) ?? FunctionTable.functions.first { $0.otherNames.contains(name) }
    guard let function else { return "a function is called as \(name)(…); \(or)" }
    let behind = filter.dropFirst(name.count)
    let arguments = behind.hasPrefix("(") ? behind.dropFirst().prefix { $0 != ")" && $0 != "(" } : ""
    let isLookup = value.utf8.allSatisfy { Lexer.isNameCharacter($0) || $0 == UInt8(ascii: ".") } && !value.isEmpty
    let call = "\(function.name)(\(isLookup ? value : "…")\(arguments.isEmpty ? "" : ", \(arguments)"))"
    return "a filter is written as a function call: \(call); \(or)"
  }
}
