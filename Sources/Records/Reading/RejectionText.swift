internal import FieldTypes
internal import JSONSyntax
internal import ReactorCore
internal import SourceDiagnostics

/// The message texts for a record that does not match its schema.
enum RejectionText {
  /// Describes the error of one field of a record.
  ///
  /// - Parameter record: the tokens of the record, for a suggestion; nil when a suggestion is not needed
  static func describe(_ cell: Cell, field: Int, decoder: RecordDecoder, record: Range<Int>?) -> MappedError {
    let mapping = decoder.plan.objects[0].mappings[field]
    var steps = mapping.from.singularSteps ?? []
    if cell.kind == .mismatch, decoder.nestedField == field { steps += decoder.nestedPath.reversed() }
    let reason: String
    switch cell.kind {
    case .mismatch: reason = self.mismatch(cell, of: mapping, decoder.tokens)
    case .null: reason = "'\(mapping.name)' is required, but null"
    default: reason = "'\(mapping.name)' is required, but absent"
    }
    var error = MappedError(reason, pointer: pointer(steps))
    if cell.kind == .absent, let record { error.help = help(mapping, decoder, record) }
    return error
  }

  /// Describes the expected value and the value that was found at the cell's offset.
  static func mismatch(_ cell: Cell, of mapping: FieldMapping, _ tokens: JSONTokens) -> String {
    let mismatch = Mismatch(code: cell.length)
    var wanted = mismatch.expectation
    if mismatch == .type(.enumeration), case .enumeration(let values) = mapping.type { wanted = oneOf(values) }
    return "expected \(wanted), found \(found(tokens, at: Int(cell.value)))"
  }

  /// The suggestion for an absent field.
  private static func help(_ mapping: FieldMapping, _ decoder: RecordDecoder, _ range: Range<Int>) -> String? {
    guard let text = decoder.shortRecord(range), let record = try? JSONValue(parsing: text) else { return nil }
    let mappings = decoder.plan.objects[0].mappings
    return UnreadMember.path(instead: mapping, in: record, beside: mappings) { NearMiss.suggestion(for: $0, in: $1) }
      .map { "did you mean '\($0)'?" }
  }

  /// The rule that a record violates: the expectation as one word of the schema's language.
  static func rule(_ cell: Cell) -> String {
    guard cell.kind == .mismatch else { return Mismatch.required.rule }
    return Mismatch(code: cell.length).rule
  }

  private static func oneOf(_ values: [String]) -> String {
    values.count > 8
      ? "one of \(values.prefix(8).joined(separator: ", ")) and \(values.count - 8) more"
      : "one of \(values.joined(separator: ", "))"
  }

  /// The steps as an RFC 6901 pointer.
  static func pointer(_ steps: [JSONPath.Step]) -> String {
    steps.map { step in
      switch step {
      case .index(let index): "/\(index)"
      case .name(let name): "/" + escaped(name)
      }
    }.joined()
  }

  private static func escaped(_ name: String) -> String {
    var text = ""
    for character in name {
      switch character {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.append(character)
      }
    }
    return text
  }

  /// The kind of the value at an offset, with the start of its text.
  private static func found(_ tokens: JSONTokens, at offset: Int) -> String {
    guard offset < tokens.length else { return "nothing" }
    let bytes = UnsafeBufferPointer(start: tokens.base, count: tokens.length)
    switch bytes[offset] {
    case UInt8(ascii: "{"): return "an object"
    case UInt8(ascii: "["): return "a list"
    case UInt8(ascii: "n"): return "null"
    case UInt8(ascii: "t"): return "true"
    case UInt8(ascii: "f"): return "false"
    case UInt8(ascii: "\""):
      var end = offset + 1
      while end < bytes.count, bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
      return "the string " + TextExcerpt.plain(bytes[offset..<min(end + 1, bytes.count)])
    default:
      var end = offset
      while end < bytes.count, !",]} \n\r\t".utf8.contains(bytes[end]) { end += 1 }
      return "the number " + TextExcerpt.plain(bytes[offset..<end])
    }
  }
}
