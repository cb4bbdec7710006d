public import ReactorCore

/// How many records of one answer a run lets be rejected, whatever its flows expect.
///
/// ```swift
/// try AllowedPrune(parsing: "5%").allows(report)  // at most 5 of 100
/// try AllowedPrune(parsing: "5").allows(report)   // at most 5
/// ```
public enum AllowedPrune: Sendable, Hashable, CustomStringConvertible {
  /// At most so many.
  case records(Int)
  /// At most this share of all records of the answer, in percent from 0 to 100.
  case percent(Double)

  /// Reads `5` or `2.5%`; nil when it is neither.
  public init?(parsing text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 || $0 == 0x2E || $0 == 0x25 }) else {
      return nil
    }
    if text.hasSuffix("%") {
      guard let percent = Double(text.dropLast()), percent >= 0, percent <= 100 else { return nil }
      self = .percent(percent)
    } else {
      guard let count = Int(text) else { return nil }
      self = .records(count)
    }
  }

  /// Whether no more records were rejected than this allows.
  public func allows(_ report: PruneReport) -> Bool {
    switch self {
    case .records(let most): report.rejected <= most
    // Multiplied rather than divided: 5 of 100 are 5 %, exactly.
    case .percent(let most): Double(report.rejected) * 100 <= most * Double(report.total)
    }
  }

  /// `at most 5 records`, `at most 2.5 % of the records`.
  public var description: String {
    switch self {
    case .records(let most): "at most \(Expectations.records(most))"
    case .percent(let most):
      "at most \(most == most.rounded() ? String(Int(most)) : String(most)) % of the records"
    }
  }
}
