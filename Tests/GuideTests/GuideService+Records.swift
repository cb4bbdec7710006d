import Foundation
import JSONSyntax
import TestSupport

extension GuideService {
  /// People, teams and a table.
  static let mapping: Script = { call, memory in
    switch call.path {
    case "/objects/deal/fields":
      let more = memory.events.contains("the server adds a field") ? #",{"name":"stage","type":"picklist"}"# : ""
      return .json(#"{"fields":[{"name":"id","type":"int"},{"name":"amount","type":"currency"}\#(more)]}"#)
    case "/objects/deal":
      return .json(
        """
        {"results":[{"id":1,"properties":{"amount":"12.50","stage":"won"}},{"id":2,"properties":{"amount":null,"stage":"new"}}]}
        """)
    case "/staff":
      let more = memory.events.contains("the server adds a member") ? #","team":"tea""# : ""
      return .json(
        """
        [{"id":1,"name":"Ada","mail":"ada@example.com","joined":"2024-01-01T08:00:00Z"\(more)},\
        {"id":2,"name":"Ben","mail":null,"joined":"2024-02-01T08:00:00Z"\(more)}]
        """)
    case "/people":
      return .json(
        """
        [{"id":1,"full_name":"Ada Lovelace","address":{"city":"London","zip":"SW1"},"created":1704067200,"level":"pro",\
        "tags":["vip","tea"]},\
        {"id":"2","full_name":"Benito Rossi","address":{"city":"Rome","zip":"00118"},"phone":"06 555","created":1704153600,\
        "level":"free","tags":[]},\
        {"id":3,"full_name":"Test Account","address":{"city":"Rome"},"created":1704240000,"level":"admin"}]
        """)
    case "/teams":
      return .json(
        """
        {"teams":[{"name":"tea","members":[{"name":"Ada","lead":true},{"name":"Ben"}]},{"name":"cups","members":[]}]}
        """)
    case "/table":
      return .json(
        #"{"columns":["day","usd","gbp"],"rows":[["2024-01-01","1.10","0.86"],["2024-01-02","1.09","0.87"]]}"#)
    default: return .notFound
    }
  }

  /// What expressions are tried on.
  static let expressions: Script = { call, _ in
    switch call.path {
    case "/orders":
      return .json(#"[{"from":"\#(call["from"] ?? "")","to":"\#(call["to"] ?? "")","orders":12}]"#)
    case "/customers":
      return .json(#"[{"id":1,"name":"Ada","mail":"ada@example.com"},{"id":2,"name":"Ben"}]"#)
    case "/echo": return .json(String(decoding: call.request.body, as: UTF8.self))
    case "/visits":
      return .json(
        """
        [{"id":1,"came":"2024-03-01T08:00:00Z","left":"2024-03-01T08:20:30.5Z","paid":"€12.50","place":{"shop":7,"city":"BONN"}},\
        {"id":2,"came":"2024-03-01T09:00:00Z","left":null,"paid":7,"place":{"shop":7,"city":"Köln"}}]
        """)
    case "/baskets":
      return .json(
        """
        [{"id":1,"items":[{"sku":"TEA-1","count":3},{"sku":"CUP-9","count":2}]},{"id":2,"items":[{"sku":"POT-3","count":1}]}]
        """)
    default: return .notFound
    }
  }

  /// Records of which some do not fit.
  static let rejected: Script = { call, memory in
    guard call.path == "/customers" else { return .notFound }
    let amount = memory.events.contains("the server fixes its records") ? #""7.00""# : #""n/a""#
    return .json(
      """
      {"data":[{"id":1,"name":"Ada","balance":"12.50"},{"id":"2b","name":"Ben","balance":"3.00"},\
      {"id":3,"name":"Cleo","balance":\(amount)},{"id":4,"name":"Dora","balance":"0.00"}],"total":4}
      """)
  }

  /// Each kind of request, answered with what arrived.
  static let requests: Script = { call, _ in
    let body = String(decoding: call.request.body, as: UTF8.self)
    switch (call.method, call.path) {
    case ("POST", "/search"):
      let page = call.json["page"]?.int64 ?? 1
      let hits = page == 1 ? #"[{"id":1},{"id":2}]"# : page == 2 ? #"[{"id":3}]"# : "[]"
      return .json(#"{"hits":\#(hits),"next_page":\#(page < 2 ? "\(page + 1)" : "null")}"#)
    case ("POST", "/form"), ("PUT", "/form"):
      return .json(#"{"type":"\#(call.request["content-type"] ?? "")","body":"\#(body)"}"#)
    case ("POST", "/query"):
      return .json(#"{"lines":\#(body.split(separator: "\n").count),"type":"\#(call.request["content-type"] ?? "")"}"#)
    case ("POST", "/graphql"):
      let after = call.json["variables"]?["after"]?.string
      if call.json["query"]?.string?.contains("nickname") == true {
        return .json(#"{"data":null,"errors":[{"message":"Cannot query field 'nickname' on type 'Customer'."}]}"#)
      }
      let nodes = after == nil ? #"[{"id":1,"name":"Ada"},{"id":2,"name":"Ben"}]"# : #"[{"id":3,"name":"Cleo"}]"#
      let page = after == nil ? #"{"hasNextPage":true,"endCursor":"c2"}"# : #"{"hasNextPage":false,"endCursor":null}"#
      return .json(#"{"data":{"customers":{"nodes":\#(nodes),"pageInfo":\#(page)}}}"#)
    case ("GET", "/ads"): return ads(call)
    case ("GET", "/fields"): return .json(#"[{"name":"clicks"},{"name":"likes"},{"name":"shares"},{"name":"cost"}]"#)
    case ("GET", _) where call.path.hasPrefix("/files/"):
      return .json(#"{"asked":"\#(call.request.target)"}"#)
    default: return .notFound
    }
  }

  /// Numbers of ads for each day, two on a page; three fields of them in one response.
  private static func ads(_ call: Call) -> Reply {
    let fields = (call["fields"] ?? "").split(separator: ",").map(String.init)
    guard fields.count <= 3 else { return .json(#"{"error":"at most 3 fields"}"#, status: 400) }
    let start = call.number("after") ?? 0
    let records = (start..<min(start + 2, 3)).map { index in
      let members = [
        "day": "\"2024-01-0\(index + 1)\"", "ad": "\"A-\(index % 2 + 1)\"", "clicks": "\(10 * index + 4)",
        "likes": "\(index + 1)", "shares": "\(index)", "cost": "\"\(index + 1).50\"",
      ]
      return "{" + fields.map { "\"\($0)\":\(members[$0] ?? "null")" }.joined(separator: ",") + "}"
    }
    return .json(#"{"data":[\#(records.joined(separator: ","))],"next":\#(start + 2 < 3 ? "\(start + 2)" : "null")}"#)
  }
}
