internal import ByteCodings

/// A text of a drafted flow: what stands for itself, and expressions.
package struct DraftText: Sendable, Hashable {
  private enum Piece: Hashable {
    case literal(String)
    case expression(String)
  }

  private var pieces: [Piece]
  /// The secrets that it names, in order.
  package private(set) var secrets: [String] = []

  /// A text without expressions, even where it has the form of one.
  package init(_ literal: String) { pieces = literal.isEmpty ? [] : [.literal(literal)] }

  /// A template: `parent.id`, `vars.since`.
  package static func expression(_ text: String) -> DraftText {
    var result = DraftText("")
    result.pieces = [.expression(text)]
    return result
  }

  /// A secret's value.
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

  /// As the language writes it.
  package var template: String {
    pieces.map { piece in
      switch piece {
      case .literal(let text): text.replacing("{{", with: "{{ \"{{\" }}")
      case .expression(let text): "{{ \(text) }}"
      }
    }.joined()
  }

  /// A YAML scalar that the reader takes for this text.
  package var yaml: String {
    if case .literal(let text)? = pieces.first, pieces.count == 1, Self.isPlain(text) { return text }
    return YAMLText.quoted(template)
  }

  // MARK: - Scalars

  /// A scalar for a text without expressions.
  static func value(_ text: String) -> String { DraftText(text).yaml }

  /// A key of a mapping.
  static func key(_ text: String) -> String { isPlainKey(text) ? text : YAMLText.quoted(text) }

  /// A text as a comment holds it: on one line.
  static func flat(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }

  /// A name of a flow, a variable or a secret.
  package static func isWord(_ text: String) -> Bool {
    guard let first = text.utf8.first, !ASCII.isDigit(first) else { return false }
    return text.utf8.allSatisfy { isWordByte($0) || $0 == UInt8(ascii: "_") }
  }

  /// A name in lower case with its words separated: `petId` and `Pet-ID` become `pet_id`.
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

  /// What one of many is called, by the usual endings: `pets` becomes `pet`.
  static func singular(_ name: String) -> String {
    if name.hasSuffix("ies") { return name.dropLast(3) + "y" }
    return name.hasSuffix("s") && !name.hasSuffix("ss") && name.utf8.count > 2 ? String(name.dropLast()) : name
  }

  /// A name without punctuation and case, to compare names of different styles.
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
