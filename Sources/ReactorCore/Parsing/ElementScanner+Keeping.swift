package import JSONSyntax

/// The envelope: the text around the elements.
extension ElementScanner {
  /// Bytes from which on a value is left out of an envelope that need not be whole.
  private static let longValue = 4 << 10
  /// The largest envelope that need not be whole.
  private static let outlineBytes = 64 << 10

  /// Adds tokens to the envelope, with the white space between them.
  func append(_ tokens: JSONTokens, _ range: Range<Int>) throws(JSONError) {
    let start = tokens.start(range.lowerBound)
    let length = (range.upperBound < tokens.count ? tokens.start(range.upperBound) : tokens.end) - start
    if let value = skippedValue, length > Self.longValue, !needsEnvelope {
      return append(tokens, range.lowerBound..<value, withoutLongValue: tokens.first(value))
    }
    guard envelope.count + length > (needsEnvelope ? limits.heldBytes : Self.outlineBytes) else {
      return envelope.append(tokens.base + start, length)
    }
    guard !needsEnvelope else {
      throw JSONError("the response around its records is larger than \(limits.heldBytes) bytes", at: start)
    }
    dropEnvelope()
  }

  /// Adds the text before a long value, and an empty value of its kind.
  private func append(_ tokens: JSONTokens, _ range: Range<Int>, withoutLongValue first: UInt8) {
    let start = tokens.start(range.lowerBound)
    let length = tokens.start(range.upperBound) - start
    guard envelope.count + length <= Self.outlineBytes else { return dropEnvelope() }
    envelope.append(tokens.base + start, length)
    switch first {
    case UInt8(ascii: "["): envelope.append("[]")
    case UInt8(ascii: "{"): envelope.append("{}")
    case UInt8(ascii: "\""): envelope.append("\"\"")
    default: envelope.append("null")
    }
  }

  private func dropEnvelope() {
    hasEnvelope = false
    envelope.removeAll()
  }

  /// The envelope without its long values; nil when it is long even so, or no object.
  package var outline: JSONValue? {
    guard hasEnvelope, envelope.withBytes({ $0.first == UInt8(ascii: "{") }) else { return nil }
    return try? JSONValue(parsing: envelope.copy())
  }
}
