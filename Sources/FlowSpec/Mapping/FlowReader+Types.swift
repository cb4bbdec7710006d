import FieldTypes
import FlowModel
import SourceDiagnostics
import TimeSyntax
import YAMLSyntax

extension FlowReader {
  /// Reads the type of a field. Only a computed field may leave it out.
  mutating func kind(_ nodes: FieldNodes, isComputed: Bool, owner: SourceRange) -> RawType? {
    guard nodes.key(FieldKeys.type) == nil else { return kind(nodes) }
    guard isComputed else {
      // A misspelt key is reported as one error, not as two.
      if !nodes.hasError {
        report(
          .missingKey, "'type' is missing in \(nodes.construct.noun)", at: owner,
          help: "add it, for example 'type: integer'")
      }
      return nil
    }
    for (option, _) in TypeKeys.options {
      guard let key = nodes.key(option) else { continue }
      report(
        .misplacedOption, "'\(option.name)' needs a 'type'", at: key, help: "declare the type, or leave it out")
    }
    return RawType(kind: .inferred)
  }

  /// Reads the type that the keys of a field or an element describe.
  mutating func kind(_ nodes: FieldNodes) -> RawType? {
    guard let written = read(TypeKeys.type, of: nodes) else { return nil }
    if let element = written.element {
      if let key = nodes.key(TypeKeys.of) {
        report(
          .contradiction, "a type in brackets and 'of' cannot be used together", at: key,
          help: "write the type of the elements in one of them")
      }
      return elementKind(element).map { RawType(kind: .list($0)) }
    }
    return kind(written.name, nodes).map { RawType(kind: $0, isOptional: written.isOptional) }
  }

  private mutating func kind(_ word: Located<FieldTypeName>, _ nodes: FieldNodes) -> RawSchema.Kind? {
    switch word.value {
    case .enumeration:
      if nodes.key(TypeKeys.values) != nil { return read(TypeKeys.values, of: nodes) }
      return nodes.isLeftOut(TypeKeys.values) ? bareKind(word) : nil
    case .list:
      guard let of = nodes.value(TypeKeys.of) else { return nodes.isLeftOut(TypeKeys.of) ? bareKind(word) : nil }
      guard !of.node.isNull else { return nil }
      return elementKind(of).map { .list($0) }
    case .object:
      if let fields = read(TypeKeys.fields, of: nodes) {
        if nodes.key(TypeKeys.schema) != nil {
          report(
            .contradiction, "'fields' and 'schema' cannot be used together", at: nodes.key(TypeKeys.fields),
            help: "write the fields here, or name a schema")
        }
        return .object(fields)
      }
      guard nodes.key(TypeKeys.schema) != nil else {
        return nodes.isLeftOut(TypeKeys.schema) && nodes.isLeftOut(TypeKeys.fields) ? bareKind(word) : nil
      }
      return read(TypeKeys.schema, of: nodes).map { .reference($0) }
    case .timestamp:
      guard nodes.key(TypeKeys.format) != nil else { return .plain(.timestamp(.iso8601)) }
      return read(TypeKeys.format, of: nodes).map { .plain(.timestamp($0)) }
    default: return bareKind(word)
    }
  }

  /// Reads a type: a name, a name with a question mark, or one element in brackets.
  mutating func writtenType(_ value: FieldValue) -> WrittenType? {
    if case .sequence(let nodes) = value.node.content {
      guard nodes.count == 1 else {
        return fail(
          .wrongKind, "the brackets of a list type must contain exactly one type", at: value.node.range,
          help: "write it as in '[string]'")
      }
      return WrittenType(name: Located(.list, at: value.node.range), element: value.part(nodes[0]))
    }
    guard let word = text(value) else { return nil }
    let isOptional = word.count > 1 && word.hasSuffix("?")
    let name = isOptional ? String(word.dropLast()) : word
    if let type = FieldTypeName(rawValue: name) {
      return WrittenType(name: Located(type, at: value.node.range), isOptional: isOptional)
    }
    report(
      .unknownType, "'\(printable(word))' is not a type", at: value.node.range,
      suggestion: suggestedType(name).map { isOptional ? $0 + "?" : $0 },
      help: "types are \(listed(TypeKeys.names, atMost: 20))")
    return nil
  }

  /// Reads a type that is declared alone, without other keys.
  mutating func shortType(_ value: FieldValue) -> RawType? {
    guard let written = read(TypeKeys.type, short: value) else { return nil }
    let kind = written.element.map { elementKind($0).map { .list($0) } } ?? bareKind(written.name)
    return kind.map { RawType(kind: $0, isOptional: written.isOptional) }
  }

  /// Reads the type of a list's elements.
  mutating func elementKind(_ value: FieldValue) -> RawSchema.Kind? {
    guard case .mapping = value.node.content else { return shortType(value).flatMap { required($0, at: value.node) } }
    return open(value, as: .element).flatMap { kind($0) }.flatMap { required($0, at: value.node) }
  }

  /// The type of an element, which cannot be optional.
  private mutating func required(_ type: RawType, at node: YAMLNode) -> RawSchema.Kind? {
    guard type.isOptional else { return type.kind }
    return fail(
      .misplacedOption, "an element of a list cannot be optional", at: node.range,
      help: "leave the '?' out; 'json' is a type whose values may be null")
  }

