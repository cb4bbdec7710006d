internal import Records

/// The pages of a pull so far, identified by a fingerprint of their records.
///
/// A server that ignores the page parameter returns pages again: the previous page, or all pages from the first one on.
/// Eight bytes are retained per page. Two different pages can have the same fingerprint. In pulls of ten thousand
/// pages, this happens in about one of a hundred thousand million pulls.
struct SeenPages {
  private var fingerprints: Set<Int> = []

  /// Adds a page; returns false when an earlier page has the same records. A page without records is always new.
  @discardableResult
  mutating func insert(_ page: PageReading) -> Bool {
    guard let fingerprint = page.outcome.tail?.fingerprint else { return true }
    return fingerprints.insert(fingerprint).inserted
  }
}
