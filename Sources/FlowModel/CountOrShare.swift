/// An upper bound on a part of a whole: a count or a percentage.
///
/// ```swift
/// print(CountOrShare.percent(10).allows(6, of: 50))  // false: at most 5 of 50
/// print(CountOrShare.count(10).allows(6, of: 50))  // true: at most 10
/// ```
public enum CountOrShare: Sendable, Hashable {
  /// At most this many items.
  case count(Int)
  /// At most this percentage of the whole, from 0 to 100.
  case percent(Double)

  /// Whether `part` items of `whole` items are within the bound.
  public func allows(_ part: Int, of whole: Int) -> Bool {
    switch self {
    case .count(let most): part <= most
    // Multiply instead of dividing: 5 of 100 items are then exactly 5 %.
    case .percent(let most): Double(part) * 100 <= most * Double(whole)
    }
  }

  /// The bound as it is written: `5`, `2.5%`.
  public var text: String {
    switch self {
    case .count(let most): String(most)
    case .percent(let most): Self.number(most) + "%"
    }
  }

  /// The bound as text in messages: `5`, `2.5 % of them`.
  public var words: String {
    switch self {
    case .count(let most): String(most)
    case .percent(let most): "\(Self.number(most)) % of them"
    }
  }

  /// The bound as text in messages: `5 records`, `2.5 % of the records`.
  public var ofRecords: String {
    switch self {
    case .count(let most): most == 1 ? "1 record" : "\(most) records"
    case .percent(let most): "\(Self.number(most)) % of the records"
    }
  }

  private static func number(_ percent: Double) -> String {
    percent == percent.rounded() ? String(Int(percent)) : String(percent)
  }
}
