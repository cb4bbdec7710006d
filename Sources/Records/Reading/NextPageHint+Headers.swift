public import ReactorCore
public import JSONSyntax

extension NextPageHint {
  /// Finds the first hint of another page in the headers of a response, except `Link`; nil when there is none.
  ///
  /// - Parameter count: the number of records in the response
  public init?(in headers: Headers, count: Int) {
    let found =
      Self.next(headers) ?? Self.pages(headers) ?? Self.range(headers) ?? Self.total(headers, count)
      ?? Self.document(headers, count)
    guard let found else { return nil }
    self = found
  }

  private init(header name: String, _ kind: Kind) { self.init(at: "header '\(name)'", kind) }

  /// Headers with the next page, as GitLab, Azure and others send them.
  private static func next(_ headers: Headers) -> NextPageHint? {
    let names = [
      "X-Next-Page", "X-Next-Cursor", "X-Next-Token", "X-MS-Continuation", "X-Continuation-Token", "X-Continuation",
      "X-Next", "X-Next-Url", "X-Next-Link", "Next", "Next-Page", "Next-Cursor", "Next-Range",
    ]
    for name in names {
      if let value = headers[name], !value.isEmpty, value != "0" { return NextPageHint(header: name, .more) }
    }
    for name in ["X-Has-More", "X-Has-Next-Page", "X-HasMore"] where headers[name]?.lowercased() == "true" {
      return NextPageHint(header: name, .more)
    }
    return nil
  }

  /// Headers with the page number and the number of pages.
  ///
  /// WordPress, GitLab, ESI and others send such headers.
  private static func pages(_ headers: Headers) -> NextPageHint? {
    let page = ["X-Page", "X-Current-Page", "X-Pagination-Current-Page"].lazy.compactMap {
      headers[$0].flatMap { Int64($0) }
    }
    .first
    for name in [
      "X-Total-Pages", "X-WP-TotalPages", "X-Pages", "X-Page-Count", "X-Pagination-Page-Count", "Total-Pages",
    ] {
      guard let total = headers[name].flatMap({ Int64($0) }), total > 1, page.map({ $0 < total }) ?? true else {
        continue
      }
      return NextPageHint(header: name, .more)
    }
    return nil
  }

  /// `Content-Range` such as `items 0-49/120` or `0-24/3573`: RFC 9110, section 14.4, with any unit or none.
  private static func range(_ headers: Headers) -> NextPageHint? {
    guard let value = headers["Content-Range"] else { return nil }
    let parts = (value.split(separator: " ").last ?? "").split(separator: "/")
    guard parts.count == 2, let total = Int64(parts[1]),
      let last = parts[0].split(separator: "-").last.flatMap({ Int64($0) }), last < total - 1
    else { return nil }
    return NextPageHint(header: "Content-Range", .more)
  }

  private static func total(_ headers: Headers, _ count: Int) -> NextPageHint? {
    let names = [
      "X-Total-Count", "X-Total", "X-WP-Total", "Total-Results", "X-Pagination-Total-Count", "X-Total-Results", "Total",
      "Total-Count", "Pagination-Count",
    ]
    for name in names {
      guard let total = headers[name].flatMap({ Int64($0) }), total > Int64(count) else { continue }
      return NextPageHint(header: name, .total(total, held: count))
    }
    return nil
  }

  /// Headers that contain a JSON document, such as `X-Pagination: {"TotalPages":3,…}`.
  private static func document(_ headers: Headers, _ count: Int) -> NextPageHint? {
    for name in ["X-Pagination", "Pagination", "Paging-Headers"] {
      guard let text = headers[name], let value = try? JSONValue(parsing: Array(text.utf8)),
        let hint = NextPageHint(in: value, count: count)
      else { continue }
      if case .total = hint.kind { return NextPageHint(header: name, hint.kind) }
      return NextPageHint(header: name, .more)
    }
    return nil
  }
}

extension NextPageHint {
  /// Finds the total number of records in a response or its headers by the usual names, and its location; nil without
  /// one.
  ///
  /// - Parameters:
  ///   - envelope: the response without its records
  ///   - records: the path of the records
  public static func total(
    in envelope: JSONValue, _ headers: Headers, records: [JSONPath.Step]?
  ) -> (location: String, number: Int64)? {
    var search = NextPageSearch(records: records, count: nil)
    search.visit(envelope, [], depth: 1)
    if let total = search.total { return total }
    // Every positive total is greater than none.
    guard let hint = total(headers, 0), case .total(let number, _) = hint.kind else { return nil }
    return (hint.location, number)
  }
}
