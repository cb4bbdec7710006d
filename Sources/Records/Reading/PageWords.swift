internal import JSONSyntax

/// The names that interfaces use for paging. `@odata.nextLink`, `next_link` and `NextLink` count as one name.
enum PageWords {
  /// A name without its punctuation, in lower case.
  static func plain(_ name: String) -> String {
    if name == "__count" || name == "@odata.count" { return "totalcount" }
    var name = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
    for vocabulary in ["odata", "hydra"] where name.hasPrefix(vocabulary) { name.removeFirst(5) }
    return name
  }

  /// The value of a member that indicates whether more pages exist; nil for other members.
  static func flag(_ name: String, _ value: JSONValue) -> Bool? {
    guard let isSet = boolean(value) else { return nil }
    if more.contains(name) { return isSet }
    return last.contains(name) ? !isSet : nil
  }

  /// Whether a name is the name of a URL of more records: `more_topics_url`.
  static func isMoreURL(_ name: String) -> Bool { name.hasPrefix("more") && name.hasSuffix("url") }

  /// Whether an object at this path is the key of the next page, as in DynamoDB and MediaWiki.
  static func isKey(_ steps: [JSONPath.Step]) -> Bool {
    if case .name(let name)? = steps.last { ["lastevaluatedkey", "continue"].contains(plain(name)) } else { false }
  }

  /// Whether an object at this path describes the response and not a record.
  static func isAboutPage(_ steps: [JSONPath.Step]) -> Bool {
    guard case .name(let name)? = steps.last else { return false }
    return ["meta", "metadata", "page", "pageinfo", "paging", "pagination"].contains(plain(name))
  }

  private static func boolean(_ value: JSONValue) -> Bool? {
    if let value = value.bool { return value }
    switch value.string?.lowercased() ?? value.int64.map(String.init) {
    case "true", "1": return true
    case "false", "0": return false
    default: return nil
    }
  }

  /// Names of members that are true when more pages exist.
  private static let more: Set<String> = [
    "hasadditional", "hasadditionalpages", "hasmore", "hasmoredata", "hasmoreitems", "hasmorepages", "hasmorerecords",
    "hasmoreresults",
    "hasmorerows", "hasnext", "hasnextpage", "incompleteresults", "istruncated", "more", "moreavailable", "moredata",
    "moredataavailable", "moreitems", "moreitemsincollection", "morepages", "morerecords", "moreresult",
    "moreresults", "moretocome", "nextpageavailable", "ispartial", "partial",
    "partialresults", "truncated",
  ]

  /// Names of members that are true on the last page.
  private static let last: Set<String> = [
    "complete", "done", "endoflist", "endofrecords", "endofresults", "endofstream", "exhausted", "final", "iscomplete",
    "isdone", "isfinal", "islast", "islastpage", "last", "lastpage",
  ]

  /// Names of members that contain the request for the next page, and have no value on the last page.
  static let next: Set<String> = [
    "continue", "lastevaluatedkey", "next", "nextcontinuationtoken", "nextcursor", "nextcursormark", "nexthref",
    "nextkey", "nextlink", "nextmarker", "nextoffset", "nextpage", "nextpagecursor", "nextpageid", "nextpagelink",
    "nextpagenumber", "nextpagestart", "nextpagetoken", "nextpageuri", "nextpageurl", "nextrecordsurl", "nextstart",
    "nexttoken",
    "nextresults", "nexturi", "nexturl", "continuation", "continuationtoken",
  ]

  /// Names of members that contain the next position, often also on the last page.
  static let weak: Set<String> = [
    "after", "aftercursor", "bookmark", "cursor", "endcursor", "nextbatch", "pagecursor", "pagingtoken", "scrollid",
    "startingafter",
  ]
}