  /// Reports `optional` or `default` beside a type with a question mark.
  mutating func checkOptional(_ nodes: FieldNodes) {
    if let key = nodes.key(FieldKeys.optional) {
      report(
        .contradiction, "the '?' of the type already makes the field optional", at: key,
        help: "leave one of them out")
    }
    if let key = nodes.key(FieldKeys.defaultValue) {
      report(
        .contradiction, "'default' and the '?' of the type cannot be used together", at: key,
        help: "with a default the field is never null")
    }
  }

  /// Suggests a type for an unknown word: first for names in other languages, then for misspelt names.
  mutating func suggestedType(_ word: String, among words: [String] = TypeKeys.names) -> String? {
    if let other = FieldTypeName(foreign: word)?.rawValue, words.contains(other) { return other }
    return nearest(to: word, in: words)
  }

  /// Returns a type without options; reports an error if the type requires options.
  mutating func bareKind(_ name: Located<FieldTypeName>) -> RawSchema.Kind? {
    if let plain = TypeDeclaration(name.value) { return .plain(plain) }
    let (needed, example) =
      switch name.value {
      case .enumeration: ("'values'", "{ type: enum, values: [free, pro] }")
      case .list: ("the type of its elements", "[string]")
      default: ("'fields' or 'schema'", "{ type: object, fields: { zip: string } }")
      }
    report(
      .incompleteType, "type '\(name.value.rawValue)' needs \(needed)", at: name.range,
      help: "write it as in '\(example)'")
    return nil
  }

  /// Reads the texts of an `enum`; duplicates are reported.
  mutating func enumeration(_ value: FieldValue) -> RawSchema.Kind? {
    guard let elements = elements(of: value) else { return nil }
    guard !elements.isEmpty else {
      report(.incompleteType, "an enum needs at least one value", at: value.node.range)
      return nil
    }
    var seen: [String: SourceRange] = [:]
    var texts: [String] = []
    for element in elements {
      guard let text = text(element),
        !isRepeated(text, printable(text), at: element.node.range, in: &seen, code: .duplicateValue)
      else { continue }
      texts.append(text)
    }
    return .plain(.enumeration(texts))
  }

  /// Reads the format of a timestamp, or several formats that are tried in order.
  mutating func timeFormats(_ value: FieldValue) -> TimestampFormat? {
    guard case .sequence = value.node.content else {
      if case .scalar(let scalar) = value.node.content, scalar.text == "iso8601_utc" { return .iso8601InUTC }
      return timeFormat(value).map { TimestampFormat($0.value) }
    }
    guard let elements = elements(of: value) else { return nil }
    var formats: [TimestampFormat] = []
    var seen: [String: SourceRange] = [:]
    for element in elements {
      guard let format = listedFormat(element),
        !isRepeated(format.value, printable(format.value), at: format.range, in: &seen)
      else { continue }
      let read = TimestampFormat(format.value)
      if read.isEpoch, formats.contains(where: \.isEpoch) {
        report(
          .contradiction, "the list has several units for numbers, and only one is allowed", at: format.range,
          help: "keep only one of epoch_s, epoch_ms and epoch_us")
      }
      formats.append(read)
    }
    guard !elements.isEmpty else {
      return fail(.missingValue, "'format' is an empty list", at: value.node.range, help: "give at least one format")
    }
    return formats.count == elements.count ? .anyOf(formats) : nil
  }

  /// Reads one of several formats, which may be ISO 8601.
  private mutating func listedFormat(_ value: FieldValue) -> Located<String>? {
    if case .scalar(let scalar) = value.node.content, ["iso8601", "iso8601_utc"].contains(scalar.text) {
      return Located(scalar.text, at: value.node.range)
    }
    return timeFormat(value)
  }

  /// Reads a format of timestamps other than ISO 8601.
  mutating func timeFormat(_ value: FieldValue) -> Located<String>? {
    guard let text = text(value) else { return nil }
    let epochs = ["epoch_s", "epoch_ms", "epoch_us"]
    if epochs.contains(text) { return Located(text, at: value.node.range) }
    let bytes = Array(text.utf8)
    guard bytes.contains(UInt8(ascii: "%")) else {
      let isISO = text.lowercased().hasPrefix("iso") || text.lowercased() == "rfc3339"
      let suggestion =
        ["epoch", "unix", "unixtime", "epoch_seconds"].contains(text.lowercased())
        ? "epoch_s" : nearest(to: text, in: epochs)
      report(
        .invalidFormat, "'\(printable(text))' is not a time format", at: value.node.range,
        suggestion: isISO ? nil : suggestion,
        help: isISO
          ? "leave it out: ISO 8601 is the default"
          : "write epoch_s, epoch_ms, epoch_us or a pattern such as %d/%m/%Y %H:%M")
      return nil
    }
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "%") else {
        index += 1
        continue
      }
      let letter = index + 1 < bytes.count ? bytes[index + 1] : 0
      guard StrptimePattern.conversions.utf8.contains(letter) else {
        report(
          .invalidFormat, "'\(String(decoding: bytes[index...].prefix(2), as: UTF8.self))' is not a conversion",
          at: location(of: index..<min(index + 2, bytes.count), in: value.node),
          help: "conversions are \(StrptimePattern.conversions.map { "%\($0)" }.joined(separator: " "))")
        return nil
      }
      index += 2
    }
    guard StrptimePattern(text) != nil else {
      report(
        .invalidFormat, "the pattern '\(printable(text))' does not contain a complete date", at: value.node.range,
        help: "it needs a year, a month and a day, for example %Y-%m-%d")
      return nil
    }
    return Located(text, at: value.node.range)
  }
}
