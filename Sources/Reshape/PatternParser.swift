/// Reads a pattern and writes its instructions.
struct PatternParser {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  private let flags: Pattern.Flags
  private var pattern = Pattern()

  private indirect enum Expression {
    case scalar(UInt32)
    case set(Int)
    case assertion(Pattern.Instruction)
    case sequence([Expression])
    case alternatives([Expression])
    case group(Expression, Int)
    case repeated(Expression, Int, Int?, isGreedy: Bool)
  }

  static func pattern(_ text: String, _ flags: Pattern.Flags) throws(Pattern.Mistake) -> Pattern {
    var parser = PatternParser(scalars: Array(text.unicodeScalars), flags: flags)
    let expression = try parser.alternatives()
    guard parser.position == parser.scalars.count else { throw Pattern.Mistake(text: "unmatched close parenthesis") }
    guard parser.size(expression) < Pattern.maximumSize else { throw Pattern.Mistake(text: "the pattern is too large") }
    parser.emit(.group(expression, 0))
    parser.pattern.program.append(.accept)
    return parser.pattern
  }

  private init(scalars: [Unicode.Scalar], flags: Pattern.Flags) {
    self.scalars = scalars
    self.flags = flags
  }

  private func at(_ ahead: Int = 0) -> Unicode.Scalar? {
    position + ahead < scalars.count ? scalars[position + ahead] : nil
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard at() == scalar else { return false }
    position += 1
    return true
  }

  // MARK: - Reading

