internal import ByteCodings

/// The content of a string token, without its quotes.
public struct StringToken {
  @inlinable @inline(__always)
  init(start: Int, length: Int, hasEscapes: Bool) {
    self.start = start
    self.length = length
    self.hasEscapes = hasEscapes
  }

  /// The offset of the content's first byte in the window.
  public let start: Int
  /// The length of the content in bytes, as written.
  public let length: Int
  /// Whether the content contains an escape; without escapes the bytes are the text.
  public let hasEscapes: Bool
}

extension JSONTokens {
  /// The content of the string that starts at a token.
  ///
  /// The function checks that the escapes are well-formed. It does not check for lone surrogates.
  @inlinable @inline(__always)
  public func string(_ token: Int) throws(JSONError) -> StringToken {
    let open = start(token)
    var close = start(token + 1) - 1
    while close > open, isSpace(base[close]) { close -= 1 }
    guard close > open, base[close] == UInt8(ascii: "\"") else { throw unterminated(open) }
    let first = open + 1
    let length = close - first
    let escaped = hasBackslash(first, length)
    if escaped { try checkEscapes(first, length) }
    return StringToken(start: first, length: length, hasEscapes: escaped)
  }

  /// The bytes of the number that starts at a token, checked against JSON's grammar.
  @inlinable @inline(__always)
  public func number(_ token: Int) throws(JSONError) -> UnsafeBufferPointer<UInt8> {
    let first = start(token)
    var position = first
    if base[position] == UInt8(ascii: "-") { position += 1 }
    if base[position] == UInt8(ascii: "0") {
      position += 1
    } else {
      guard isDigit(base[position]) else { throw badNumber(first) }
      repeat { position += 1 } while isDigit(base[position])
    }
    if base[position] == UInt8(ascii: ".") {
      position += 1
      guard isDigit(base[position]) else { throw badNumber(first) }
      repeat { position += 1 } while isDigit(base[position])
    }
    if base[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if base[position] == UInt8(ascii: "+") || base[position] == UInt8(ascii: "-") { position += 1 }
      guard isDigit(base[position]) else { throw badNumber(first) }
      repeat { position += 1 } while isDigit(base[position])
    }
    guard endsToken(position) else { throw badNumber(first) }
    return UnsafeBufferPointer(start: base + first, count: position - first)
  }

  /// Checks that the value that starts at a token is exactly `true`, `false` or `null`.
  @inlinable @inline(__always)
  public func checkLiteral(_ token: Int) throws(JSONError) {
    let first = start(token)
    let word = UnsafeRawPointer(base + first).loadUnaligned(as: UInt32.self).littleEndian
    switch word {
    case 0x6575_7274 where endsToken(first + 4): return  // true
    case 0x6C6C_756E where endsToken(first + 4): return  // null
    case 0x736C_6166 where base[first + 4] == UInt8(ascii: "e") && endsToken(first + 5): return  // fals
    default: throw badLiteral(first)
    }
  }

  @inlinable @inline(__always)
  func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 }

  @inlinable @inline(__always)
  func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Whether a number or literal may end before the byte at `position`.
  ///
  /// It may end before white space, a bracket, comma, colon or quote, and at the end of the window.
  @inlinable @inline(__always)
  func endsToken(_ position: Int) -> Bool {
    switch base[position] {
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09,
      UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
      true
    default:
      position >= length
    }
  }

  /// Whether the `length` bytes from offset `first` on contain a backslash.
  ///
  /// Eight bytes are compared at once; the zero bytes after the window make the last load safe.
  @inlinable @inline(__always)
  func hasBackslash(_ first: Int, _ length: Int) -> Bool {
    let pattern: UInt64 = 0x5C5C_5C5C_5C5C_5C5C
    var position = 0
    while position < length {
      let word = UnsafeRawPointer(base + first + position).loadUnaligned(as: UInt64.self).littleEndian ^ pattern
      var hits = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
      let remaining = length - position
      if remaining < 8 { hits &= (1 << UInt64(remaining * 8)) &- 1 }
      if hits != 0 { return true }
      position += 8
    }
    return false
  }

  @usableFromInline
  func checkEscapes(_ first: Int, _ length: Int) throws(JSONError) {
    let end = first + length
    var position = first
    while position < end {
      guard base[position] == UInt8(ascii: "\\") else {
        // A quote without a backslash ended the string earlier, so text follows the end of the string.
        if base[position] == UInt8(ascii: "\"") { throw JSONError("text after the end of a string", at: position + 1) }
        position += 1
        continue
      }
      guard position + 1 < end else { throw unterminated(first - 1) }
      switch base[position + 1] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
        UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
        position += 2
      case UInt8(ascii: "u"):
        guard position + 6 <= end, (2..<6).allSatisfy({ Hex.value(base[position + $0]) != nil }) else {
          throw JSONError("a \\u escape needs four hexadecimal digits", at: position)
        }
        position += 6
      default:
        throw JSONError("an unknown escape in a string", at: position)
      }
    }
  }

  @usableFromInline
  func unterminated(_ position: Int) -> JSONError {
    JSONError("a string that does not end", at: position, endsEarly: true)
  }

  @usableFromInline
  func badNumber(_ position: Int) -> JSONError { JSONError("not a number in JSON's grammar", at: position) }

  @usableFromInline
  func badLiteral(_ position: Int) -> JSONError {
    JSONError(
      position >= length ? "the text ends too early" : "not a JSON value", at: position, endsEarly: position >= length)
  }
}
