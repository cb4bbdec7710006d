/// One field of one record: what it holds and where its bytes are.
struct Cell {
  enum Kind: UInt8 {
    /// The payload has no such value.
    case absent
    case null
    case `false`
    case `true`
    /// `value` is the integer.
    case integer
    /// `length` bytes of text at `value` in the window; free of anything that JSON escapes.
    case windowText
    /// `length` bytes of text at `value` in the text buffer; may hold quotes, backslashes and control characters.
    case ownText
    /// A JSON number token at `value` in the window.
    case windowNumber
    /// A JSON number token at `value` in the text buffer.
    case ownNumber
    /// Compact JSON at `value` in the text buffer.
    case json
    /// Compact JSON at `value` in the plan's constants.
    case constant
    /// The value does not fit: `length` is the `Mismatch`, `value` the window offset of the value's token.
    case mismatch
  }

  var kind: Kind
  var length: UInt32
  var value: Int64

  static let absent = Cell(kind: .absent, length: 0, value: 0)
  static let null = Cell(kind: .null, length: 0, value: 0)

  static func mismatch(_ reason: Mismatch, at offset: Int) -> Cell {
    Cell(kind: .mismatch, length: UInt32(reason.rawValue), value: Int64(offset))
  }

  static func text(window offset: Int, _ length: Int) -> Cell {
    Cell(kind: .windowText, length: UInt32(truncatingIfNeeded: length), value: Int64(offset))
  }
}

/// Why a value does not fit its field's type; the words are made only when a rejection is reported.
enum Mismatch: UInt8 {
  case string, integer, integerRange, number, numberRange, decimal, boolean, timestamp, timestampZone, date, duration
  case uuid, url, bytes, enumeration, list, object, loneSurrogate, required, nullElement

  /// What was expected.
  var expectation: String {
    switch self {
    case .string: "a string"
    case .integer: "an integer"
    case .integerRange: "an integer of at most 64 bits"
    case .number: "a number"
    case .numberRange: "a number in the range of a double"
    case .decimal: "a decimal number"
    case .boolean: "a boolean"
    case .timestamp: "a timestamp"
    case .timestampZone: "a timestamp with a time zone"
    case .date: "a date (YYYY-MM-DD)"
    case .duration: "a duration"
    case .uuid: "a UUID"
    case .url: "an absolute URL"
    case .bytes: "base64"
    case .enumeration: "one of the declared values"
    case .list: "a list"
    case .object: "an object"
    case .loneSurrogate: "text without half surrogate pairs"
    case .required: "a value"
    case .nullElement: "a value that is not null"
    }
  }

  /// What was expected, as one word: a type's name, `required`, or what a type asks beyond its kind.
  var rule: String {
    switch self {
    case .string: "string"
    case .integer: "integer"
    case .integerRange: "integer.range"
    case .number: "number"
    case .numberRange: "number.range"
    case .decimal: "decimal"
    case .boolean: "boolean"
    case .timestamp: "timestamp"
    case .timestampZone: "timestamp.zone"
    case .date: "date"
    case .duration: "duration"
    case .uuid: "uuid"
    case .url: "url"
    case .bytes: "bytes"
    case .enumeration: "enum"
    case .list: "list"
    case .object: "object"
    case .loneSurrogate: "unicode"
    case .required, .nullElement: "required"
    }
  }
}
