extension Expression {
  /// Finds the `}}` that ends an expression inside a longer text.
  ///
  /// A `}}` inside a quoted text does not end the expression. A `}}` that closes braces of maps does not end it either.
  ///
  /// ```swift
  /// let bytes = Array("{{ {'a': {'b': '}}'}} }} rest".utf8)
  /// Expression.end(of: bytes, from: 2) // 22
  /// ```
  /// - Parameters:
  ///   - bytes: UTF-8.
  ///   - start: the index after the `{{`.
  /// - Returns: the index of the first brace of the `}}`; nil when the text, an unclosed quoted text or another `{{`
  ///   comes first. If a `}}` was forgotten, the expression therefore does not include the next expression.
  public static func end<Bytes: RandomAccessCollection>(of bytes: Bytes, from start: Bytes.Index) -> Bytes.Index?
  where Bytes.Element == UInt8 {
    var position = start
    var open = 0
    var previous: UInt8 = 0
    var beforePrevious: UInt8 = 0
    while position < bytes.endIndex {
      let byte = bytes[position]
      let next = bytes.index(after: position)
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        let isRaw = previous | 0x20 == UInt8(ascii: "r") && !Lexer.isNameCharacter(beforePrevious)
        guard let close = closingQuote(in: bytes, from: next, quote: byte, isRaw: isRaw) else { return nil }
        position = close
      case UInt8(ascii: "{"):
        if next < bytes.endIndex, bytes[next] == byte { return nil }
        open += 1
      case UInt8(ascii: "}"):
        if open > 0 {
          open -= 1
        } else if next < bytes.endIndex, bytes[next] == byte {
          return position
        }
      default:
        break
      }
      beforePrevious = previous
      previous = byte
      position = bytes.index(after: position)
    }
    return nil
  }

  private static func closingQuote<Bytes: RandomAccessCollection>(
    in bytes: Bytes, from start: Bytes.Index, quote: UInt8, isRaw: Bool
  ) -> Bytes.Index? where Bytes.Element == UInt8 {
    var position = start
    while position < bytes.endIndex {
      if bytes[position] == quote { return position }
      if bytes[position] == UInt8(ascii: "\\"), !isRaw {
        position = bytes.index(after: position)
        guard position < bytes.endIndex else { return nil }
      }
      position = bytes.index(after: position)
    }
    return nil
  }
}
