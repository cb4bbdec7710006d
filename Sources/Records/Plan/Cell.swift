internal import FieldTypes

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
    Cell(kind: .mismatch, length: reason.code, value: Int64(offset))
  }

  static func text(window offset: Int, _ length: Int) -> Cell {
    Cell(kind: .windowText, length: UInt32(truncatingIfNeeded: length), value: Int64(offset))
  }
}

/// Why a value does not fit its field's type; a message is made only when a rejection is reported.
enum Mismatch: Equatable {
  /// The value is not of the type.
  case type(FieldTypeName)
  case integerRange, numberRange, timestampZone, loneSurrogate, required, nullElement

  private static let all =
    FieldTypeName.allCases.map { Mismatch.type($0) } + [
      .integerRange, .numberRange, .timestampZone, .loneSurrogate, .required, .nullElement,
    ]

  /// The mismatch of a value that is not of a type; any value is `json`, unless it is missing.
  init(not type: FieldTypeName) { self = type == .json ? .required : .type(type) }

  /// The mismatch with a code; `required` for an unknown one.
  init(code: UInt32) { self = Self.all.indices.contains(Int(code)) ? Self.all[Int(code)] : .required }

  /// A number for a cell.
  var code: UInt32 { UInt32(Self.all.firstIndex(of: self) ?? Self.all.count) }

  /// What was expected.
  var expectation: String {
    switch self {
    case .type(let type): type.expected
    case .integerRange: "an integer of at most 64 bits"
    case .numberRange: "a number in the range of a double"
    case .timestampZone: "a timestamp with a time zone"
    case .loneSurrogate: "text without half surrogate pairs"
    case .required: "a value"
    case .nullElement: "a value that is not null"
    }
  }

  /// What was expected, as one word: a type's name, `required`, or what a type asks beyond its kind.
  var rule: String {
    switch self {
    case .type(let type): type.rawValue
    case .integerRange: "integer.range"
    case .numberRange: "number.range"
    case .timestampZone: "timestamp.zone"
    case .loneSurrogate: "unicode"
    case .required, .nullElement: "required"
    }
  }
}
