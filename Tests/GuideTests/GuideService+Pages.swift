import Foundation
import JSONSyntax
import TestSupport

extension GuideService {
  /// A list for each paging strategy.
  static let pages: Script = { call, _ in
    switch call.path {
    case "/tickets":
      let size = call.number("per_page") ?? 2
      let page = call.number("page") ?? 1
      return .json(
        """
        {"tickets":\(list(7, from: (page - 1) * size, size) { #"{"id":\#($0),"title":"Ticket \#($0)"}"# }),\
        "pages":\((7 + size - 1) / size),"total":7}
        """)
    case "/events":
      let kinds = ["opened", "paid", "sent"]
      return .json(
        list(7, from: call.number("offset") ?? 0, min(call.number("limit") ?? 3, 3)) {
          #"{"id":\#($0),"kind":"\#(kinds[$0 % 3])"}"#
        })
    case "/messages":
      let start = call["token"].flatMap { Int($0.dropFirst(2)) } ?? 0
      let next = start + 2 < 5 ? "\"t-\(start + 2)\"" : "null"
      return .json(
        #"{"data":\#(list(5, from: start, 2) { #"{"id":\#($0),"text":"Hello \#($0)"}"# }),"next_token":\#(next)}"#)
    case "/invoices":
      let start = call.number("start") ?? 0
      let links = start + 2 < 5 ? #"{"next":"\#(call.base)/invoices?start=\#(start + 2)"}"# : "{}"
      return .json(
        #"{"items":\#(list(5, from: start, 2) { #"{"number":"R-\#($0)","amount":"\#($0).50"}"# }),"links":\#(links)}"#)
    case "/repositories":
      let page = call.number("page") ?? 1
      let body = list(5, from: (page - 1) * 2, 2) { #"{"id":\#($0),"name":"repository-\#($0)","stars":\#($0 * 7)}"# }
      guard page < 3 else { return .json(body) }
      return .json(
        body,
        (
          "Link",
          "</repositories?per_page=2&page=\(page + 1)>; rel=\"next\", </repositories?per_page=2&page=3>; rel=\"last\""
        ))
    case "/keys":
      let names = ["/shop/a", "/shop/b", "/shop/c", "/shop/d", "/shop/e"]
      let after = call["after"].flatMap { Data(base64Encoded: $0) }.map { String(decoding: $0, as: UTF8.self) } ?? ""
      let rest = names.filter { $0 > after }
      let keys = rest.prefix(2).map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
      return .json(rest.count > 2 ? #"{"keys":[\#(keys)],"more":true}"# : #"{"keys":[\#(keys)]}"#)
    case "/scans":
      let size = call.number("limit") ?? 4
      return size > 2
        ? .json(#"{"error":"response too large"}"#, status: 500)
        : .json(list(5, from: call.number("offset") ?? 0, size) { #"{"id":\#($0),"bytes":\#($0 * 100)}"# })
    case "/readings":
      let page = call.number("page") ?? 1
      return page < 3
        ? .json(list(9, from: (page - 1) * 2, 2) { #"{"id":\#($0)}"# })
        : .json(#"{"error":"database is restarting"}"#, status: 500)
    case "/products":
      // A product is added while the pages are read, so the last one of the first page comes again.
      return .json(
        call.number("page") == 1
          ? #"[{"sku":"TEA-3","price":"5.20"},{"sku":"TEA-2","price":"4.10"}]"#
          : call.number("page") == 2
            ? #"[{"sku":"TEA-2","price":"4.30"},{"sku":"TEA-1","price":"7.45"}]"# : "[]")
    case "/stock":
      let start = call.number("after") ?? 0
      // One record is lost between two pages, as when somebody deletes while others turn pages.
      return .json(
        """
        {"data":\(list(5, from: start == 0 ? 0 : 3, 2) { #"{"sku":"TEA-\#($0)"}"# }),\
        "next":\(start == 0 ? "2" : "null"),"total":5}
        """)
    default: return .notFound
    }
  }

  /// A part of a list of so many records, numbered from 1.
  private static func list(_ count: Int, from start: Int, _ size: Int, _ record: (Int) -> String) -> String {
    let end = min(start + size, count)
    return "[" + (start < end ? (start + 1...end).map(record) : []).joined(separator: ",") + "]"
  }
}
