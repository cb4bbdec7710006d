internal import Records

/// The pages of a pull so far, by the bytes of their records.
///
/// A server that does not take the page asked for gives one again: the last one, or all of them from the first on. Eight
/// bytes are kept of each page; of ten thousand pages two differ and look alike once in a hundred thousand million pulls.
struct SeenPages {
  private var fingerprints: Set<Int> = []

  /// Notes a page; false when it holds the same records as an earlier one. A page without records is never one of them.
  @discardableResult
  mutating func insert(_ page: PageReading) -> Bool {
    guard let fingerprint = page.outcome.tail?.fingerprint else { return true }
    return fingerprints.insert(fingerprint).inserted
  }
}
