import Foundation
import TestSupport
import Testing

/// Changes one thing at a time in recordings, goldens and flows: each must be seen, and its message name the YAML line.
@Suite struct FixtureDrillTests {
  struct Change: Sendable, CustomStringConvertible {
    var what: String
    var file: String
    var from: String
    var to: String
    /// The line of `flows/shop.yaml` that the message must name.
    var line: Int
    var code: Int32 = 1

    var description: String { what }
  }

  private static let customers = "fixtures/shop.customers/cassette.yaml"
  private static let orders = "fixtures/shop.orders/cassette.yaml"
  private static let people = "fixtures/shop.customers/records.jsonl"
  private static let decisions = "fixtures/shop.customers/flow.json"
  private static let flows = "flows/shop.yaml"
  private static let bo =
    #"{"id":2,"name":"Bo","balance":"1250.00","link":"{{base}}/c/2","seen":"2026-01-02T03:04:05Z"}"#
  private static let al = #"{"id":1,"name":"Al","balance":"7","link":"{{base}}/c/1","seen":"2026-01-02T03:04:06Z"}"#

  static let changes: [Change] = [
    // Answers
    .init(what: "a value", file: customers, from: "1250.00", to: "1250.01", line: 22),
    .init(what: "the digits of a number", file: customers, from: #""balance":"7""#, to: #""balance":"7.0""#, line: 22),
    .init(what: "a letter's case", file: customers, from: #""Bo""#, to: #""bo""#, line: 21),
    .init(what: "a space", file: customers, from: #""Bo""#, to: #""Bo ""#, line: 21),
    .init(what: "a time", file: customers, from: "03:04:05Z", to: "03:04:05.001Z", line: 24),
    .init(what: "a link", file: customers, from: "{{base}}/c/1", to: "{{base}}/c/one", line: 23),
    .init(what: "a link's server", file: customers, from: "{{base}}/c/1", to: "http://127.0.0.1:1/c/1", line: 23),
    .init(what: "a type", file: customers, from: #""name":"Bo""#, to: #""name":17"#, line: 21),
    .init(what: "a field that is null", file: customers, from: #""name":"Bo""#, to: #""name":null"#, line: 21),
    .init(what: "a field that is gone", file: customers, from: #","seen":"2026-01-02T03:04:06Z""#, to: "", line: 24),
    .init(what: "a field of another name", file: customers, from: #""balance":"7""#, to: #""balances":"7""#, line: 22),
    .init(what: "a key", file: customers, from: #""id":1"#, to: #""id":3"#, line: 14),
    .init(what: "a key twice", file: customers, from: #""id":1"#, to: #""id":2"#, line: 14),
    .init(what: "a record less", file: customers, from: al + ",", to: "", line: 14),
    .init(
      what: "a record more", file: customers, from: al, to: al + "," + al.replacingOccurrences(of: "1", with: "4"),
      line: 14),
    .init(what: "the order of records", file: customers, from: bo + "," + al, to: al + "," + bo, line: 14),
    .init(
      what: "a bad record that is good", file: customers,
      from: #""id":"x","name":"broken","balance":"1","link":"l","seen":"n""#,
      to: #""id":9,"name":"broken","balance":"1","link":"http://l","seen":"2026-01-02T03:04:06Z""#, line: 14),
    .init(what: "a bad record that is bad elsewhere", file: customers, from: #""id":"x""#, to: #""id":9"#, line: 23),
    .init(what: "a status", file: customers, from: "status: 200", to: "status: 404", line: 7, code: 5),
    .init(what: "a server's failure", file: customers, from: "status: 200", to: "status: 500", line: 7, code: 5),
    .init(what: "an empty response", file: customers, from: "status: 200", to: "status: 204", line: 14),
    .init(what: "no JSON", file: customers, from: #"{"data":["#, to: #"<html>["#, line: 7, code: 1),
    .init(what: "a cut response", file: customers, from: "]}'", to: "'", line: 7, code: 1),
    .init(
      what: "another place of the records", file: customers, from: #"{"data":["#, to: #"{"date":["#, line: 7, code: 1),
    .init(
      what: "a failure of the network", file: customers, from: "status: 200",
      to: "failure: \"timeout\"\n    message: \"no response\"", line: 7, code: 5),
    .init(
      what: "an address that was recorded", file: customers, from: "{{base}}/customers?", to: "{{base}}/customer?",
      line: 10, code: 5),
    .init(what: "a parameter that was recorded", file: customers, from: "limit=100", to: "limit=10", line: 12, code: 5),
    .init(what: "a method that was recorded", file: customers, from: "\"GET ", to: "\"POST ", line: 10, code: 5),
    .init(what: "an element of a list", file: orders, from: "[3,1,2]", to: "[3,1,4]", line: 33),
    .init(what: "the order of a list", file: orders, from: "[3,1,2]", to: "[1,2,3]", line: 33),
    .init(what: "the length of a list", file: orders, from: "[3,1,2]", to: "[3,1]", line: 33),
    .init(what: "a type in a list", file: orders, from: "[3,1,2]", to: "[3,1,true]", line: 33),
    .init(what: "null and a text", file: orders, from: #""note":null"#, to: #""note":"""#, line: 34),
    .init(what: "an accent", file: orders, from: "\u{e9}", to: "e", line: 34),
    .init(what: "a text's composition", file: orders, from: "\u{e9}", to: "e\u{301}", line: 34),
    // Goldens
    .init(what: "a golden's value", file: people, from: "1250.00", to: "1250", line: 22),
    .init(what: "a golden's type", file: people, from: #""id":1,"#, to: #""id":"1","#, line: 20),
    .init(what: "a golden's field", file: people, from: #","balance":"7""#, to: "", line: 22),
    .init(
      what: "a golden's extra field", file: people, from: #""name":"Al""#, to: #""name":"Al","nick":"A""#, line: 17),
    .init(what: "the golden's waits", file: decisions, from: #""waits_ms": []"#, to: #""waits_ms": [1000]"#, line: 7),
    .init(what: "the golden's pages", file: decisions, from: #""pages": 1"#, to: #""pages": 2"#, line: 25),
    .init(what: "the golden's requests", file: decisions, from: "sort=name ->", to: "sort=id ->", line: 13),
    .init(what: "the golden's rejections", file: decisions, from: #""rejected": 1"#, to: #""rejected": 0"#, line: 15),
    .init(
      what: "the golden's reason", file: decisions, from: #""pointer": "/id""#, to: #""pointer": "/name""#, line: 20),
    .init(what: "the golden's status", file: decisions, from: #""passed""#, to: #""failed""#, line: 7),
    .init(what: "the golden's order", file: decisions, from: #""id=2","#, to: #""id=9","#, line: 14),
    // Flows
    .init(what: "a parameter's value", file: flows, from: "limit: 100", to: "limit: 50", line: 12, code: 5),
    .init(what: "a parameter's name", file: flows, from: "limit: 100", to: "size: 100", line: 12, code: 5),
    .init(what: "a parameter less", file: flows, from: "        sort: name\n", to: "", line: 10, code: 5),
    .init(
      what: "a parameter more", file: flows, from: "        sort: name\n", to: "        sort: name\n        page: 1\n",
      line: 14, code: 5),
    .init(what: "a path", file: flows, from: "path: /customers", to: "path: /people", line: 10, code: 5),
    .init(
      what: "a method", file: flows, from: "path: /customers", to: "path: /customers\n      method: HEAD", line: 10,
      code: 5),
    .init(what: "a record path", file: flows, from: "$.data[*]", to: "$.data[0]", line: 14),
    .init(what: "a field's type", file: flows, from: "balance: decimal", to: "balance: string", line: 22),
    .init(
      what: "a field's name", file: flows, from: "name: string", to: "title: { from: $.name, type: string }", line: 21),
    .init(
      what: "a field's place", file: flows, from: "name: string", to: "name: { from: $.balance, type: string }",
      line: 21),
    .init(what: "a field less", file: flows, from: "        name: string\n", to: "", line: 17),
    .init(
      what: "a field more", file: flows, from: "name: string",
      to: "name: string\n        nick: { type: string, default: none }", line: 22),
    .init(what: "a strict flow", file: flows, from: "prune: true", to: "prune: false", line: 20),
    .init(what: "a key field", file: flows, from: "key: id", to: "key: name", line: 14),
    .init(what: "an expectation", file: flows, from: "prune: true", to: "expect: { min: 5 }", line: 7),
    .init(what: "another server", file: flows, from: "/customers\n", to: "/customers/\n", line: 10, code: 5),
  ]

  /// The files of a workspace that was recorded once for all changes.
  private static let recorded = Task { try await FixtureShop.recorded().texts }

  @Test(arguments: changes) func `one change is seen and its line is named`(_ change: Change) async throws {
    let workspace = try Workspace.holding(try await Self.recorded.value)
    try workspace.replace(change.from, with: change.to, in: change.file)
    let outcome = try await workspace.reactor("test", "--no-timing", environment: ["CI": "1"])
    #expect(outcome.status == change.code, "\(outcome.stdout)\(outcome.stderr)")
    let location = "flows/shop.yaml:\(change.line)"
    #expect(outcome.names(location, within: 15), "\(location) in \(outcome.stderr)")
    #expect(outcome.messageLines <= 15, "\(outcome.stderr)")
  }

  @Test func `nothing is seen where nothing changed`() async throws {
    let workspace = try Workspace.holding(try await Self.recorded.value)
    let outcome = try await workspace.reactor("test", "--no-timing", environment: ["CI": "1"])
    #expect(outcome.status == 0)
    #expect(outcome.stderr == "")
  }
}
