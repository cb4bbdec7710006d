internal import JSONSyntax

/// What one object says in numbers of pages and records.
struct PageCounts {
  private var values: [String: Int64] = [:]
  private let isPaged: Bool
  private let isTotalClear: Bool

  /// Takes the members of an object by their plain names; nil where no number of pages or records is among them.
  ///
  /// - Parameter isOfRecords: whether the object holds the list of records, or says something of it
  init?(_ members: [(name: String, value: JSONValue)], isOfRecords: Bool) {
    for (name, value) in members {
      // Elasticsearch writes an object in place of the number.
      let number = value.int64 ?? value.string.flatMap { Int64($0) } ?? value["value"]?.int64
      if let number { values[name] = values[name] ?? number }
    }
    isPaged = values.keys.contains { Self.positions.contains($0) || Self.sizes.contains($0) || Self.pages.contains($0) }
    // Beside a text or another number `total` may be an amount of anything.
    let isAlone = members.allSatisfy { name, value in
      Self.vagueTotals.contains(name) || value.string == nil && value.kindName != "number"
    }
    isTotalClear =
      isPaged || isOfRecords && isAlone || members.contains { $0.name == "total" && $0.value["value"] != nil }
    guard values.keys.contains(where: { Self.pageTotals.contains($0) }) || !totals.isEmpty else { return nil }
  }

  /// The name of a number of pages of which this is not the last.
  var furtherPages: String? {
    for name in values.keys.sorted() where Self.pageTotals.contains(name) {
      guard let total = values[name], total > 1 else { continue }
      // `pages` and `lastPage` beside no other number may be anything.
      if Self.vaguePageTotals.contains(name), !isPaged { continue }
      let page = values.filter { Self.pages.contains($0.key) && $0.key != name }.values.max()
      if page.map({ $0 < total }) ?? true { return name }
    }
    return nil
  }

  /// The name of a number of records that is greater than those up to the end of this page, and the number.
  func furtherRecords(than count: Int) -> (name: String, total: Int64)? {
    let position = values.filter { Self.positions.contains($0.key) }.values.max() ?? 0
    // Some interfaces count records from 1.
    let skipped = position == 1 ? 0 : position
    let (end, isTooFar) = skipped.addingReportingOverflow(Int64(count))
    guard skipped >= 0, !isTooFar else { return nil }
    return totals.first { $0.total > end }
  }

  /// The numbers of all records, by the clearest name first.
  private var totals: [(name: String, total: Int64)] {
    let clear = Self.totals + (isTotalClear ? Self.vagueTotals : [])
    let found = clear.compactMap { name in values[name].map { (name: name, total: $0) } }
    // Beside nothing else `count` may be that of this page, or its size.
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
  /// Only beside a position, a page or a page's size, or beside the records and nothing else.
  private static let vagueTotals = ["total", "found", "itemcount", "recordcount", "resultcount"]
}
