internal import RegularExpressions

/// Parses the grammar of RFC 9485. Only groups cause recursion, and `depth` bounds it.
struct IRegexpParser {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  /// The character classes of the pattern; the parsed expression refers to them by index.
  private(set) var sets: [ScalarSet] = []
  /// Whether the next group that is parsed is the captured one.
  var capturesNext = false

  init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

  mutating func parse() throws(IRegexpError) -> RegularExpression.Expression {
    let expression = try alternatives()
    guard position == scalars.count else { throw error("')' without a '(' before it") }
    return expression
  }

  /// Parses `branch *("|" branch)`.
  private mutating func alternatives() throws(IRegexpError) -> RegularExpression.Expression {
    var branches = [try branch()]
    while current == "|" {
      position += 1
      branches.append(try branch())
    }
    return branches.count == 1 ? branches[0] : .alternatives(branches)
  }

  /// Parses `*(atom [quantifier])`.
  private mutating func branch() throws(IRegexpError) -> RegularExpression.Expression {
    var pieces: [RegularExpression.Expression] = []
    while let scalar = current, scalar != "|", scalar != ")" {
      let atom = try atom(scalar)
      pieces.append(try quantified(atom))
    }
    return pieces.count == 1 ? pieces[0] : .sequence(pieces)
  }

  private mutating func atom(_ scalar: Unicode.Scalar) throws(IRegexpError) -> RegularExpression.Expression {
    switch scalar {
    case "(":
      depth += 1
      guard depth <= IRegexp.maximumDepth else {
        throw IRegexpError("the groups of the pattern nest more than \(IRegexp.maximumDepth) deep", isLimit: true)
      }
      position += 1
      let isCaptured = capturesNext
      capturesNext = false
      let inner = try alternatives()
      guard current == ")" else { throw error("')' is missing") }
      position += 1
      depth -= 1
      return isCaptured ? .group(inner, 1) : inner
    case ".":
      position += 1
      return set(ScalarSet(ranges: [0x0A...0x0A, 0x0D...0x0D], isNegated: true))
    case "^":
      position += 1
      return .assertion(.textStart)
    case "$":
      position += 1
      return .assertion(.textEnd)
    case "[":
      return try bracketed()
    case "\\":
      if let category = try categoryEscape() { return set(ScalarSet(categories: [category])) }
      return .scalar(try singleEscape().value)
    case "*", "+", "?", "{":
      throw error("there is nothing before '\(scalar)' to repeat")
    case "]", "}":
      throw error("'\(scalar)' must be written '\\\(scalar)'")
    default:
      position += 1
      return .scalar(scalar.value)
    }
  }

  private mutating func set(_ set: ScalarSet) -> RegularExpression.Expression {
    sets.append(set)
    return .set(sets.count - 1)
  }

  // MARK: - Quantifiers

  private mutating func quantified(_ atom: RegularExpression.Expression) throws(IRegexpError)
    -> RegularExpression.Expression
  {
    let repeated: RegularExpression.Expression
    switch current {
    case "*": repeated = .repeated(atom, 0, nil)
    case "+": repeated = .repeated(atom, 1, nil)
    case "?": repeated = .repeated(atom, 0, 1)
    case "{": return try counted(atom)
    default: return atom
    }
    position += 1
    return try single(repeated)
  }

  /// Rejects a second quantifier: lazy and possessive matching are not part of RFC 9485.
  private func single(_ repeated: RegularExpression.Expression) throws(IRegexpError) -> RegularExpression.Expression {
    if let next = current, "*+?{".unicodeScalars.contains(next) {
      throw error("'\(next)' after a repetition is not part of I-Regexp")
    }
    return repeated
  }

  /// Parses `"{" digits ["," [digits]] "}"`.
  private mutating func counted(_ atom: RegularExpression.Expression) throws(IRegexpError)
    -> RegularExpression.Expression
  {
    position += 1
    guard let minimum = count() else { throw error("digits must follow '{'") }
    var maximum: Int? = minimum
    if current == "," {
      position += 1
      maximum = count()
    }
    guard current == "}" else { throw error("'}' is missing") }
    position += 1
    if let maximum, maximum < minimum { throw error("the minimum of a repetition is greater than its maximum") }
    return try single(.repeated(atom, minimum, maximum))
  }

