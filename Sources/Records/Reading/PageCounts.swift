internal import JSONSyntax

/// The numbers of pages and records in one object.
struct PageCounts {
  private var values: [String: Int64] = [:]
  private let isPaged: Bool
  private let isTotalClear: Bool

  /// Reads the members of an object by their plain names; nil when no member is a number of pages or records.
  ///
  /// - Parameter isOfRecords: whether the object contains the list of records, or describes this list
  init?(_ members: [(name: String, value: JSONValue)], isOfRecords: Bool) {
    for (name, value) in members {
      // Elasticsearch has an object instead of the number.
      let number = value.int64 ?? value.string.flatMap { Int64($0) } ?? value["value"]?.int64
      if let number { values[name] = values[name] ?? number }
    }
    isPaged = values.keys.contains { Self.positions.contains($0) || Self.sizes.contains($0) || Self.pages.contains($0) }
    // Next to a text or another number, `total` may be the total of anything.
    let isAlone = members.allSatisfy { name, value in
      Self.vagueTotals.contains(name) || value.string == nil && value.kindName != "number"
    }
    isTotalClear =
      isPaged || isOfRecords && isAlone || members.contains { $0.name == "total" && $0.value["value"] != nil }
    guard values.keys.contains(where: { Self.pageTotals.contains($0) }) || !totals.isEmpty else { return nil }
  }

  /// The name of the member with the number of pages, if this page is not the last page.
  var furtherPages: String? {
    for name in values.keys.sorted() where Self.pageTotals.contains(name) {
      guard let total = values[name], total > 1 else { continue }
      // `pages` and `lastPage` without other numbers may mean anything.
      if Self.vaguePageTotals.contains(name), !isPaged { continue }
      let page = values.filter { Self.pages.contains($0.key) && $0.key != name }.values.max()
      if page.map({ $0 < total }) ?? true { return name }
    }
    return nil
  }

  /// A total number of records that is greater than the number of records up to the end of this page.
  ///
  /// The result has the name and the value of this number.
  func furtherRecords(than count: Int) -> (name: String, total: Int64)? {
    let position = values.filter { Self.positions.contains($0.key) }.values.max() ?? 0
    // Some interfaces count records from 1.
    let skipped = position == 1 ? 0 : position
    let (end, isTooFar) = skipped.addingReportingOverflow(Int64(count))
    guard skipped >= 0, !isTooFar else { return nil }
    return totals.first { $0.total > end }
  }

  /// The total number of records, from the member with the clearest name; nil without one.
  var total: (name: String, total: Int64)? { totals.first }

  /// The members that may be the total number of records, the clearest name first.
  private var totals: [(name: String, total: Int64)] {
    let clear = Self.totals + (isTotalClear ? Self.vagueTotals : [])
    let found = clear.compactMap { name in values[name].map { (name: name, total: $0) } }
    // Without other numbers, `count` may be the record count or the size of this page.
    let hasSize = values.keys.contains { Self.sizes.contains($0) }
    guard found.isEmpty, hasSize, let count = values["count"] else { return found }
    return [("count", count)]
  }

  private static let pages: Set<String> = [
    "currentpage", "curpage", "number", "page", "pageindex", "pageno", "pagenumber", "thispage",
  ]
  private static let pageTotals: Set<String> = [
    "lastpage", "maxpage", "nbpages", "numpages", "numberofpages", "pagecount", "pages", "pagestotal", "pagetotal",
    "totalpage", "totalpages",
  ]
  private static let vaguePageTotals: Set<String> = ["lastpage", "maxpage", "pages"]
  private static let positions: Set<String> = [
    "from", "offset", "skip", "start", "startat", "startindex", "startposition",
  ]
  private static let sizes: Set<String> = [
    "itemsperpage", "limit", "maxresults", "pagesize", "perpage", "resultsperpage", "rows", "rpp", "take", "top",
  ]
  private static let totals = [
    "itotaldisplayrecords", "numfound", "numresults", "recordsfiltered", "totalcount", "totalelements", "totalentries",
    "totalhits", "totalitems", "totalrecords",
    "totalresults", "totalrows", "totalsize",
  ]
  /// Ambiguous names of a total number of records.
  ///
  /// These names count only together with a position, a page number or a page size, or in the object with the records,
  /// if it has no other text or number.
  private static let vagueTotals = ["total", "found", "itemcount", "recordcount", "resultcount"]
}
