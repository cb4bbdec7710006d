/// A bound on some of a whole: a number of them, or a share in percent.
///
/// ```swift
/// try CountOrShare(parsing: "10%").allows(5, of: 50)  // at most 5 of 50
/// try CountOrShare(parsing: "10").allows(5, of: 50)   // at most 10
/// ```
public enum CountOrShare: Sendable, Hashable {
  /// At most so many.
  case count(Int)
  /// At most this share, in percent from 0 to 100.
  case percent(Double)

  /// Reads `5` or `2.5%`.
  ///
  /// - Throws: `ValueError` for anything else.
  public init(parsing text: String) throws(ValueError) {
    let expected = "a number such as 5, or a share such as 10%"
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 || $0 == 0x2E || $0 == 0x25 }) else {
      throw ValueError(expected: expected)
    }
    if text.hasSuffix("%") {
      guard let percent = Double(text.dropLast()) else { throw ValueError(expected: expected) }
      guard percent <= 100 else { throw ValueError(expected: expected, detail: "a share is from 0% to 100%") }
      self = .percent(percent)
    } else {
      guard let count = Int(text) else { throw ValueError(expected: expected) }
      self = .count(count)
    }
  }

  /// Whether so many of a whole are within the bound.
  public func allows(_ part: Int, of whole: Int) -> Bool {
    switch self {
    case .count(let most): part <= most
    // Multiplied rather than divided: 5 of 100 are 5 %, exactly.
    case .percent(let most): Double(part) * 100 <= most * Double(whole)
    }
  }

  /// The bound in words: `5`, `2.5 % of them`.
  public var words: String {
    switch self {
    case .count(let most): String(most)
    case .percent(let most): "\(most == most.rounded() ? String(Int(most)) : String(most)) % of them"
    }
  }
}
