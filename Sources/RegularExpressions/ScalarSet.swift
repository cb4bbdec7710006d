/// A set of Unicode scalars, as a character class describes it: ranges, general categories and other sets.
package struct ScalarSet: Sendable {
  /// A general category or a group of them, possibly negated.
  package struct Category: Sendable, Hashable {
    private let members: Set<Unicode.GeneralCategory>
    private let isNegated: Bool

    /// Creates the category with a name of RFC 9485, such as `L` or `Nd`; nil for other names.
    package init?(named name: String, isNegated: Bool) {
      guard let members = ScalarSet.categories(named: name) else { return nil }
      self.members = members
      self.isNegated = isNegated
    }

    func contains(_ category: Unicode.GeneralCategory) -> Bool { members.contains(category) != isNegated }
  }

  private let ranges: [ClosedRange<UInt32>]
  private let categories: [Category]
  private let inner: [ScalarSet]
  private let isNegated: Bool
  /// The members below 128 as bits, computed once.
  private var ascii: (UInt64, UInt64) = (0, 0)

  /// Creates the set of scalars that are in at least one part; when negated, the set of scalars that are in none of the
  /// parts.
  package init(
    ranges: [ClosedRange<UInt32>] = [], categories: [Category] = [], inner: [ScalarSet] = [], isNegated: Bool = false
  ) {
    self.ranges = ranges
    self.categories = categories
    self.inner = inner
    self.isNegated = isNegated
    for value in UInt32(0)..<64 where holds(value) { ascii.0 |= 1 << UInt64(value) }
    for value in UInt32(64)..<128 where holds(value) { ascii.1 |= 1 << UInt64(value - 64) }
  }

  func contains(_ scalar: UInt32) -> Bool {
    if scalar < 64 { return ascii.0 >> UInt64(scalar) & 1 == 1 }
    if scalar < 128 { return ascii.1 >> UInt64(scalar - 64) & 1 == 1 }
    return holds(scalar)
  }

  private func holds(_ scalar: UInt32) -> Bool {
    var found = ranges.contains { $0.contains(scalar) } || inner.contains { $0.contains(scalar) }
    if !found, !categories.isEmpty, let category = Unicode.Scalar(scalar)?.properties.generalCategory {
      found = categories.contains { $0.contains(category) }
    }
    return found != isNegated
  }

  /// Whether a scalar is a letter, a mark, a digit or the low line.
  package static func isWord(_ scalar: UInt32) -> Bool {
    if scalar < 0x80 {
      return scalar == 0x5F || (0x30...0x39).contains(scalar) || (0x61...0x7A).contains(scalar | 0x20)
    }
    guard let properties = Unicode.Scalar(scalar)?.properties else { return false }
    return properties.isAlphabetic || properties.numericType == .decimal
  }

  /// The categories for a property name of RFC 9485, such as `L` or `Nd`; nil for other names.
  fileprivate static func categories(named name: String) -> Set<Unicode.GeneralCategory>? {
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