  private mutating func alternatives() throws(Pattern.Mistake) -> Expression {
    var branches: [Expression] = [try sequence()]
    while take("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .alternatives(branches)
  }

  private mutating func sequence() throws(Pattern.Mistake) -> Expression {
    var parts: [Expression] = []
    while let scalar = at(), scalar != "|", scalar != ")" {
      if flags.isExtended {
        if scalar.properties.isWhitespace {
          position += 1
          continue
        }
        if scalar == "#" {
          while let next = at(), next != "\n" { position += 1 }
          continue
        }
      }
      parts.append(try quantified(try atom(scalar)))
    }
    return .sequence(parts)
  }

  private mutating func quantified(_ atom: Expression) throws(Pattern.Mistake) -> Expression {
    var result = atom
    var count = 0
    while let bounds = bounds() {
      count += 1
      guard count < 8 else { throw Pattern.Mistake(text: "too many repetitions of one thing") }
      if let most = bounds.1, most < bounds.0 { throw Pattern.Mistake(text: "a repetition's counts run backwards") }
      if at() == "+" { throw Pattern.Mistake(text: "possessive repetition is not part of this subset") }
      result = .repeated(result, bounds.0, bounds.1, isGreedy: !take("?"))
    }
    return result
  }

  private mutating func bounds() -> (Int, Int?)? {
    switch at() {
    case "*": position += 1; return (0, nil)
    case "+": position += 1; return (1, nil)
    case "?": position += 1; return (0, 1)
    case "{":
      let start = position
      position += 1
      let least = number()
      var most = least
      if take(",") { most = number() }
      // What is no repetition is text.
      guard take("}"), least != nil else {
        position = start
        return nil
      }
      let isExact = scalars[start..<position].allSatisfy { $0 != "," }
      return (least ?? 0, isExact ? least : most)
    default: return nil
    }
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let scalar = at(), ("0"..."9").contains(scalar) {
      value = min((value ?? 0) * 10 + Int(scalar.value - 0x30), 1_000_000)
      position += 1
    }
    return value
  }

  private mutating func atom(_ scalar: Unicode.Scalar) throws(Pattern.Mistake) -> Expression {
    position += 1
    switch scalar {
    case ".":
      return set(.init(ranges: flags.dotMatchesLineEnd ? [] : [0x0A...0x0A], isNegated: true))
    case "^": return .assertion(.textStart)
    case "$": return .assertion(.lastLineEnd)
    case "[": return set(try bracket())
    case "(": return try group()
    case "\\": return try escape()
    case "*", "+", "?": throw Pattern.Mistake(text: "target of repeat operator is not specified")
    default: return literal(scalar.value)
    }
  }

  private mutating func literal(_ value: UInt32) -> Expression {
    guard flags.ignoresCase, let scalar = Unicode.Scalar(value) else { return .scalar(value) }
    let forms = Set(
      [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping].compactMap { form in
        form.unicodeScalars.count == 1 ? form.unicodeScalars.first?.value : nil
      }
    ).union([value])
    return forms.count == 1 ? .scalar(value) : set(.init(ranges: forms.map { $0...$0 }))
  }

  private mutating func set(_ set: Pattern.CharacterClass) -> Expression {
    pattern.classes.append(set)
    return .set(pattern.classes.count - 1)
  }

  private mutating func group() throws(Pattern.Mistake) -> Expression {
    depth += 1
    guard depth <= Pattern.maximumDepth else { throw Pattern.Mistake(text: "groups nest too deep") }
    defer { depth -= 1 }
    var number = 0
    if take("?") {
      if take("<") {
        guard at() != "=", at() != "!" else { throw Pattern.Mistake(text: "look-behind is not part of this subset") }
        var name = ""
        while let scalar = at(), scalar != ">" {
          name.unicodeScalars.append(scalar)
          position += 1
        }
        guard take(">"), !name.isEmpty else { throw Pattern.Mistake(text: "group name is empty") }
        pattern.names.append(name)
        number = pattern.names.count
      } else if !take(":") {
        throw Pattern.Mistake(text: "look-around, atomic groups and options within are not part of this subset")
      }
    } else {
      pattern.names.append(nil)
      number = pattern.names.count
    }
    let inner = try alternatives()
    guard take(")") else { throw Pattern.Mistake(text: "end pattern with unmatched parenthesis") }
    return number == 0 ? inner : .group(inner, number)
  }

  private mutating func escape() throws(Pattern.Mistake) -> Expression {
    guard let scalar = at() else { throw Pattern.Mistake(text: "end pattern at escape") }
    switch scalar {
    case "b", "B", "A", "z", "Z":
      position += 1
      switch scalar {
      case "A": return .assertion(.textStart)
      case "z": return .assertion(.textEnd)
      case "Z": return .assertion(.lastLineEnd)
      default: return .assertion(.wordBoundary(scalar == "b"))
      }
    default:
      if let known = shorthand(scalar) {
        position += 1
        return set(known)
      }
      return literal(try escapedScalar())
    }
  }

  private func shorthand(_ scalar: Unicode.Scalar) -> Pattern.CharacterClass? {
    var known: Pattern.CharacterClass
    switch scalar {
    case "d", "D": known = .digit
    case "s", "S": known = .space
    case "h", "H": known = .hexadecimal
    case "w", "W": known = PatternParser.word
    default: return nil
    }
    if ("A"..."Z").contains(scalar) { known = .init(inner: [known], isNegated: true) }
    return known
  }

  /// Words are told by property; runs of scalars with it, found once.
  private static let word: Pattern.CharacterClass = {
    var ranges: [ClosedRange<UInt32>] = []
    var start: UInt32?
    for value in UInt32(0)...0x3_2000 {
      let isWord = Pattern.CharacterClass.isWord(value)
      if isWord, start == nil { start = value }
      if !isWord, let first = start {
        ranges.append(first...(value - 1))
        start = nil
      }
    }
    return .init(ranges: ranges)
  }()

  /// The scalar behind a backslash.
  private mutating func escapedScalar() throws(Pattern.Mistake) -> UInt32 {
    guard let scalar = at() else { throw Pattern.Mistake(text: "end pattern at escape") }
    position += 1
    switch scalar {
    case "n": return 0x0A
    case "t": return 0x09
    case "r": return 0x0D
    case "f": return 0x0C
    case "v": return 0x0B
    case "a": return 0x07
    case "e": return 0x1B
    case "x", "u":
      let isBraced = scalar == "x" && take("{")
      var value: UInt32 = 0
      var count = 0
      while count < (isBraced ? 6 : scalar == "x" ? 2 : 4), let next = at(), let digit = Character(next).hexDigitValue {
        value = value << 4 | UInt32(digit)
        position += 1
        count += 1
      }
      guard count > 0, !isBraced || take("}"), Unicode.Scalar(value) != nil else {
        throw Pattern.Mistake(text: "invalid code point value")
      }
      return value
    case "1"..."9", "k", "g", "p", "P", "G", "K", "R", "X":
      throw Pattern.Mistake(text: "'\\\(scalar)' is not part of this subset")
    default: return scalar.value
    }
  }

  private mutating func bracket() throws(Pattern.Mistake) -> Pattern.CharacterClass {
    depth += 1
    guard depth <= Pattern.maximumDepth else { throw Pattern.Mistake(text: "classes nest too deep") }
    defer { depth -= 1 }
    var result = Pattern.CharacterClass(isNegated: take("^"))
    var isFirst = true
    while let scalar = at(), isFirst || scalar != "]" {
      isFirst = false
      position += 1
      var lower = scalar.value
      if scalar == "[" {
        if at() == ":" { result.inner.append(try named()) } else { result.inner.append(try bracket()) }
        continue
      }
      if scalar == "&", at() == "&" { throw Pattern.Mistake(text: "'&&' is not part of this subset") }
      if scalar == "\\" {
        if let next = at(), let known = shorthand(next) {
          position += 1
          result.inner.append(known)
          continue
        }
        lower = at() == "b" ? 0x08 : try escapedScalar()
        if lower == 0x08, at() == "b" { position += 1 }
      }
      var upper = lower
      if at() == "-", let next = at(1), next != "]" {
        position += 2
        upper = next.value
        if next == "\\" {
          guard let letter = at(), shorthand(letter) == nil else {
            throw Pattern.Mistake(text: "char-class value at end of range")
          }
          upper = try escapedScalar()
        }
        guard lower <= upper else { throw Pattern.Mistake(text: "empty range in char class") }
      }
      result.ranges.append(lower...upper)
      if flags.ignoresCase { addCases(of: lower...upper, to: &result) }
    }
    guard take("]") else { throw Pattern.Mistake(text: "premature end of char-class") }
    return result
  }

  private func addCases(of range: ClosedRange<UInt32>, to result: inout Pattern.CharacterClass) {
    let upper = range.clamped(to: 0x41...0x5A)
    if range.overlaps(0x41...0x5A) { result.ranges.append((upper.lowerBound + 32)...(upper.upperBound + 32)) }
    let lower = range.clamped(to: 0x61...0x7A)
    if range.overlaps(0x61...0x7A) { result.ranges.append((lower.lowerBound - 32)...(lower.upperBound - 32)) }
  }

  /// `[:name:]`, its `[` already read.
  private mutating func named() throws(Pattern.Mistake) -> Pattern.CharacterClass {
    var name = ""
    position += 1
    let isNegated = take("^")
    while let scalar = at(), scalar != ":" {
      name.unicodeScalars.append(scalar)
      position += 1
    }
    guard take(":"), take("]") else { throw Pattern.Mistake(text: "premature end of char-class") }
    let known: Pattern.CharacterClass
    switch name {
    case "digit": known = .digit
    case "space": known = .space
    case "xdigit": known = .hexadecimal
    case "word": known = Self.word
    case "alpha": known = .init(ranges: [0x41...0x5A, 0x61...0x7A])
    case "alnum": known = .init(ranges: [0x30...0x39, 0x41...0x5A, 0x61...0x7A])
    case "upper": known = .init(ranges: [0x41...0x5A])
    case "lower": known = .init(ranges: [0x61...0x7A])
    case "blank": known = .init(ranges: [0x09...0x09, 0x20...0x20])
    case "punct": known = .init(ranges: [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E])
    default: throw Pattern.Mistake(text: "unknown class [:\(name):]")
    }
    return isNegated ? .init(inner: [known], isNegated: true) : known
  }

  // MARK: - Writing

  private func size(_ expression: Expression) -> Int {
    let beyond = Pattern.maximumSize + 1
    switch expression {
    case .scalar, .set, .assertion: return 1
    case .sequence(let parts): return parts.reduce(0) { min($0 + size($1), beyond) }
    case .alternatives(let parts): return parts.reduce(0) { min($0 + size($1) + 2, beyond) }
    case .group(let inner, _): return min(size(inner) + 2, beyond)
    case .repeated(let inner, let least, let most, _):
      return min((size(inner) + 2) * min(max(most ?? least, least, 1) + 1, beyond), beyond)
    }
  }

  private mutating func emit(_ expression: Expression) {
    switch expression {
    case .scalar(let value): pattern.program.append(.scalar(value))
    case .set(let place): pattern.program.append(.set(place))
    case .assertion(let instruction): pattern.program.append(instruction)
    case .sequence(let parts): for part in parts { emit(part) }
    case .alternatives(let parts):
      var jumps: [Int] = []
      for part in parts.dropLast() {
        let split = pattern.program.count
        pattern.program.append(.accept)
        emit(part)
        jumps.append(pattern.program.count)
        pattern.program.append(.accept)
        pattern.program[split] = .split(split + 1, pattern.program.count)
      }
      if let last = parts.last { emit(last) }
      for jump in jumps { pattern.program[jump] = .jump(pattern.program.count) }
    case .group(let inner, let number):
      pattern.program.append(.save(2 * number))
      emit(inner)
      pattern.program.append(.save(2 * number + 1))
    case .repeated(let inner, let least, let most, let isGreedy):
      for _ in 0..<least { emit(inner) }
      func fork(_ place: Int, _ after: Int) -> Pattern.Instruction {
        isGreedy ? .split(place + 1, after) : .split(after, place + 1)
      }
      guard let most else {
        let split = pattern.program.count
        pattern.program.append(.accept)
        emit(inner)
        pattern.program.append(.jump(split))
        pattern.program[split] = fork(split, pattern.program.count)
        return
      }
      var splits: [Int] = []
      for _ in least..<max(most, least) {
        splits.append(pattern.program.count)
        pattern.program.append(.accept)
        emit(inner)
      }
      for split in splits { pattern.program[split] = fork(split, pattern.program.count) }
    }
  }
}
