/// Some events in a row, flat: no object for each of them, so that filling a batch costs no more than copying its texts.
struct EventBatch: Sendable {
  /// Events that a batch holds at most.
  static let most = 512

  /// One event; its texts lie in `bytes`.
  struct Entry: Sendable {
    var kind = Kind.streamStart
    var style = YAMLScalar.Style.plain
    /// Whether a collection is written in brackets, or a document has `%TAG` directives.
    var isMarked = false
    var offsets: Range<Int32> = 0..<0
    /// A scalar's text, or an alias's name.
    var text: Range<Int32> = 0..<0
    var anchor: Range<Int32>?
    var tag: Range<Int32>?
  }

  /// What an event says.
  enum Kind: Sendable {
    case streamStart, streamEnd, documentStart, documentEnd, alias, scalar, sequenceStart, mappingStart, collectionEnd
  }

  private var entries: [Entry] = []
  private var bytes: [UInt8] = []
  /// Why nothing follows; behind the last event.
  var failure: SyntaxFailure?
  /// Whether the last event ends the stream.
  private(set) var endsStream = false

  init() {
    entries.reserveCapacity(Self.most)
    bytes.reserveCapacity(Self.most * 8)
  }

  var count: Int { entries.count }
  var isFull: Bool { entries.count >= Self.most }
  /// Whether another batch follows.
  var isLast: Bool { endsStream || failure != nil }

  /// Forgets the events and keeps the room.
  mutating func clear() {
    entries.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    failure = nil
    endsStream = false
  }

  mutating func append(_ entry: Entry) {
    if entry.kind == .streamEnd { endsStream = true }
    entries.append(entry)
  }

  /// Keeps a text of an event.
  mutating func keep(_ text: UnsafeBufferPointer<UInt8>) -> Range<Int32> {
    let start = Int32(truncatingIfNeeded: bytes.count)
    bytes.append(contentsOf: text)
    return start..<Int32(truncatingIfNeeded: bytes.count)
  }

  /// One of the events with its texts.
  subscript(_ place: Int) -> YAMLEvent {
    let entry = entries[place]
    let kind: YAMLEvent.Kind =
      switch entry.kind {
      case .streamStart: .streamStart
      case .streamEnd: .streamEnd
      case .documentStart: .documentStart(hasTagDirectives: entry.isMarked)
      case .documentEnd: .documentEnd
      case .alias: .alias(string(entry.text))
      case .scalar: .scalar(properties(entry), text: string(entry.text), style: entry.style)
      case .sequenceStart: .sequenceStart(properties(entry), isFlow: entry.isMarked)
      case .mappingStart: .mappingStart(properties(entry), isFlow: entry.isMarked)
      case .collectionEnd: .collectionEnd
      }
    return YAMLEvent(kind: kind, offsets: Int(entry.offsets.lowerBound)..<Int(entry.offsets.upperBound))
  }

  private func properties(_ entry: Entry) -> YAMLEvent.Properties {
    YAMLEvent.Properties(anchor: entry.anchor.map(string), tag: entry.tag.map(string))
  }

  private func string(_ range: Range<Int32>) -> String {
    bytes.withUnsafeBufferPointer {
      String(decoding: UnsafeBufferPointer(rebasing: $0[Int(range.lowerBound)..<Int(range.upperBound)]), as: UTF8.self)
    }
  }
}
