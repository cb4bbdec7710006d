internal import FlowModel
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads the format of a response.
  mutating func decode(_ value: FieldValue) -> ResponseFormat? {
    if value.word != nil { return read(DecodeKeys.format, short: value).map { ResponseFormat($0) } }
    let errors = diagnostics.diagnostics.count
    guard let nodes = open(value, as: .decode), let name = read(DecodeKeys.format, of: nodes) else { return nil }
    var format = ResponseFormat(name)
    fill(&format, with: DecodeKeys.stored, from: nodes)
    if let key = nodes.key(DecodeKeys.members), !format.packings.contains(.zip), !nodes.hasError {
      report(.misplacedDecodeKey, "'members' needs 'unpack: zip'", at: key, help: "leave it out")
    }
    if let node = nodes.value(DecodeKeys.quote)?.node ?? nodes.value(DecodeKeys.delimiter)?.node,
      format.quote == format.delimiter
    {
      report(
        .invalidDelimiter, "the delimiter and the quote are the same character", at: node.range,
        help: "write 'quote: none' if no field is quoted")
    }
    if let key = nodes.key(DecodeKeys.columns), format.columns?.isEmpty ?? false {
      report(.missingValue, "'columns' is empty", at: key, help: "leave it out")
    }
    return diagnostics.diagnostics.count == errors ? format : nil
  }

  /// Reads one packing, or several from the outside.
  mutating func packings(_ value: FieldValue) -> [ResponseFormat.Packing]? {
    guard let values = oneOrMore(of: value) else { return nil }
    if values.isEmpty { report(.missingValue, "'unpack' is empty", at: value.node.range, help: "leave it out") }
    let words = ResponseFormat.Packing.allCases.map(\.rawValue)
    var seen: [String: SourceRange] = [:]
    return values.enumerated().compactMap { index, value in
      guard let word = choice(value, words), !isRepeated(word, word, at: value.node.range, in: &seen),
        let packing = ResponseFormat.Packing(rawValue: word)
      else { return nil }
      if packing == .zip, index > 0 {
        report(
          .invalidPacking, "a zip archive inside another packing cannot be read", at: value.node.range,
          help: "write the packings from the outside, for example [zip, gzip] for compressed files in an archive")
      }
      return packing
    }
  }

  /// Checks that keys which find something in the response beside its records fit the format.
  mutating func checkDecode(_ format: ResponseFormat?, _ flow: FieldNodes, _ records: JSONPath?) {
    guard let format else { return }
    let name = format.name.rawValue
    guard format.name != .json else { return }
    if format.name.hasRows, let key = flow.key(FlowKeys.records) {
      report(
        .misplacedDecodeKey, "'records' has no effect with 'decode: \(name)': each \(format.rowNoun) is a record",
        at: key,
        help: "leave it out, or take parts of each record with 'reshape: { each: .data }'")
    }
    if let value = flow.value(FlowKeys.reshape), value.word != nil {
      report(
        .misplacedDecodeKey, "a program for the whole response cannot be used with 'decode: \(name)'", at: value.key,
        help: "write 'reshape: { each: … }', which reads one record after the other")
    }
    if format.name == .xml { return checkXML(flow, records) }
    let parts: [(any FieldSpec, [any FieldSpec])] = [
      (FlowKeys.pages, [PagesKeys.from, PagesKeys.count, PagesKeys.more]), (FlowKeys.expect, [ExpectKeys.total]),
    ]
    for (owner, fields) in parts {
      guard case .mapping(let mapping)? = flow.value(owner)?.node.content else { continue }
      for entry in mapping.entries where fields.contains(where: { $0.name == entry.name }) {
        report(
          .misplacedDecodeKey,
          "'\(owner.name).\(entry.name)' finds nothing with 'decode: \(name)': the response has only records",
          at: entry.key.range, help: "leave it out; what the server says beside the records can be in its headers")
      }
    }
  }

  private mutating func checkXML(_ flow: FieldNodes, _ records: JSONPath?) {
    guard let value = flow.value(FlowKeys.records), let records, !records.isMemberPath else { return }
    report(
      .invalidPath, "'\(printable(records.text))' is not a path of XML elements", at: value.node.range,
      help: "write names only, for example $.feed.entry")
  }
}

extension JSONPath {
  /// Whether the path has only names, and possibly `[*]` at its end.
  fileprivate var isMemberPath: Bool {
    let steps = singularSteps ?? elementSteps ?? []
    return !steps.isEmpty && steps.allSatisfy { if case .name = $0 { true } else { false } }
  }
}

extension ResponseFormat {
  /// The word for what is one record.
  fileprivate var rowNoun: String {
    switch name {
    case .csv, .tsv: "row"
    case .jsonSequence: "text"
    default: "line"
    }
  }
}

/// The quote of a table.
struct QuoteCharacter: Sendable {
  /// The character; nil for `none`.
  let byte: UInt8?
}

extension Shape {
  static var packings: Shape<[ResponseFormat.Packing]> {
    .init(.oneOrMore(.choice(ResponseFormat.Packing.allCases.map(\.rawValue)))) { $0.packings($1) }
  }
  static var delimiter: Shape<UInt8> {
    .init(.text) { reader, value in
      reader.text(value).flatMap { text in reader.character(text, value, example: "\";\" or \"\\t\"") }
    }
  }
  static var quote: Shape<QuoteCharacter> {
    .init(.text) { reader, value in
      reader.text(value).flatMap { text in
        if text == "none" { return QuoteCharacter(byte: nil) }
        return reader.character(text, value, example: "\"'\", or 'none'").map { QuoteCharacter(byte: $0) }
      }
    }
  }
}

extension FlowReader {
  /// Reads a single ASCII character that can separate or enclose fields.
  fileprivate mutating func character(_ text: String, _ value: FieldValue, example: String) -> UInt8? {
    if let byte = text.utf8.first, text.utf8.count == 1, byte == 0x09 || (0x20..<0x7F).contains(byte) { return byte }
    return fail(
      .invalidDelimiter, "'\(printable(text))' is not a single ASCII character", at: value.node.range,
      help: "write one character, for example \(example)")
  }
}
