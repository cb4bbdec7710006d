internal import CLibYAML

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Owner of one libyaml parser that reads from memory.
///
/// The bytes must outlive it; it is used from one thread, in the scope that borrowed them.
struct EventParser: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let bytes: UnsafeBufferPointer<UInt8>
  private let index: ScalarIndex

  /// Starts a reading, or nil where memory is short.
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

  /// Adds events until the batch is full, the stream ends, or libyaml cannot go on; nothing can be read after that.
  func fill(_ batch: inout EventBatch) {
    var event = yaml_event_t()
    while !batch.isFull {
      guard yaml_parser_parse(parser, &event) == 1 else {
        batch.failure = failure()
        return
      }
      batch.append(entry(event, &batch))
      yaml_event_delete(&event)
      if batch.endsStream { return }
    }
  }

  private func entry(_ event: yaml_event_t, _ batch: inout EventBatch) -> EventBatch.Entry {
    var entry = EventBatch.Entry()
    let start = offset(event.start_mark)
    let end = max(start, offset(event.end_mark))
    // Files are bounded far below what 32 bits hold.
    entry.offsets = Int32(clamping: start)..<Int32(clamping: end)
    switch event.type {
    case YAML_STREAM_END_EVENT: entry.kind = .streamEnd
    case YAML_DOCUMENT_START_EVENT:
      entry.kind = .documentStart
      entry.isMarked = event.data.document_start.tag_directives.start != nil
    case YAML_DOCUMENT_END_EVENT: entry.kind = .documentEnd
    case YAML_ALIAS_EVENT:
      entry.kind = .alias
      entry.text = Self.keep(event.data.alias.anchor, &batch) ?? 0..<0
    case YAML_SCALAR_EVENT:
      let data = event.data.scalar
      entry.kind = .scalar
      entry.style = Self.style(data.style)
      entry.text = batch.keep(UnsafeBufferPointer(start: data.value, count: data.length))
      entry.anchor = Self.keep(data.anchor, &batch)
      entry.tag = Self.keep(data.tag, &batch)
    case YAML_SEQUENCE_START_EVENT:
      entry.kind = .sequenceStart
      entry.isMarked = event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
      entry.anchor = Self.keep(event.data.sequence_start.anchor, &batch)
      entry.tag = Self.keep(event.data.sequence_start.tag, &batch)
    case YAML_MAPPING_START_EVENT:
      entry.kind = .mappingStart
      entry.isMarked = event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
      entry.anchor = Self.keep(event.data.mapping_start.anchor, &batch)
      entry.tag = Self.keep(event.data.mapping_start.tag, &batch)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: entry.kind = .collectionEnd
    default: entry.kind = .streamStart
    }
    return entry
  }

  private func offset(_ mark: yaml_mark_t) -> Int { index.offset(ofScalar: mark.index, in: bytes) }

  private func failure() -> SyntaxFailure {
    let state = parser.pointee
    let problem = state.problem.map { String(cString: $0) } ?? ""
    switch state.error {
    case YAML_MEMORY_ERROR:
      return SyntaxFailure(problem: "out of memory", offset: 0, context: "", contextOffset: 0)
    case YAML_READER_ERROR:
      // Reader errors have no mark but a byte offset.
      let offset = index.offset(ofScalar: 0, in: bytes) + min(state.problem_offset, bytes.count)
      return SyntaxFailure(problem: problem, offset: offset, context: "", contextOffset: offset)
    default:
      let offset = offset(state.problem_mark)
      let context = state.context.map { String(cString: $0) } ?? ""
      return SyntaxFailure(
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

  private static func keep(_ pointer: UnsafeMutablePointer<yaml_char_t>?, _ batch: inout EventBatch) -> Range<Int32>? {
    guard let pointer else { return nil }
    let count = strlen(UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
    return batch.keep(UnsafeBufferPointer(start: pointer, count: count))
  }
}
