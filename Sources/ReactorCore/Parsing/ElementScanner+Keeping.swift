package import JSONSyntax

/// The envelope: the text around the elements.
extension ElementScanner {
  /// The maximum size in bytes of a value that is copied to an envelope that need not be complete.
  private static let longValue = 4 << 10
  /// The maximum size in bytes of an envelope that need not be complete.
  private static let outlineBytes = 64 << 10

  /// Appends tokens, and the white space between them, to the envelope.
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

  /// Appends the text before a long value, and an empty value of the same kind instead of the long value.
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

  /// The envelope without its long values; nil when it is still too long, or is not an object.
  package var outline: JSONValue? {
    guard hasEnvelope, envelope.withBytes({ $0.first == UInt8(ascii: "{") }) else { return nil }
    return try? JSONValue(parsing: envelope.copy())
  }
}
