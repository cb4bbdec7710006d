internal import ByteCodings
internal import Expressions
internal import YAMLSyntax

/// A text of a drafted flow, made of literal parts and expressions.
package struct DraftText: Sendable, Hashable {
  private enum Piece: Hashable {
    case literal(String)
    case expression(String)
  }

  private var pieces: [Piece]
  /// The names of the secrets that the text uses, in order.
  package private(set) var secrets: [String] = []

  /// Creates a literal text; `{{` in it is not an expression.
  package init(_ literal: String) { pieces = literal.isEmpty ? [] : [.literal(literal)] }

  /// Creates a text of one expression, such as `parent.id` or `vars.since`.
  package static func expression(_ text: String) -> DraftText {
    var result = DraftText("")
    result.pieces = [.expression(text)]
    return result
  }

  /// Creates a text of one expression: the value of a secret.
  package static func secret(_ name: String) -> DraftText {
    var result = expression("secrets.\(name)")
    result.secrets = [name]
    return result
  }

  package static func + (left: DraftText, right: DraftText) -> DraftText {
    var result = left
    result.pieces += right.pieces
    result.secrets += right.secrets
    return result
  }

  /// A placeholder for a secret within a literal text: its name between characters that no request contains.
  static func place(ofSecret name: String) -> String { "\u{F8F0}\(name)\u{F8F1}" }

  /// A template in which the secrets replace their placeholders.
  static func fillingSecrets(in template: String) -> String {
    template.replacing("\u{F8F0}", with: "{{ secrets.").replacing("\u{F8F1}", with: " }}")
  }

  /// The text in the notation of the flow language.
  package var template: String {
    let text = pieces.map { piece in
      switch piece {
      case .literal(let text): text.replacing("{{", with: "{{ \"{{\" }}")
      case .expression(let text): "{{ \(text) }}"
      }
    }.joined()
    return ForeignTemplate.escaped(text)
  }

  /// The YAML scalar that is parsed as this text.
  package var yaml: String {
    let template = template
    if case .literal(let text)? = pieces.first, pieces.count == 1, Self.isPlain(text), template == text { return text }
    return YAMLText.quoted(template)
  }

  // MARK: - Scalars

  /// Returns a YAML scalar for a literal text.
  static func value(_ text: String) -> String { DraftText(text).yaml }

  /// Returns a YAML scalar for a key of a mapping.
  static func key(_ text: String) -> String { isPlainKey(text) ? text : YAMLText.quoted(text) }

  /// Returns a text on one line, for a comment.
  static func flat(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }

  /// Whether a text is a valid name of a flow, a variable or a secret.
  package static func isWord(_ text: String) -> Bool {
    guard let first = text.utf8.first, !ASCII.isDigit(first) else { return false }
    return text.utf8.allSatisfy { isWordByte($0) || $0 == UInt8(ascii: "_") }
  }

  /// Returns a name in lower case with its words separated: `petId` and `Pet-ID` become `pet_id`.
  static func word(_ text: String) -> String {
    var result: [UInt8] = []
    var previous: UInt8 = 0
    for byte in text.utf8 {
      let begins = isUpper(byte) && isWordByte(previous) && !isUpper(previous)
      if begins || !isWordByte(byte), let last = result.last, last != UInt8(ascii: "_") {
        result.append(UInt8(ascii: "_"))
      }
      if isWordByte(byte) { result.append(isUpper(byte) ? byte | 0x20 : byte) }
      previous = byte
    }
    while result.last == UInt8(ascii: "_") { result.removeLast() }
    let text = String(decoding: result, as: UTF8.self)
    return isWord(text) ? text : text.isEmpty ? "" : "_" + text
  }

  /// Returns the singular of a name, by the usual endings: `pets` becomes `pet`.
  static func singular(_ name: String) -> String {
    if name.hasSuffix("ies") { return name.dropLast(3) + "y" }
    return name.hasSuffix("s") && !name.hasSuffix("ss") && name.utf8.count > 2 ? String(name.dropLast()) : name
  }

  /// Returns a name in lower case and without punctuation, to compare names of different styles.
  static func plain(_ text: String) -> String {
    String(decoding: text.utf8.filter(isWordByte).map(ASCII.lowercased), as: UTF8.self)
  }

  private static func isWordByte(_ byte: UInt8) -> Bool { ASCII.isLetter(byte) || ASCII.isDigit(byte) }
  private static func isUpper(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    return (ASCII.isLetter(first) || first == UInt8(ascii: "/") || first == UInt8(ascii: "$"))
      && text.utf8.allSatisfy { isWordByte($0) || "_-./$:".utf8.contains($0) } && !text.hasSuffix(":")
      && !["null", "true", "false"].contains(text)
  }

  private static func isPlainKey(_ text: String) -> Bool {
    guard let first = text.utf8.first, ASCII.isLetter(first) else { return false }
    return text.utf8.allSatisfy { isWordByte($0) || "_-.".utf8.contains($0) }
      && !["null", "true", "false", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
  }
}
