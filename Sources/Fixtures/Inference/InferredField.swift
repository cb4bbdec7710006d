internal import JSONSyntax

/// A field of the records, inferred from a sample.
package struct InferredField: Sendable, Hashable {
  /// The name of the field in the record.
  package var name: String
  /// The type in the notation of the flow language.
  package var type: String
  /// Whether the field is absent or null in some of the records.
  package var isOptional: Bool
  /// Whether null is declared as a value of the field.
  package var isNullable = false
  /// The guess and its reason, for a comment. Nil when JSON itself determines the type.
  package var guess: String?
}

extension InferredField {
  /// The field as a line of a schema, with its guess as a comment.
  package var line: String {
    // A field whose name is not usable gets another name and is read from its path.
    let isUsable = !name.isEmpty && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    let key = isUsable ? name : "field"
    var parts: [String] = []
    if key != name { parts.append("from: \(DraftText.value(JSONPath(singular: [.name(name)]).text))") }
    let isWord = !type.hasPrefix("{") && !type.hasPrefix("[")
    let written = isWord && isOptional ? type + "?" : type
    if written.hasPrefix("{") {
      parts.append(String(written.dropFirst(2).dropLast(2)))
    } else {
      parts.append("type: \(written)")
    }
    if isOptional, !isWord { parts.append("optional: true") }
    let isShort = parts.count == 1 && !written.hasPrefix("{")
    let text = isShort ? written : "{ \(parts.joined(separator: ", ")) }"
    return "\(DraftText.key(key)): \(text)" + (guess.map { "  # guessed: \(DraftText.flat($0))" } ?? "")
  }
}
