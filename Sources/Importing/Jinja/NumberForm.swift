/// How a value is written in a format of Python: `%05d`, `%.2f`, `{:>8}`.
struct NumberForm: Hashable {
  enum Alignment: Hashable {
    case left, right
  }

  enum Kind: Hashable {
    case text, integer
    /// A number with this number of digits after the point.
    case fixed(Int)
  }

  let kind: Kind
  /// The minimum number of characters; 0 for no minimum.
  let width: Int
  let fill: Character
  let alignment: Alignment

  /// Whether the value is written without padding or a fixed number of digits.
  var isPlain: Bool { width == 0 && (kind == .text || kind == .integer) }

  /// Parses the specification of a format; returns nil for one that cannot be translated.
  ///
  /// - Parameters:
  ///   - specification: the text before the letter, such as `05` or `.2`
  ///   - letter: `s`, `d` or `f`
  ///   - alignsTexts: how a text that is shorter than the width is aligned
  init?(_ specification: String, _ letter: Character, alignsTexts: Alignment) {
    var rest = specification[...]
    var (fill, alignment): (Character, Alignment?) = (" ", nil)
    let signs: [Character: Alignment] = ["<": .left, ">": .right]
    if rest.count > 1, let sign = signs[rest[rest.index(after: rest.startIndex)]] {
      fill = rest.removeFirst()
      rest.removeFirst()
      alignment = sign
    } else if let first = rest.first, let sign = signs[first] {
      rest.removeFirst()
      alignment = sign
    }
    if alignment == nil, rest.first == "-", alignsTexts == .right {
      rest.removeFirst()
      alignment = .left
    }
    if alignment == nil, rest.first == "0" {
      fill = "0"
      alignment = .right
    }
    let digits = rest.prefix(while: \.isNumber)
    rest = rest.dropFirst(digits.count)
    guard let width = digits.isEmpty ? 0 : Int(digits), width <= 100, fill != "'", fill != "\\" else { return nil }
    var precision: Int?
    if rest.first == "." {
      guard let found = Int(rest.dropFirst()), (0...15).contains(found) else { return nil }
      precision = found
      rest = ""
    }
    guard rest.isEmpty else { return nil }
    switch (letter, precision) {
    case ("s", nil): kind = .text
    case ("d", nil): kind = .integer
    case ("f", _): kind = .fixed(precision ?? 6)
    default: return nil
    }
    self.width = width
    self.fill = fill
    self.alignment = alignment ?? (kind == .text ? alignsTexts : .right)
  }
}
