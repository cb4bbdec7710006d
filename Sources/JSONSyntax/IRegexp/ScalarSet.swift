/// A set of Unicode scalars: ranges and general categories, as a character class names them.
struct ScalarSet: Sendable {
  /// A general category or a group of them, possibly negated.
  struct Category: Sendable, Hashable {
    let members: Set<Unicode.GeneralCategory>
    let isNegated: Bool
  }

  private var ranges: [ClosedRange<UInt32>] = []
  private var categories: [Category] = []
  private var isNegated = false
  /// The answers for ASCII, worked out once.
  private var ascii: (UInt64, UInt64) = (0, 0)

  init(ranges: [ClosedRange<UInt32>], categories: [Category] = [], isNegated: Bool = false) {
    self.ranges = ranges
    self.categories = categories
    self.isNegated = isNegated
    for value in UInt8(0)..<64 where holds(Unicode.Scalar(value)) { ascii.0 |= 1 << UInt64(value) }
    for value in UInt8(64)..<128 where holds(Unicode.Scalar(value)) { ascii.1 |= 1 << UInt64(value - 64) }
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    if value < 64 { return ascii.0 >> UInt64(value) & 1 == 1 }
    if value < 128 { return ascii.1 >> UInt64(value - 64) & 1 == 1 }
    return holds(scalar)
  }

  private func holds(_ scalar: Unicode.Scalar) -> Bool {
    var found = ranges.contains { $0.contains(scalar.value) }
    if !found, !categories.isEmpty {
      let category = scalar.properties.generalCategory
      found = categories.contains { $0.members.contains(category) != $0.isNegated }
    }
    return found != isNegated
  }

  /// The categories that a property name of RFC 9485 stands for, such as `L` or `Nd`; nil for other names.
  static func categories(named name: String) -> Set<Unicode.GeneralCategory>? {
    switch name {
    case "L": [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter]
    case "Ll": [.lowercaseLetter]
    case "Lm": [.modifierLetter]
    case "Lo": [.otherLetter]
    case "Lt": [.titlecaseLetter]
    case "Lu": [.uppercaseLetter]
    case "M": [.nonspacingMark, .spacingMark, .enclosingMark]
    case "Mc": [.spacingMark]
    case "Me": [.enclosingMark]
    case "Mn": [.nonspacingMark]
    case "N": [.decimalNumber, .letterNumber, .otherNumber]
    case "Nd": [.decimalNumber]
    case "Nl": [.letterNumber]
    case "No": [.otherNumber]
    case "P":
      [
        .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
        .finalPunctuation, .otherPunctuation,
      ]
    case "Pc": [.connectorPunctuation]
    case "Pd": [.dashPunctuation]
    case "Pe": [.closePunctuation]
    case "Pf": [.finalPunctuation]
    case "Pi": [.initialPunctuation]
    case "Po": [.otherPunctuation]
    case "Ps": [.openPunctuation]
    case "Z": [.spaceSeparator, .lineSeparator, .paragraphSeparator]
    case "Zl": [.lineSeparator]
    case "Zp": [.paragraphSeparator]
    case "Zs": [.spaceSeparator]
    case "S": [.mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol]
    case "Sc": [.currencySymbol]
    case "Sk": [.modifierSymbol]
    case "Sm": [.mathSymbol]
    case "So": [.otherSymbol]
    case "C": [.control, .format, .unassigned, .privateUse]
    case "Cc": [.control]
    case "Cf": [.format]
    case "Cn": [.unassigned]
    case "Co": [.privateUse]
    default: nil
    }
  }
}
