internal import JSONSyntax

/// The names that interfaces use for pages; `@odata.nextLink`, `next_link` and `NextLink` are one name.
enum PageWords {
  /// A name without its punctuation, in lower case.
  static func plain(_ name: String) -> String {
    if name == "__count" || name == "@odata.count" { return "totalcount" }
    var name = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
    if name.hasPrefix("odata") { name.removeFirst(5) }
    return name
  }

  /// What says whether there is more; nil for other members.
  static func flag(_ name: String, _ value: JSONValue) -> Bool? {
    guard let isSet = boolean(value) else { return nil }
    if more.contains(name) { return isSet }
    return last.contains(name) ? !isSet : nil
  }

  /// Whether a name is that of a URL of more records: `more_topics_url`.
  static func isMoreURL(_ name: String) -> Bool { name.hasPrefix("more") && name.hasSuffix("url") }

  /// Whether an object in this place is itself what to ask for next, as DynamoDB's `LastEvaluatedKey`.
  static func isKey(_ steps: [JSONPath.Step]) -> Bool {
    if case .name(let name)? = steps.last { plain(name) == "lastevaluatedkey" } else { false }
  }

  private static func boolean(_ value: JSONValue) -> Bool? {
    if let value = value.bool { return value }
    switch value.string?.lowercased() ?? value.int64.map(String.init) {
    case "true", "1": return true
    case "false", "0": return false
    default: return nil
    }
  }

  /// True where there is more.
  private static let more: Set<String> = [
    "hasadditional", "hasmore", "hasmoredata", "hasmoreitems", "hasmorepages", "hasmorerecords", "hasmoreresults",
    "hasnext", "hasnextpage", "incompleteresults", "istruncated", "more", "moreavailable", "moredata",
    "moredataavailable", "moreitems", "moreitemsincollection", "morepages", "morerecords", "moreresult",
    "moreresults", "moretocome", "nextpageavailable", "truncated",
  ]

  /// True on the last page.
  private static let last: Set<String> = [
    "done", "endoflist", "endofstream", "isdone", "islast", "islastpage", "last", "lastpage",
  ]

  /// Says what to ask for next, and nothing on the last page.
  static let next: Set<String> = [
    "continue", "lastevaluatedkey", "next", "nextcontinuationtoken", "nextcursor", "nextcursormark", "nexthref",
    "nextkey", "nextlink", "nextmarker", "nextoffset", "nextpage", "nextpagecursor", "nextpageid", "nextpagelink",
    "nextpagestart", "nextpagetoken", "nextpageuri", "nextpageurl", "nextrecordsurl", "nextstart", "nexttoken",
    "nexturi", "nexturl", "continuationtoken",
  ]

  /// Says where to go on, often on the last page too.
  static let weak: Set<String> = [
    "after", "aftercursor", "cursor", "endcursor", "pagecursor", "scrollid", "startingafter",
  ]
}
