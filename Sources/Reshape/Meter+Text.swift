internal import JSONSyntax

extension Meter {
  mutating func text(
    _ name: Native.Name, _ input: JSONValue, _ arguments: [JSONValue]
  ) throws(EvaluationError) -> JSONValue {
    switch name {
    case .tostring: return .string(try shown(input))
    case .tojson: return .string(try written(input))
    case .implode: return try imploded(input)
    case .startswith, .endswith:
      guard case .string(let text) = input, case .string(let part) = arguments[0] else {
        throw .message("\(name.rawValue)() requires string inputs")
      }
      try step(part.utf8.count / 64)
      return .bool(name == .startswith ? text.utf8.starts(with: part.utf8) : Self.ends(text, with: part))
    case .ltrimstr, .rtrimstr:
      guard case .string(let text) = input, case .string(let part) = arguments[0] else { return input }
      try build(text.utf8.count)
      try step(text.utf8.count / 64)
      if name == .ltrimstr {
        guard text.utf8.starts(with: part.utf8) else { return input }
        return .string(String(decoding: text.utf8.dropFirst(part.utf8.count), as: UTF8.self))
      }
      guard Self.ends(text, with: part) else { return input }
      return .string(String(decoding: text.utf8.dropLast(part.utf8.count), as: UTF8.self))
    default: break
    }
    guard case .string(let text) = input else { throw .message(message(name, input)) }
    try build(32 + text.utf8.count)
    try step(text.utf8.count / 32)
    switch name {
    case .utf8bytelength: return .integer(Int64(text.utf8.count))
    case .explode:
      try build(16 * text.utf8.count)
      return .array(text.unicodeScalars.map { .integer(Int64($0.value)) })
    case .ascii_downcase: return .string(Self.mapped(text) { (0x41...0x5A).contains($0) ? $0 + 32 : $0 })
    case .ascii_upcase: return .string(Self.mapped(text) { (0x61...0x7A).contains($0) ? $0 - 32 : $0 })
    case .trim, .ltrim, .rtrim:
      var bytes = Array(text.utf8)[...]
      func isSpace(_ byte: UInt8?) -> Bool { byte == 0x20 || byte.map { (0x09...0x0D).contains($0) } == true }
      while name != .rtrim, isSpace(bytes.first) { bytes.removeFirst() }
      while name != .ltrim, isSpace(bytes.last) { bytes.removeLast() }
      return .string(String(decoding: bytes, as: UTF8.self))
    case .split:
      guard case .string(let separator) = arguments[0] else {
        throw .message("split input and separator must be strings")
      }
      return try split(text, by: separator)
    case .fromjson: return try parsed(text)
    default: return input
    }
  }

  private func message(_ name: Native.Name, _ input: JSONValue) -> String {
    switch name {
    case .utf8bytelength: "\(input.shown) only strings have UTF-8 byte length"
    case .explode: "\(input.shown) cannot be exploded"
    case .split: "split input and separator must be strings"
    case .fromjson: "\(input.shown) cannot be parsed"
    case .trim, .ltrim, .rtrim: "\(input.shown) cannot be trimmed"
    default: "\(name.rawValue) input must be a string"
    }
  }

  private func parsed(_ text: String) throws(EvaluationError) -> JSONValue {
    switch text {
    case "nan", "NaN": return .number(JSONNumber(Double.nan))
    default:
      do throws(JSONError) {
        return try JSONValue(parsing: text)
      } catch {
        throw .message("\(error.message) at byte \(error.offset) (while parsing '\(text.prefix(40))')")
      }
    }
  }

  private static func mapped(_ text: String, _ change: (UInt8) -> UInt8) -> String {
    String(decoding: text.utf8.map(change), as: UTF8.self)
  }

  private static func ends(_ text: String, with part: String) -> Bool {
    text.utf8.count >= part.utf8.count && text.utf8.suffix(part.utf8.count).elementsEqual(part.utf8)
  }

