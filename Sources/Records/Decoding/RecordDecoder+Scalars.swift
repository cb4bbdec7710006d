internal import FieldTypes
internal import JSONSyntax
internal import TimeSyntax

extension RecordDecoder {
  typealias Decoded = (cell: Cell, next: Int)

  /// Decodes the value at a token as a type; returns its cell and the token after the value.
  ///
  /// A value of another type gives a mismatch cell and does not throw. Only broken JSON throws.
  @inline(__always)
  func decode(
    _ type: MappingPlan.TypeCode, _ token: Int, depth: Int, _ target: Target
  ) throws(JSONError) -> Decoded {
    switch tokens.first(token) {
    case UInt8(ascii: "\""):
      switch type.kind {
      case .string: return try decodeString(token, target)
      case .json, .list, .object: break
      default:
        let decoded = try decodeText(type, token, target)
        return type.coerces && decoded.cell.kind == .mismatch ? try coercedText(type, token, or: decoded) : decoded
      }
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      switch type.kind {
      case .integer: return try decodeInteger(token)
      case .number: return try decodeNumber(token, isBounded: true)
      case .decimal: return try decodeDecimal(token, target)
      case .timestamp where type.form != .iso8601: return try decodeEpoch(type, token, target)
      case .string where type.coerces: return try decodeDecimal(token, target)
      case .boolean where type.coerces: return try coercedNumber(token)
      default: break
      }
    case UInt8(ascii: "n") where type.kind != .json:
      try tokens.checkLiteral(token)
      return (.null, token &+ 1)
    case UInt8(ascii: "t") where type.kind == .string && type.coerces:
      try tokens.checkLiteral(token)
      return (.text(window: tokens.start(token), 4), token &+ 1)
    case UInt8(ascii: "f") where type.kind == .string && type.coerces:
      try tokens.checkLiteral(token)
      return (.text(window: tokens.start(token), 5), token &+ 1)
    case UInt8(ascii: "t") where type.kind == .boolean:
      try tokens.checkLiteral(token)
      return (Cell(kind: .true, length: 0, value: 0), token &+ 1)
    case UInt8(ascii: "f") where type.kind == .boolean:
      try tokens.checkLiteral(token)
      return (Cell(kind: .false, length: 0, value: 0), token &+ 1)
    default:
      break
    }
    return try decodeOther(type, token, depth: depth, target)
  }

  /// Decodes lists, objects and `json` values; returns a mismatch cell for all other values.
  private func decodeOther(
    _ type: MappingPlan.TypeCode, _ token: Int, depth: Int, _ target: Target
  ) throws(JSONError) -> Decoded {
    switch type.kind {
    case .json, .list, .object:
      let start = target.text.count
      let (mismatch, next) = try append(type, token, depth: depth, to: target.text, level: target.level)
      guard mismatch.kind != .mismatch else {
        target.text.truncate(to: start)
        return (mismatch, next)
      }
      return (Cell(kind: .json, length: UInt32(target.text.count - start), value: Int64(start)), next)
    default:
      return (.mismatch(Mismatch(not: type.kind), at: tokens.start(token)), try tokens.skip(token, depth: depth))
    }
  }

  @inline(__always)
  private func decodeString(_ token: Int, _ target: Target) throws(JSONError) -> Decoded {
    let content = try tokens.string(token)
    if !content.hasEscapes { return (.text(window: content.start, content.length), token &+ 1) }
    return (unescaped(content, token, target), token &+ 1)
  }

  private func unescaped(_ content: StringToken, _ token: Int, _ target: Target) -> Cell {
    let start = target.text.count
    let bytes = UnsafeBufferPointer(start: tokens.base + content.start, count: content.length)
    guard EscapedText.unescape(bytes, into: target.text) else {
      target.text.truncate(to: start)
      return .mismatch(.loneSurrogate, at: tokens.start(token))
    }
    return Cell(kind: .ownText, length: UInt32(target.text.count - start), value: Int64(start))
  }

  @inline(__always)
  private func decodeInteger(_ token: Int) throws(JSONError) -> Decoded {
    let digits = try tokens.number(token)
    guard let value = integer(digits) else {
      return (.mismatch(wholeMismatch(digits), at: tokens.start(token)), token &+ 1)
    }
    return (Cell(kind: .integer, length: 0, value: value), token &+ 1)
  }

