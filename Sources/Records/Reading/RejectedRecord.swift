internal import JSONSyntax
internal import ReactorCore

/// A record that does not fit its schema, as the response holds it.
public struct RejectedRecord: Sendable, Hashable {
  /// Takes rejected records one by one; called while the response is read, so it must be quick.
  public typealias Taker = @Sendable (RejectedRecord) -> Void

  /// Bytes of a record that are retained at most: 64 KiB.
  public static let longest = 64 << 10

  /// Its index in the response, from 0.
  public var index: Int
  /// RFC 6901 pointer into the record, to the value that does not fit.
  public var pointer: String
  /// What was expected there, as one word: a type's name or `required` (the table is `docs/reference/rejected.md`).
  public var rule: String
  /// What was expected and what was found.
  public var reason: String
  /// The record's JSON text without white space between its tokens, everything else as it came; at most `longest`
  /// bytes, cut between two characters.
  public var json: [UInt8]
  /// Bytes of the whole text; more than `json.count` when that is cut.
  public var size: Int

  /// Whether `json` is only the beginning.
  public var isCut: Bool { size > json.count }

  /// Describes a record.
  public init(index: Int, pointer: String, rule: String, reason: String, json: [UInt8], size: Int? = nil) {
    self.index = index
    self.pointer = pointer
    self.rule = rule
    self.reason = reason
    self.json = json
    self.size = size ?? json.count
  }

  /// The record that stands in a range of tokens.
  init(index: Int, pointer: String, rule: String, reason: String, _ tokens: JSONTokens, _ range: Range<Int>) {
    var json: [UInt8] = []
    var size = 0
    for token in range {
      let start = tokens.start(token)
      var end = token + 1 < tokens.count ? tokens.start(token + 1) : tokens.end
      // Between two tokens there is nothing else; a text in quotes ends with one.
      while end > start, Self.isSpace(tokens.base[end - 1]) { end -= 1 }
      size += end - start
      let room = Self.longest - json.count
      if room > 0 {
        json.append(contentsOf: UnsafeBufferPointer(start: tokens.base + start, count: min(end - start, room)))
      }
    }
    if size > json.count { json.removeLast(json.withUnsafeBufferPointer { UTF8Text.incompleteSuffix(of: $0) }) }
    self.init(index: index, pointer: pointer, rule: rule, reason: reason, json: json, size: size)
  }

  /// The record that has this text.
  init(index: Int, _ error: RecordError, whole: [UInt8]) {
    var json = whole
    if json.count > Self.longest {
      json = Array(whole.prefix(Self.longest))
      json.removeLast(json.withUnsafeBufferPointer { UTF8Text.incompleteSuffix(of: $0) })
    }
    self.init(
      index: index, pointer: error.error.pointer, rule: error.rule, reason: error.error.message, json: json,
      size: whole.count)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
}
