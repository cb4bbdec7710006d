internal import RegularExpressions

/// Parses a pattern.
struct PatternParser {
  let scalars: [Unicode.Scalar]
  var position = 0
  var depth = 0
  let flags: Pattern.Flags
  private var sets: [ScalarSet] = []
  private var names: [String?] = []

  typealias Expression = RegularExpression.Expression

  static func pattern(_ text: String, _ flags: Pattern.Flags) throws(PatternError) -> Pattern {
    var parser = PatternParser(scalars: Array(text.unicodeScalars), flags: flags)
    let parsed = try parser.alternatives()
    guard parser.position == parser.scalars.count else { throw PatternError("unmatched close parenthesis") }
    let expression = RegularExpression(
      parsed, sets: parser.sets, groupCount: parser.names.count, maximumSize: Pattern.maximumSize)
    guard let expression else { throw PatternError("the pattern is too large") }
    return Pattern(expression: expression, names: parser.names)
  }

  init(scalars: [Unicode.Scalar], flags: Pattern.Flags) {
    self.scalars = scalars
    self.flags = flags
  }

  func at(_ ahead: Int = 0) -> Unicode.Scalar? {
    position + ahead < scalars.count ? scalars[position + ahead] : nil
  }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard at() == scalar else { return false }
    position += 1
    return true
  }

  // MARK: - Parsing

  private mutating func alternatives() throws(PatternError) -> Expression {
    var branches: [Expression] = [try sequence()]
    while take("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .alternatives(branches)
  }

  private mutating func sequence() throws(PatternError) -> Expression {
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

  private mutating func quantified(_ atom: Expression) throws(PatternError) -> Expression {
    var result = atom
    var count = 0
    while let bounds = bounds() {
      count += 1
      guard count < 8 else { throw PatternError("too many repetition operators in a row") }
      if let maximum = bounds.1, maximum < bounds.0 {
        throw PatternError("the minimum of a repetition is greater than its maximum")
      }
      if at() == "+" { throw PatternError("possessive repetition is not supported") }
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
      let minimum = number()
      var maximum = minimum
      if take(",") { maximum = number() }
      // Braces that are not a valid repetition are literal text.
      guard take("}"), minimum != nil else {
        position = start
        return nil
      }
      let isExact = scalars[start..<position].allSatisfy { $0 != "," }
      return (minimum ?? 0, isExact ? minimum : maximum)
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

  private mutating func atom(_ scalar: Unicode.Scalar) throws(PatternError) -> Expression {
    position += 1
    switch scalar {
    case ".":
      return set(ScalarSet(ranges: flags.dotMatchesLineEnd ? [] : [0x0A...0x0A], isNegated: true))
    case "^": return .assertion(.textStart)
    case "$": return .assertion(.lastLineEnd)
    case "[": return set(try bracket())
    case "(": return try group()
    case "\\": return try escape()
    case "*", "+", "?": throw PatternError("target of repeat operator is not specified")
    default: return literal(scalar.value)
    }
  }

  mutating func literal(_ value: UInt32) -> Expression {
    guard flags.ignoresCase, let scalar = Unicode.Scalar(value) else { return .scalar(value) }
    let forms = Set(
      [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping].compactMap { form in
        form.unicodeScalars.count == 1 ? form.unicodeScalars.first?.value : nil
      }
    ).union([value])
    return forms.count == 1 ? .scalar(value) : set(ScalarSet(ranges: forms.map { $0...$0 }))
  }

  mutating func set(_ set: ScalarSet) -> Expression {
    sets.append(set)
    return .set(sets.count - 1)
  }

  private mutating func group() throws(PatternError) -> Expression {
    depth += 1
    guard depth <= Pattern.maximumDepth else { throw PatternError("groups are nested too deeply") }
    defer { depth -= 1 }
    var number = 0
    if take("?") {
      if take("<") {
        guard at() != "=", at() != "!" else { throw PatternError("look-behind is not supported") }
        var name = ""
        while let scalar = at(), scalar != ">" {
          name.unicodeScalars.append(scalar)
          position += 1
        }
        guard take(">"), !name.isEmpty else { throw PatternError("group name is empty") }
        names.append(name)
        number = names.count
      } else if !take(":") {
        throw PatternError("look-around, atomic groups and options within are not supported")
      }
    } else {
      names.append(nil)
      number = names.count
    }
    let inner = try alternatives()
    guard take(")") else { throw PatternError("end pattern with unmatched parenthesis") }
    return number == 0 ? inner : .group(inner, number)
  }
}
