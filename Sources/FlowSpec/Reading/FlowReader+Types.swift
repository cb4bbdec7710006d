import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// The type of a field, which only a computed one may leave out.
  mutating func kind(_ nodes: FieldNodes, isComputed: Bool, owner: SourceRange) -> RawSchema.Kind? {
    guard nodes.key("type") == nil else { return kind(nodes) }
    guard isComputed else {
      // A misspelt key is one mistake, not two.
      if !nodes.isFaulty {
        report(
          .missingKey, "'type' is missing in \(nodes.construct.noun)", at: owner,
          help: "add it, for example 'type: integer'")
      }
      return nil
    }
    for option in ["values", "of", "fields", "schema", "format"] {
      guard let key = nodes.key(option) else { continue }
      report(.misplacedOption, "'\(option)' needs a 'type'", at: key, help: "declare the type, or leave it out")
    }
    return .inferred
  }

  /// The type that a field's or an element's keys describe.
  mutating func kind(_ nodes: FieldNodes) -> RawSchema.Kind? {
    guard let type = nodes.value("type") else { return nil }
    guard let word = typeWord(type) else { return nil }
    checkOptions(of: word, nodes)
    switch word {
    case "enum":
      guard let values = nodes.value("values") else { return nodes.isLeftOut("values") ? bareKind(word, type) : nil }
      return enumeration(values)
    case "list":
      guard let of = nodes.value("of") else { return nodes.isLeftOut("of") ? bareKind(word, type) : nil }
      guard !of.node.isNull else { return nil }
      if of.node.isScalar { return shortType(of.node, of: .element, key: of.key).map { .list($0) } }
      return open(of.node, as: .element, owner: of.key).flatMap { kind($0) }.map { .list($0) }
    case "object":
      if let fields = nodes.value("fields") {
        if nodes.value("schema") != nil {
          report(
            .contradiction, "'fields' and 'schema' exclude each other", at: fields.key,
            help: "write the fields here, or name a schema")
        }
        return .object(self.fields(fields))
      }
      guard let schema = nodes.value("schema") else {
        return nodes.isLeftOut("schema") && nodes.isLeftOut("fields") ? bareKind(word, type) : nil
      }
      return name(schema, role: .schema).map { .reference($0) }
    case "timestamp":
      guard let format = nodes.value("format") else { return .plain(.timestamp(format: nil)) }
      return timeFormat(format).map { .plain(.timestamp(format: $0)) }
    default:
      return Self.plainType(word).map { .plain($0) }
    }
  }

  private mutating func checkOptions(of word: String, _ nodes: FieldNodes) {
    for (option, owner) in [
      ("values", "enum"), ("of", "list"), ("fields", "object"), ("schema", "object"), ("format", "timestamp"),
    ] where word != owner {
      guard let key = nodes.key(option) else { continue }
      report(
        .misplacedOption, "'\(option)' belongs to type '\(owner)', not '\(word)'", at: key,
        help: "leave it out, or declare 'type: \(owner)'")
    }
  }

  private mutating func enumeration(_ value: FieldValue) -> RawSchema.Kind? {
    guard let elements = elements(of: value) else { return nil }
    guard !elements.isEmpty else {
      report(.incompleteType, "an enum needs at least one value", at: value.node.range)
      return nil
    }
    var seen = FirstPlaces()
    var texts: [String] = []
    texts.reserveCapacity(elements.count)
    for element in elements {
      guard let text = text(element) else { continue }
      if let first = seen.take(text, at: element.node.range) {
        report(
          .duplicateValue, "'\(printable(text))' is listed twice", at: element.node.range,
          notes: [Diagnostic.Note("it is listed here already", at: first)])
      } else {
        texts.append(text)
      }
    }
    return .plain(.enumeration(texts))
  }

  /// A format of timestamps other than ISO 8601.
  mutating func timeFormat(_ value: FieldValue) -> Located<String>? {
    guard let text = text(value) else { return nil }
    if text == "epoch_s" || text == "epoch_ms" { return Located(text, at: value.node.range) }
    let bytes = Array(text.utf8)
    guard bytes.contains(UInt8(ascii: "%")) else {
      let isISO = text.lowercased().hasPrefix("iso") || text.lowercased() == "rfc3339"
      let meant =
        ["epoch", "unix", "unixtime", "epoch_seconds"].contains(text.lowercased())
        ? "epoch_s" : nearest(to: text, in: ["epoch_s", "epoch_ms"])
      report(
        .invalidFormat, "'\(printable(text))' is not a time format", at: value.node.range, meant: isISO ? nil : meant,
        help: isISO
          ? "leave it out: ISO 8601 is the default" : "write epoch_s, epoch_ms or a pattern such as %d/%m/%Y %H:%M")
      return nil
    }
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "%") else {
        index += 1
        continue
      }
      let letter = index + 1 < bytes.count ? bytes[index + 1] : 0
      guard TimePattern.conversions.utf8.contains(letter) else {
        report(
          .invalidFormat, "'\(String(decoding: bytes[index...].prefix(2), as: UTF8.self))' is not a conversion",
          at: place(index..<min(index + 2, bytes.count), in: value.node),
          help: "conversions are \(TimePattern.conversions.map { "%\($0)" }.joined(separator: " "))")
        return nil
      }
      index += 2
    }
    guard TimePattern.namesDay(text) else {
      report(
        .invalidFormat, "the pattern '\(printable(text))' names no day", at: value.node.range,
        help: "it needs a year, a month and a day, for example %Y-%m-%d")
      return nil
    }
    return Located(text, at: value.node.range)
  }
}