  /// A string unchanged, any other value as JSON.
  mutating func shown(_ value: JSONValue) throws(EvaluationError) -> String {
    if case .string(let text) = value { return text }
    return try written(value)
  }

  /// A value's JSON text.
  ///
  /// Its size is counted before writing, because shared parts are written each time they occur.
  mutating func written(_ original: JSONValue) throws(EvaluationError) -> String {
    if case .number(let number) = original, !number.isSpecial { return number.text }
    var counter = Meter(steps: steps, bytes: bytes)
    let value: JSONValue
    do throws(EvaluationError) {
      value = try counter.finished(original)
    } catch {
      throw .limit("the program builds more data than is allowed")
    }
    let text = JSONWriter.bytes(value)
    try build(text.count)
    try step(text.count / 4)
    return String(decoding: text, as: UTF8.self)
  }

  mutating func split(_ text: String, by separator: String) throws(EvaluationError) -> JSONValue {
    try step(1 + text.utf8.count / 16)
    if text.isEmpty { return .array([]) }
    if separator.isEmpty {
      try build(32 * text.utf8.count)
      return .array(text.unicodeScalars.map { .string(String($0)) })
    }
    let bytes = Array(text.utf8)
    let part = Array(separator.utf8)
    var parts: [JSONValue] = []
    var start = 0
    for offset in try Self.offsets(of: part, in: bytes, first: false, meter: &self) where offset >= start {
      parts.append(.string(String(decoding: bytes[start..<offset], as: UTF8.self)))
      start = offset + part.count
    }
    parts.append(.string(String(decoding: bytes[start...], as: UTF8.self)))
    try build(bytes.count + 32 * parts.count)
    return .array(parts)
  }

  /// The offsets of a part in a text, including overlapping occurrences.
  static func offsets(
    of part: [UInt8], in text: [UInt8], first: Bool, meter: inout Meter
  ) throws(EvaluationError) -> [Int] {
    guard let head = part.first, part.count <= text.count else { return [] }
    try meter.step(text.count / 32)
    var positions: [Int] = []
    for offset in 0...(text.count - part.count) where text[offset] == head {
      var length = 1
      while length < part.count, text[offset + length] == part[length] { length += 1 }
      try meter.step(length / 32)
      if length == part.count {
        positions.append(offset)
        if first { return positions }
      }
    }
    try meter.build(16 * positions.count)
    return positions
  }

  mutating func indices(_ input: JSONValue, _ part: JSONValue) throws(EvaluationError) -> JSONValue {
    switch (input, part) {
    case (.null, _): return .null
    case (.string(let text), .string(let wanted)):
      guard !wanted.isEmpty else { return .null }
      let bytes = Array(text.utf8)
      let positions = try Self.offsets(of: Array(wanted.utf8), in: bytes, first: false, meter: &self)
      // The offset is counted in Unicode scalars, as in `.[a:b]`.
      var scalars = 0
      var done = 0
      var result: [JSONValue] = []
      for position in positions {
        for byte in bytes[done..<position] where byte & 0xC0 != 0x80 { scalars += 1 }
        done = position
        result.append(.integer(Int64(scalars)))
      }
      return .array(result)
    case (.array(let elements), .array(let wanted)): return try positions(of: wanted, in: elements)
    case (.array(let elements), _): return try positions(of: [part], in: elements)
    default: return try input.part(part)
    }
  }

  private mutating func imploded(_ input: JSONValue) throws(EvaluationError) -> JSONValue {
    guard case .array(let elements) = input else { throw .message("implode input must be an array") }
    try build(4 * elements.count)
    try step(elements.count / 8)
    var view = String.UnicodeScalarView()
    for element in elements {
      guard case .number(let number) = element,
        let scalar = Unicode.Scalar(UInt32(clamping: number.value))
      else { throw .message("\(element.shown) can't be imploded, unicode codepoint needs to be valid") }
      view.append(scalar)
    }
    return .string(String(view))
  }
}