  /// Reads an integer: up to 18 plain digits on a fast path, all other numbers with exact arithmetic.
  @inline(__always)
  private func integer(_ digits: UnsafeBufferPointer<UInt8>) -> Int64? {
    let negative = digits[0] == UInt8(ascii: "-")
    let count = digits.count
    guard count <= 18 else { return NumberToken.exactInt64(digits) }
    var value: Int64 = 0
    for position in (negative ? 1 : 0)..<count {
      let digit = digits[position] &- 0x30
      guard digit <= 9 else { return NumberToken.exactInt64(digits) }
      value = value &* 10 &+ Int64(digit)
    }
    return negative ? 0 &- value : value
  }

  private func wholeMismatch(_ digits: UnsafeBufferPointer<UInt8>) -> Mismatch {
    digits.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") } ? .type(.integer) : .integerRange
  }

  @inline(__always)
  private func decodeNumber(_ token: Int, isBounded: Bool) throws(JSONError) -> Decoded {
    let digits = try tokens.number(token)
    let start = tokens.start(token)
    guard !isBounded || isInDoubleRange(digits) else { return (.mismatch(.numberRange, at: start), token &+ 1) }
    return (Cell(kind: .windowNumber, length: UInt32(digits.count), value: Int64(start)), token &+ 1)
  }

