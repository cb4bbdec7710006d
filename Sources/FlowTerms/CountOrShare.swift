/// A bound on some of a whole: a number of them, or a share in percent.
///
/// ```swift
/// CountOrShare.percent(10).allows(5, of: 50)  // at most 5 of 50
/// CountOrShare.count(10).allows(5, of: 50)    // at most 10
/// ```
public enum CountOrShare: Sendable, Hashable {
  /// At most so many.
  case count(Int)
  /// At most this share, in percent from 0 to 100.
  case percent(Double)

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