  private mutating func count() -> Int? {
    let start = position
    var value = 0
    while let scalar = current, ("0"..."9").contains(scalar) {
      value = min(value * 10 + Int(scalar.value - 0x30), 1 << 40)
      position += 1
    }
    return position > start ? value : nil
  }

  // MARK: - Classes and escapes

  /// Parses `"[" ["^"] ("-" / CCE1) *CCE1 ["-"] "]"`.
  private mutating func bracketed() throws(IRegexpError) -> RegularExpression.Expression {
    position += 1
    var ranges: [ClosedRange<UInt32>] = []
    var categories: [ScalarSet.Category] = []
    // `[^]` is a class that contains only '^', because a class cannot be empty.
    let isNegated = current == "^" && scalar(after: 1) != "]"
    if isNegated { position += 1 }
    if current == "-" {
      ranges.append(0x2D...0x2D)
      position += 1
    } else if current == "]" {
      throw error("an empty character class")
    }
    while let scalar = current, scalar != "]" {
      if scalar == "-" {
        guard self.scalar(after: 1) == "]" else { throw error("'-' in a class must be first, last or written '\\-'") }
        ranges.append(0x2D...0x2D)
        position += 1
        break
      }
      if scalar == "\\", let category = try categoryEscape() {
        categories.append(category)
        continue
      }
      let lower = try classScalar(scalar)
      guard current == "-", let upper = self.scalar(after: 1), upper != "]" else {
        ranges.append(lower.value...lower.value)
        continue
      }
      position += 1
      let last = try classScalar(upper)
      guard lower <= last else { throw error("a range of characters is in descending order") }
      ranges.append(lower.value...last.value)
    }
    guard current == "]" else { throw error("']' is missing") }
    position += 1
    return set(ScalarSet(ranges: ranges, categories: categories, isNegated: isNegated))
  }

  private mutating func classScalar(_ scalar: Unicode.Scalar) throws(IRegexpError) -> Unicode.Scalar {
    switch scalar {
    case "\\":
      return try singleEscape()
    case "[", "-":
      throw error("'\(scalar)' in a class must be written '\\\(scalar)'")
    default:
      position += 1
      return scalar
    }
  }

  /// Parses a backslash and a character that must be escaped, or `n`, `r`, `t`.
  private mutating func singleEscape() throws(IRegexpError) -> Unicode.Scalar {
    guard let code = scalar(after: 1) else { throw error("the pattern ends in '\\'") }
    let scalar: Unicode.Scalar
    switch code {
    case "n": scalar = "\n"
    case "r": scalar = "\r"
    case "t": scalar = "\t"
    case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}": scalar = code
    case "d": throw error("'\\d' must be written '[0-9]' or '\\p{Nd}'")
    case "w": throw error("'\\w' must be written '[A-Za-z0-9_]' or '[\\p{L}\\p{N}_]'")
    case "s": throw error("'\\s' must be written '[ \\t\\n\\r]' or '\\p{Z}'")
    case "$", "/": throw error("'\\\(code)' must be written '[\(code)]'")
    default: throw error("'\\\(code)' is not part of I-Regexp")
    }
    position += 2
    return scalar
  }

  /// Parses `\p{…}` or `\P{…}`; nil for other escapes.
  private mutating func categoryEscape() throws(IRegexpError) -> ScalarSet.Category? {
    guard let code = scalar(after: 1), code == "p" || code == "P" else { return nil }
    guard scalar(after: 2) == "{" else { throw error("'\\\(code)' must be followed by a category in braces: \\p{L}") }
    var name = ""
    var index = position + 3
    while index < scalars.count, scalars[index] != "}", name.unicodeScalars.count < 3 {
      name.unicodeScalars.append(scalars[index])
      index += 1
    }
    guard index < scalars.count, scalars[index] == "}",
      let category = ScalarSet.Category(named: name, isNegated: code == "P")
    else {
      throw error("'\\\(code){\(name)' does not name a general category such as L, Lu, Nd or P")
    }
    position = index + 1
    return category
  }

  // MARK: - Scalars

  private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private func scalar(after distance: Int) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  private func error(_ message: String) -> IRegexpError {
    IRegexpError("the pattern is not an I-Regexp: \(message) (character \(position + 1))")
  }
}