  /// Whether a number is in the range of `Double`.
  ///
  /// A token without an exponent and with fewer than 300 bytes is always in the range.
  @inline(__always)
  func isInDoubleRange(_ digits: UnsafeBufferPointer<UInt8>) -> Bool {
    guard digits.count >= 300 || digits.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return true }
    return Double(String(decoding: digits, as: UTF8.self))?.isFinite ?? false
  }

  private func decodeDecimal(_ token: Int, _ target: Target) throws(JSONError) -> Decoded {
    let digits = try tokens.number(token)
    return (.text(window: tokens.start(token), digits.count), token + 1)
  }

  private func decodeEpoch(
    _ type: MappingPlan.TypeCode, _ token: Int, _ target: Target
  ) throws(JSONError) -> Decoded {
    let digits = try tokens.number(token)
    guard let time = epoch(digits, type) else {
      return (.mismatch(.type(.timestamp), at: tokens.start(token)), token + 1)
    }
    return (instant(time, target), token + 1)
  }

  /// The instant that a number names by its units since 1970; nil when the type's format is not a number.
  private func epoch(_ digits: UnsafeBufferPointer<UInt8>, _ type: MappingPlan.TypeCode) -> CivilTime? {
    if type.form == .several {
      let number = plan.alternatives[Int(type.detail)].first { $0.form.unitsPerSecond != nil }
      return number.flatMap { epoch(digits, $0) }
    }
    return type.form.unitsPerSecond.flatMap { InstantText.epoch(digits, unitsPerSecond: $0) }
  }

  /// The point in time that a text names in the timestamp format of its type.
  private func time(_ text: UnsafeBufferPointer<UInt8>, _ type: MappingPlan.TypeCode) -> CivilTime? {
    switch type.form {
    case .iso8601: ISO8601.instant(text)
    case .iso8601InUTC: ISO8601.instant(text) ?? TextForms.localTime(text)
    case .epochSeconds, .epochMilliseconds, .epochMicroseconds: TextForms.isNumber(text) ? epoch(text, type) : nil
    case .several:
      plan.alternatives[Int(type.detail)].lazy.compactMap { self.time(text, $0) }.first
    case .pattern: type.detail >= 0 ? plan.patterns[Int(type.detail)].instant(text) : nil
    }
  }

  private func instant(_ time: CivilTime, _ target: Target) -> Cell {
    let start = target.text.count
    InstantText.append(time, to: target.text)
    return Cell(kind: .ownText, length: UInt32(target.text.count - start), value: Int64(start))
  }

  /// Decodes a string as a type other than `string`.
  private func decodeText(
    _ type: MappingPlan.TypeCode, _ token: Int, _ target: Target
  ) throws(JSONError) -> Decoded {
    let content = try tokens.string(token)
    let position = tokens.start(token)
    let next = token &+ 1
    guard !content.hasEscapes else { return try decodeEscapedText(type, content, token, target) }
    let bytes = UnsafeBufferPointer(start: tokens.base + content.start, count: content.length)
    switch type.kind {
    case .integer:
      guard let digits = TextForms.wholeNumber(bytes) else { return (.mismatch(.type(.integer), at: position), next) }
      guard let value = integer(digits) else { return (.mismatch(.integerRange, at: position), next) }
      return (Cell(kind: .integer, length: 0, value: value), next)
    case .number:
      guard TextForms.isNumber(bytes) else { return (.mismatch(.type(.number), at: position), next) }
      guard isInDoubleRange(bytes) else { return (.mismatch(.numberRange, at: position), next) }
      return (Cell(kind: .windowNumber, length: UInt32(bytes.count), value: Int64(content.start)), next)
    case .boolean:
      if bytes.elementsEqual("true".utf8) { return (Cell(kind: .true, length: 0, value: 0), next) }
      if bytes.elementsEqual("false".utf8) { return (Cell(kind: .false, length: 0, value: 0), next) }
      return (.mismatch(.type(.boolean), at: position), next)
    case .timestamp:
      if type.form == .iso8601 || type.form == .iso8601InUTC, ISO8601.isPersistedForm(bytes) {
        return (.text(window: content.start, content.length), next)
      }
      if let time = time(bytes, type) { return (instant(time, target), next) }
      let lacksZone = type.form == .iso8601 && TextForms.localTime(bytes) != nil
      return (.mismatch(lacksZone ? .timestampZone : .type(.timestamp), at: position), next)
    case .uuid:
      guard TextForms.isUUID(bytes) else { return (.mismatch(.type(.uuid), at: position), next) }
      guard bytes.contains(where: { $0 >= 0x41 && $0 <= 0x46 }) else {
        return (.text(window: content.start, content.length), next)
      }
      let start = target.text.count
      for byte in bytes { target.text.append(byte >= 0x41 && byte <= 0x46 ? byte | 0x20 : byte) }
      return (Cell(kind: .ownText, length: UInt32(bytes.count), value: Int64(start)), next)
    case .enumeration:
      guard plan.enumerations[Int(type.detail)].contains(Array(bytes)) else {
        return (.mismatch(.type(.enumeration), at: position), next)
      }
      return (.text(window: content.start, content.length), next)
    default:
      guard type.kind.admits(bytes) else { return (.mismatch(Mismatch(not: type.kind), at: position), next) }
      return (.text(window: content.start, content.length), next)
    }
  }

  /// Decodes a string that contains escapes as a type other than `string`.
  ///
  /// Escapes are rare in such texts. The text is quoted again without the escapes and is read as a separate window.
  private func decodeEscapedText(
    _ type: MappingPlan.TypeCode, _ content: StringToken, _ token: Int, _ target: Target
  ) throws(JSONError) -> Decoded {
    let plain = ByteBuffer(capacity: content.length + 2)
    let bytes = UnsafeBufferPointer(start: tokens.base + content.start, count: content.length)
    guard EscapedText.unescape(bytes, into: plain) else {
      return (.mismatch(.loneSurrogate, at: tokens.start(token)), token + 1)
    }
    let needsEscapes = plain.withBytes { text in
      text.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
    }
    guard !needsEscapes || type.kind == .enumeration else {
      return (.mismatch(Mismatch(not: type.kind), at: tokens.start(token)), token + 1)
    }
    if type.kind == .enumeration {
      guard plan.enumerations[Int(type.detail)].contains(plain.copy()) else {
        return (.mismatch(.type(.enumeration), at: tokens.start(token)), token + 1)
      }
      return (unescaped(content, token, target), token + 1)
    }
    let quoted = ByteBuffer(capacity: plain.count + 2)
    plain.withBytes { EscapedText.quote($0, into: quoted) }
    var (cell, _) = try decodeElsewhere(type, quoted, target)
    if cell.kind == .mismatch { cell.value = Int64(tokens.start(token)) }
    return (cell, token + 1)
  }

  /// Decodes a value from a separate buffer; copies its texts out of this buffer.
  ///
  /// - Parameter onMismatch: called while the decoder's tokens are still the tokens of the buffer
  func decodeElsewhere(
    _ type: MappingPlan.TypeCode, _ json: ByteBuffer, by indexer: JSONIndexer = JSONIndexer(), _ target: Target,
    onMismatch: (Cell) -> Void = { _ in }
  ) throws(JSONError) -> Decoded {
    let outer = tokens
    tokens = try indexer.index(json)
    defer {
      tokens = outer
      withExtendedLifetime((indexer, json)) {}
    }
    var (cell, next) = try decode(type, 0, depth: 0, target)
    if cell.kind == .mismatch { onMismatch(cell) }
    if cell.kind == .windowText || cell.kind == .windowNumber {
      let start = target.text.count
      target.text.append(tokens.base + Int(cell.value), Int(cell.length))
      cell.kind = cell.kind == .windowText ? .ownText : .ownNumber
      cell.value = Int64(start)
    }
    return (cell, next)
  }
}
