/// A regular expression in the syntax of Perl and Oniguruma as far as it can be matched in time linear in the text:
/// no look-around, no back references, no atomic groups.
struct Pattern: Sendable {
  /// Instructions, once counted repetitions are written out.
  static let maximumSize = 4_000
  static let maximumDepth = 40

  var program: [Instruction] = []
  var classes: [CharacterClass] = []
  /// Names of the groups from the first on.
  var names: [String?] = []

  enum Instruction: Sendable {
    case scalar(UInt32)
    case set(Int)
    /// Goes on at the first place, and if that does not match at the second.
    case split(Int, Int)
    case jump(Int)
    case save(Int)
    case textStart
    case textEnd
    /// The end, or before a last line end.
    case lastLineEnd
    case wordBoundary(Bool)
    case accept
  }

  /// What the letters of `flags` mean.
  struct Flags: Sendable {
    var isGlobal = false
    var ignoresCase = false
    var isExtended = false
    var dotMatchesLineEnd = false
    var skipsEmpty = false

    init?(_ text: String) {
      for letter in text {
        switch letter {
        case "g": isGlobal = true
        case "i": ignoresCase = true
        case "x": isExtended = true
        case "s": break
        case "p": dotMatchesLineEnd = true
        case "n": skipsEmpty = true
        default: return nil
        }
      }
    }
  }

  struct CharacterClass: Sendable {
    var ranges: [ClosedRange<UInt32>] = []
    var inner: [CharacterClass] = []
    var isNegated = false

    func contains(_ scalar: UInt32) -> Bool {
      (ranges.contains { $0.contains(scalar) } || inner.contains { $0.contains(scalar) }) != isNegated
    }

    static let digit = CharacterClass(ranges: [0x30...0x39])
    static let space = CharacterClass(ranges: [0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0, 0x2028...0x2029])
    static let hexadecimal = CharacterClass(ranges: [0x30...0x39, 0x41...0x46, 0x61...0x66])

    /// Letters, marks, digits and the low line.
    static func isWord(_ scalar: UInt32) -> Bool {
      if scalar < 0x80 {
        return scalar == 0x5F || (0x30...0x39).contains(scalar) || (0x61...0x7A).contains(scalar | 0x20)
      }
      guard let properties = Unicode.Scalar(scalar)?.properties else { return false }
      return properties.isAlphabetic || properties.numericType == .decimal
    }
  }

  /// A failure of the pattern, in a few words.
  struct Mistake: Error {
    var text: String
  }
}
