internal import JSONSyntax
internal import ReactorCore

/// A record that does not match its schema, with its text from the response.
public struct RejectedRecord: Sendable, Hashable {
  /// Receives rejected records one by one. It is called while the response is read, so it must be quick.
  public typealias Taker = @Sendable (RejectedRecord) -> Void

  /// The maximum number of bytes of a record that are retained: 64 KiB.
  public static let longest = 64 << 10

  /// The record's index in the response, from 0.
  public var index: Int
  /// RFC 6901 pointer into the record, to the value that does not match.
  public var pointer: String
  /// The expectation as one word: the name of a type or `required` (the table is `docs/reference/rejected.md`).
  public var rule: String
  /// The expected value and the actual value, as text.
  public var reason: String
  /// The record's JSON text without white space between its tokens, otherwise unchanged.
  ///
  /// It has at most `longest` bytes and is cut between two characters.
  public var json: [UInt8]
  /// The number of bytes of the whole text; greater than `json.count` when the text is cut.
  public var size: Int

  /// Whether `json` is only the beginning of the text.
  public var isCut: Bool { size > json.count }

  /// Creates the description of a rejected record.
  public init(index: Int, pointer: String, rule: String, reason: String, json: [UInt8], size: Int? = nil) {
    self.index = index
    self.pointer = pointer
    self.rule = rule
    self.reason = reason
    self.json = json
    self.size = size ?? json.count
  }

  /// Creates the description of the record in a range of tokens.
  init(index: Int, pointer: String, rule: String, reason: String, _ tokens: JSONTokens, _ range: Range<Int>) {
    var json: [UInt8] = []
    var size = 0
    for token in range {
      let start = tokens.start(token)
      var end = token + 1 < tokens.count ? tokens.start(token + 1) : tokens.end
      // Only white space can be between two tokens, and a string ends with a quote.
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

  /// Creates the description of the record with this text.
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
