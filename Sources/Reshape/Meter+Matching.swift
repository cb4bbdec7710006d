internal import JSONSyntax
internal import RegularExpressions

extension Meter {
  /// All matches as jq's match objects; if the third argument is `true`, whether there is a match.
  mutating func matches(_ input: JSONValue, _ arguments: [JSONValue]) throws(EvaluationError) -> JSONValue {
    var (pattern, flags) = (arguments[0], arguments[1])
    if case .array(let parts) = pattern, case .null = flags {
      pattern = parts.first ?? .null
      flags = parts.count > 1 ? parts[1] : .null
    }
    guard case .string(let text) = input else {
      throw .message("\(input.shown) cannot be matched, as it is not a string")
    }
    let isTest = arguments[2].isTrue
    let scalars = try scalars(text)
    let (compiled, options) = try compiled(pattern, flags)
    if isTest {
      let found = try firstMatch(of: compiled, in: scalars)
      return .bool(found != nil)
    }
    var results: [JSONValue] = []
    for positions in try all(compiled, options, in: scalars, everywhere: options.isGlobal) {
      var captures: [JSONValue] = []
      for (group, name) in compiled.names.enumerated() {
        let capture = try piece(scalars, positions[2 * group + 2], positions[2 * group + 3])
        captures.append(.object(JSONObject(capture + [.init(name: "name", value: name.map { .string($0) } ?? .null)])))
      }
      let whole = try piece(scalars, positions[0], positions[1])
      results.append(.object(JSONObject(whole + [.init(name: "captures", value: .array(captures))])))
    }
    return .array(results)
  }

  /// The pieces of the text between all matches.
  mutating func pieces(_ input: JSONValue, _ arguments: [JSONValue]) throws(EvaluationError) -> JSONValue {
    guard case .string(let text) = input else {
      throw .message("\(input.shown) cannot be matched, as it is not a string")
    }
    let scalars = try scalars(text)
    let (compiled, options) = try compiled(arguments[0], arguments[1])
    var parts: [JSONValue] = []
    var start = 0
    for positions in try all(compiled, options, in: scalars, everywhere: true) {
      parts.append(.string(Self.text(scalars[start..<positions[0]])))
      start = positions[1]
    }
    parts.append(.string(Self.text(scalars[start...])))
    try build(64 * parts.count)
    return .array(parts)
  }

  /// The text with each match replaced by a new text.
  ///
  /// `texts` has a list with one text for each match, at the same index.
  mutating func spliced(
    _ input: JSONValue, _ matches: JSONValue, _ texts: JSONValue
  ) throws(EvaluationError) -> String {
    guard case .string(let text) = input, case .array(let matches) = matches, case .array(let texts) = texts else {
      throw .message("\(input.shown) cannot be matched, as it is not a string")
    }
    let scalars = try scalars(text)
    var result = ""
    var start = 0
    for (match, replacement) in zip(matches, texts) {
      let whole = match.array?.first ?? match
      guard let offset = whole["offset"]?.int64, let length = whole["length"]?.int64 else { continue }
      guard let new = replacement.array?.first?.string else {
        throw .message(
          "\(JSONValue.string(result).shown) and \((replacement.array?.first ?? replacement).shown) cannot be added")
      }
      try build(new.utf8.count + 8)
      try step(1 + new.utf8.count / 64)
      result += Self.text(scalars[start..<Int(offset)]) + new
      start = Int(offset + length)
    }
    try build(text.utf8.count)
    return result + Self.text(scalars[start...])
  }

  /// Finds the first match from a position.
  ///
  /// Each instruction that is tried on a scalar costs a quarter of a step, and more if the pattern has many groups.
  private mutating func firstMatch(
    of pattern: Pattern, in text: [UInt32], from start: Int = 0
  ) throws(EvaluationError) -> [Int]? {
    let slots = 2 * pattern.names.count + 2
    return try pattern.expression.firstMatch(in: text, from: start) { count throws(EvaluationError) in
      try step(1 + count * (4 + slots) / 16)
    }
  }

  private mutating func all(
    _ pattern: Pattern, _ options: Pattern.Flags, in text: [UInt32], everywhere: Bool
  ) throws(EvaluationError) -> [[Int]] {
    var found: [[Int]] = []
    var start = 0
    while start <= text.count, let positions = try firstMatch(of: pattern, in: text, from: start) {
      // After an empty match, the search continues one scalar later.
      start = positions[1] > positions[0] ? positions[1] : positions[1] + 1
      if options.skipsEmpty, positions[0] == positions[1] { continue }
      try build(16 * positions.count)
      found.append(positions)
      if !everywhere { break }
    }
    return found
  }

  private mutating func compiled(
    _ pattern: JSONValue, _ flags: JSONValue
  ) throws(EvaluationError) -> (Pattern, Pattern.Flags) {
    guard case .string(let text) = pattern else {
      throw .message("\(pattern.shown) cannot be matched, as it is not a string")
    }
    var letters = ""
    switch flags {
    case .null: break
    case .string(let given): letters = given
    default: throw .message("\(flags.shown) is not a string")
    }
    guard let options = Pattern.Flags(letters) else {
      throw .message("\(letters.prefix(40)) is not a valid modifier string")
    }
    let key = "\(options.ignoresCase)\(options.isExtended)\(options.dotMatchesLineEnd)\(text)"
    if let known = patterns[key] { return (known, options) }
    try step(16 + text.utf8.count)
    let compiled: Pattern
    do throws(PatternError) {
      compiled = try PatternParser.pattern(text, options)
    } catch {
      throw .message("\(text.prefix(60)) (at offset 0) is not a valid regex: \(error.message)")
    }
    try build(64 * compiled.expression.size)
    if patterns.count < 64 { patterns[key] = compiled }
    return (compiled, options)
  }

  private mutating func scalars(_ text: String) throws(EvaluationError) -> [UInt32] {
    try step(1 + text.utf8.count / 8)
    try build(4 * text.utf8.count)
    return text.unicodeScalars.map(\.value)
  }

  private mutating func piece(_ text: [UInt32], _ start: Int, _ end: Int) throws(EvaluationError) -> [JSONObject.Member]
  {
    let took = start >= 0 && end >= start
    try build(160 + (took ? end - start : 0))
    return [
      .init(name: "offset", value: .integer(Int64(took ? start : -1))),
      .init(name: "length", value: .integer(Int64(took ? end - start : 0))),
      .init(name: "string", value: took ? .string(Self.text(text[start..<end])) : .null),
    ]
  }

  private static func text(_ scalars: ArraySlice<UInt32>) -> String {
    var view = String.UnicodeScalarView()
    for value in scalars { if let scalar = Unicode.Scalar(value) { view.append(scalar) } }
    return String(view)
  }
}
