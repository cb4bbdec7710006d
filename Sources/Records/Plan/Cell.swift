internal import FieldTypes

/// One field of one record: the kind of its value and the position of its bytes.
struct Cell {
  enum Kind: UInt8 {
    /// The payload has no value for the field.
    case absent
    case null
    case `false`
    case `true`
    /// An integer in `value`.
    case integer
    /// `length` bytes of text at `value` in the window, without characters that JSON escapes.
    case windowText
    /// `length` bytes of text at `value` in the text buffer; may contain quotes, backslashes and control characters.
    case ownText
    /// A JSON number token at `value` in the window.
    case windowNumber
    /// A JSON number token at `value` in the text buffer.
    case ownNumber
    /// Compact JSON at `value` in the text buffer.
    case json
    /// Compact JSON; `value` is its index in the plan's constants.
    case constant
    /// The value does not match the type.
    ///
    /// `length` is the `Mismatch`, `value` is the window offset of the value's token.
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

/// The reason why a value does not match its field's type.
///
/// The message is created only when a rejection is reported.
enum Mismatch: Equatable {
  /// The value does not have this type.
  case type(FieldTypeName)
  case integerRange, numberRange, timestampZone, loneSurrogate, required, nullElement
  /// Evaluating the field's path takes too many steps in this record.
  case steps

  private static let all =
    FieldTypeName.allCases.map { Mismatch.type($0) } + [
      .integerRange, .numberRange, .timestampZone, .loneSurrogate, .required, .nullElement, .steps,
    ]

  /// Creates the mismatch for a type. Every present value matches `json`, so its only mismatch is `required`.
  init(not type: FieldTypeName) { self = type == .json ? .required : .type(type) }

  /// Creates the mismatch with a code; `required` for an unknown code.
  init(code: UInt32) { self = Self.all.indices.contains(Int(code)) ? Self.all[Int(code)] : .required }

  /// The code of the mismatch, for a cell.
  var code: UInt32 { UInt32(Self.all.firstIndex(of: self) ?? Self.all.count) }

  /// The expected value, for messages.
  var expectation: String {
    switch self {
    case .type(let type): type.expected
    case .integerRange: "an integer of at most 64 bits"
    case .numberRange: "a number in the range of a double"
    case .timestampZone: "a timestamp with a time zone"
    case .loneSurrogate: "text without unpaired surrogates"
    case .required: "a value"
    case .nullElement: "a value that is not null"
    case .steps: "a record in which the field's path takes no more steps than are allowed"
    }
  }

  /// The expectation as one word.
  ///
  /// It is the name of a type, `required`, or an additional condition of a type.
  var rule: String {
    switch self {
    case .type(let type): type.rawValue
    case .integerRange: "integer.range"
    case .numberRange: "number.range"
    case .timestampZone: "timestamp.zone"
    case .loneSurrogate: "unicode"
    case .required, .nullElement: "required"
    case .steps: "path.steps"
    }
  }
}
