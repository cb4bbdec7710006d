public import FlowTerms

extension CountOrShare {
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
}
