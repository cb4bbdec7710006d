internal import RegularExpressions

extension PatternParser {
  mutating func escape() throws(PatternError) -> Expression {
    guard let scalar = at() else { throw PatternError("end pattern at escape") }
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

  private func shorthand(_ scalar: Unicode.Scalar) -> ScalarSet? {
    var known: ScalarSet
    switch scalar {
    case "d", "D": known = Self.digit
    case "s", "S": known = Self.space
    case "h", "H": known = Self.hexadecimal
    case "w", "W": known = PatternParser.word
    default: return nil
    }
    if ("A"..."Z").contains(scalar) { known = ScalarSet(inner: [known], isNegated: true) }
    return known
  }

  private static let digit = ScalarSet(ranges: [0x30...0x39])
  private static let space = ScalarSet(
    ranges: [0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0, 0x2028...0x2029])
  private static let hexadecimal = ScalarSet(ranges: [0x30...0x39, 0x41...0x46, 0x61...0x66])

  /// The scalars of `\w`, determined once from their Unicode properties.
  private static let word: ScalarSet = {
    var ranges: [ClosedRange<UInt32>] = []
    var start: UInt32?
    for value in UInt32(0)...0x3_2000 {
      let isWord = ScalarSet.isWord(value)
      if isWord, start == nil { start = value }
      if !isWord, let first = start {
        ranges.append(first...(value - 1))
        start = nil
      }
    }
    return ScalarSet(ranges: ranges)
  }()

  /// Parses the scalar after a backslash.
  mutating func escapedScalar() throws(PatternError) -> UInt32 {
    guard let scalar = at() else { throw PatternError("end pattern at escape") }
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
        throw PatternError("invalid code point value")
      }
      return value
    case "1"..."9", "k", "g", "p", "P", "G", "K", "R", "X":
      throw PatternError("'\\\(scalar)' is not supported")
    default: return scalar.value
    }
  }

  mutating func bracket() throws(PatternError) -> ScalarSet {
    depth += 1
    guard depth <= Pattern.maximumDepth else { throw PatternError("classes are nested too deeply") }
    defer { depth -= 1 }
    let isNegated = take("^")
    var ranges: [ClosedRange<UInt32>] = []
    var inner: [ScalarSet] = []
    var isFirst = true
    while let scalar = at(), isFirst || scalar != "]" {
      isFirst = false
      position += 1
      var lower = scalar.value
      if scalar == "[" {
        if at() == ":" { inner.append(try named()) } else { inner.append(try bracket()) }
        continue
      }
      if scalar == "&", at() == "&" { throw PatternError("'&&' is not supported") }
      if scalar == "\\" {
        if let next = at(), let known = shorthand(next) {
          position += 1
          inner.append(known)
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
            throw PatternError("char-class value at end of range")
          }
          upper = try escapedScalar()
        }
        guard lower <= upper else { throw PatternError("empty range in char class") }
      }
      ranges.append(lower...upper)
      if flags.ignoresCase { addCases(of: lower...upper, to: &ranges) }
    }
    guard take("]") else { throw PatternError("premature end of char-class") }
    return ScalarSet(ranges: ranges, inner: inner, isNegated: isNegated)
  }

  private func addCases(of range: ClosedRange<UInt32>, to ranges: inout [ClosedRange<UInt32>]) {
    let upper = range.clamped(to: 0x41...0x5A)
    if range.overlaps(0x41...0x5A) { ranges.append((upper.lowerBound + 32)...(upper.upperBound + 32)) }
    let lower = range.clamped(to: 0x61...0x7A)
    if range.overlaps(0x61...0x7A) { ranges.append((lower.lowerBound - 32)...(lower.upperBound - 32)) }
  }

  /// Parses `[:name:]` after its `[`.
  private mutating func named() throws(PatternError) -> ScalarSet {
    var name = ""
    position += 1
    let isNegated = take("^")
    while let scalar = at(), scalar != ":" {
      name.unicodeScalars.append(scalar)
      position += 1
    }
    guard take(":"), take("]") else { throw PatternError("premature end of char-class") }
    let known: ScalarSet
    switch name {
    case "digit": known = Self.digit
    case "space": known = Self.space
    case "xdigit": known = Self.hexadecimal
    case "word": known = Self.word
    case "alpha": known = ScalarSet(ranges: [0x41...0x5A, 0x61...0x7A])
    case "alnum": known = ScalarSet(ranges: [0x30...0x39, 0x41...0x5A, 0x61...0x7A])
    case "upper": known = ScalarSet(ranges: [0x41...0x5A])
    case "lower": known = ScalarSet(ranges: [0x61...0x7A])
    case "blank": known = ScalarSet(ranges: [0x09...0x09, 0x20...0x20])
    case "punct": known = ScalarSet(ranges: [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E])
    default: throw PatternError("unknown class [:\(name):]")
    }
    return isNegated ? ScalarSet(inner: [known], isNegated: true) : known
  }
}
