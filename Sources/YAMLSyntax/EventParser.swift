internal import CLibYAML

/// Owns one libyaml parser, which reads from memory.
///
/// The bytes must outlive the parser. The parser is used on one thread, in the scope that borrowed the bytes.
struct EventParser: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let bytes: UnsafeBufferPointer<UInt8>
  private let index: ScalarIndex

  /// Creates a parser for some bytes; nil when no memory is available.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, index: ScalarIndex) {
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    guard yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      return nil
    }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    self.parser = parser
    self.bytes = bytes
    self.index = index
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  /// Parses the next event. Must not be called again after the end of the stream or after an error.
  func next() throws(SyntaxError) -> YAMLEvent {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
    defer { yaml_event_delete(&event) }
    let start = offset(event.start_mark)
    return YAMLEvent(kind: Self.kind(event), offsets: start..<max(start, offset(event.end_mark)))
  }

  private static func kind(_ event: yaml_event_t) -> YAMLEvent.Kind {
    switch event.type {
    case YAML_STREAM_END_EVENT: return .streamEnd
    case YAML_DOCUMENT_START_EVENT:
      return .documentStart(hasTagDirectives: event.data.document_start.tag_directives.start != nil)
    case YAML_DOCUMENT_END_EVENT: return .documentEnd
    case YAML_ALIAS_EVENT: return .alias(text(event.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT:
      let data = event.data.scalar
      return .scalar(
        properties(data.anchor, data.tag),
        text: String(decoding: UnsafeBufferPointer(start: data.value, count: data.length), as: UTF8.self),
        style: style(data.style))
    case YAML_SEQUENCE_START_EVENT:
      let data = event.data.sequence_start
      return .sequenceStart(properties(data.anchor, data.tag), isFlow: data.style == YAML_FLOW_SEQUENCE_STYLE)
    case YAML_MAPPING_START_EVENT:
      let data = event.data.mapping_start
      return .mappingStart(properties(data.anchor, data.tag), isFlow: data.style == YAML_FLOW_MAPPING_STYLE)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .collectionEnd
    default: return .streamStart
    }
  }

  private func offset(_ mark: yaml_mark_t) -> Int { index.offset(ofScalar: mark.index, in: bytes) }

  private func failure() -> SyntaxError {
    let state = parser.pointee
    let problem = state.problem.map { String(cString: $0) } ?? ""
    switch state.error {
    case YAML_MEMORY_ERROR:
      return SyntaxError(problem: "out of memory", offset: 0, context: "", contextOffset: 0)
    case YAML_READER_ERROR:
      // libyaml's reader errors have a byte offset instead of a mark.
      let offset = index.offset(ofScalar: 0, in: bytes) + min(state.problem_offset, bytes.count)
      return SyntaxError(problem: problem, offset: offset, context: "", contextOffset: offset)
    default:
      let offset = offset(state.problem_mark)
      let context = state.context.map { String(cString: $0) } ?? ""
      return SyntaxError(
        problem: problem, offset: offset, context: context,
        contextOffset: context.isEmpty ? offset : self.offset(state.context_mark))
    }
  }

  private static func style(_ style: yaml_scalar_style_t) -> YAMLScalar.Style {
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
    case YAML_LITERAL_SCALAR_STYLE: .literal
    case YAML_FOLDED_SCALAR_STYLE: .folded
    default: .plain
    }
  }

  private static func properties(
    _ anchor: UnsafeMutablePointer<yaml_char_t>?, _ tag: UnsafeMutablePointer<yaml_char_t>?
  ) -> YAMLEvent.Properties {
    YAMLEvent.Properties(anchor: text(anchor), tag: text(tag))
  }

  private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}

/// One event of libyaml's parser, with byte offsets in the file.
struct YAMLEvent {
  enum Kind {
    case streamStart
    case streamEnd
    case documentStart(hasTagDirectives: Bool)
    case documentEnd
    case alias(String)
    case scalar(Properties, text: String, style: YAMLScalar.Style)
    case sequenceStart(Properties, isFlow: Bool)
    case mappingStart(Properties, isFlow: Bool)
    case collectionEnd
  }

  /// The anchor and the tag in front of a node.
  struct Properties {
    var anchor: String?
    var tag: String?
    var isEmpty: Bool { anchor == nil && tag == nil }
    var count: Int { (anchor == nil ? 0 : 1) + (tag == nil ? 0 : 1) }
  }

  let kind: Kind
  /// The range of the event in the file, including an anchor or tag in front of the node; the end is the one that
  /// libyaml reports.
  let offsets: Range<Int>
}

/// The location and the message of a syntax error of libyaml.
struct SyntaxError: Error {
  let problem: String
  /// The byte offset of the error in the file.
  let offset: Int
  /// The construct that libyaml was parsing, and the offset of its start; `contextOffset` is equal to `offset` when the
  /// start is unknown.
  let context: String
  let contextOffset: Int
}

/// Converts libyaml's positions, which count Unicode scalars, into byte offsets.
///
/// The index stores the byte offset of every 8th scalar, so a lookup reads at most 7 scalars. ASCII text needs no
/// table.
struct ScalarIndex {
  private static let stride = 8
  /// Byte offsets of the scalars 0, 8, 16, … from the start of the text; empty for ASCII.
  private var milestones: [Int] = []
  private let base: Int

  /// Creates an index.
  ///
  /// - Parameters:
  ///   - bytes: well-formed UTF-8
  ///   - base: the offset of the bytes in the file, which is added to every result
  init(_ bytes: UnsafeBufferPointer<UInt8>, base: Int, isASCII: Bool) {
    self.base = base
    guard !isASCII else { return }
    milestones.reserveCapacity(bytes.count / Self.stride + 1)
    var untilNext = 0
    for (offset, byte) in bytes.enumerated() where byte & 0xC0 != 0x80 {
      if untilNext == 0 {
        milestones.append(offset)
        untilNext = Self.stride
      }
      untilNext -= 1
    }
  }

  /// The byte offset of a scalar in the file. For an index after the end of the text, the result is the end.
  func offset(ofScalar index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard !milestones.isEmpty else { return base + min(index, bytes.count) }
    let milestone = index / Self.stride
    guard milestone < milestones.count else { return base + bytes.count }
    var offset = milestones[milestone]
    var left = index % Self.stride
    while left > 0, offset < bytes.count {
      offset += 1
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      left -= 1
    }
    return base + offset
  }
}

extension YAMLDocument {
  /// The version of libyaml, for reports.
  public static var libraryVersion: String { String(cString: yaml_get_version_string()) }
}
