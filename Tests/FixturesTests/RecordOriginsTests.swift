import Fixtures
import JSONSyntax
import Testing

struct RecordOriginsTests {
  struct Situation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let responses: [(url: String, body: String)]
    let record: String
    var key = ["id"]
    let entry: Int?
  }

  static let situations = [
    Situation(
      testDescription: "the second page, whose key also stands around the records of the first",
      responses: [
        ("{{base}}/a?page=1", #"{"total":2,"items":[{"id":1,"name":"Ada","of":2}]}"#),
        ("{{base}}/a?page=2", #"{"total":2,"items":[{"id":2,"name":"Bo"}]}"#),
      ], record: #"{"id":2,"title":"Bo"}"#, entry: 2),
    Situation(
      testDescription: "the first page, whose values are repeated by the second",
      responses: [
        ("{{base}}/a?page=1", #"[{"id":1,"name":"Ada"}]"#),
        ("{{base}}/a?page=2", #"[{"id":2,"name":"Bo","referrer":1,"by":"Ada","at":"x"}]"#),
      ], record: #"{"id":1,"name":"Ada"}"#, entry: 1),
    Situation(
      testDescription: "two parents with equal children",
      responses: [
        ("{{base}}/orders/7/lines", #"{"count":8,"lines":[{"id":1,"sku":"A"}]}"#),
        ("{{base}}/orders/8/lines", #"{"count":8,"lines":[{"id":1,"sku":"A"}]}"#),
      ], record: #"{"order":8,"id":1,"sku":"A"}"#, key: ["order", "id"], entry: 2),
    Situation(
      testDescription: "slices of time, whose limit looks like a key",
      responses: [
        ("{{base}}/a?limit=3&from=2026-01", #"[{"id":1,"day":"2026-01-05"},{"id":4,"day":"2026-01-06"}]"#),
        ("{{base}}/a?limit=3&from=2026-02", #"[{"id":3,"day":"2026-02-05","more":"x"}]"#),
      ], record: #"{"id":3}"#, entry: 2),
    Situation(
      testDescription: "a response that was asked for again after an error",
      responses: [
        ("{{base}}/a", #"{"error":"busy","request":5}"#), ("{{base}}/a", #"[{"id":5,"name":"Eve"}]"#),
      ], record: #"{"id":5,"name":"Eve"}"#, entry: 2),
    Situation(
      testDescription: "a record behind rejected ones, with a converted key",
      responses: [
        ("{{base}}/a?page=1", #"[{"id":"x","name":"Eve"},{"id":"y","name":5}]"#),
        ("{{base}}/a?page=2", #"[{"id":"z","name":"Bo"},{"id":"5","name":"Eve"}]"#),
      ], record: #"{"id":5,"name":"Eve"}"#, entry: 2),
    Situation(
      testDescription: "no key is declared",
      responses: [("1", #"[{"a":"x","b":"y"}]"#), ("2", #"[{"a":"x","b":"z"}]"#)],
      record: #"{"a":"x","b":"z"}"#, key: [], entry: 2),
    Situation(
      testDescription: "JSON Lines", responses: [("1", "{\"id\":1}\n{\"id\":2}\n"), ("2", "{\"id\":3}\n")],
      record: #"{"id":3}"#, entry: 2),
    Situation(
      testDescription: "a response that is not JSON", responses: [("1", "id 3")], record: #"{"id":3}"#, entry: nil),
    Situation(
      testDescription: "a record that no response holds", responses: [("1", #"[{"id":1,"name":"Ada"}]"#)],
      record: #"{"id":3,"name":"Bo"}"#, entry: nil),
    Situation(
      testDescription: "responses that are too large to be searched all",
      responses: [("1", #"[{"id":3}]"#), ("2", "[\"\(String(repeating: "a", count: 4 << 20))\"]")],
      record: #"{"id":3}"#, entry: nil),
  ]

  @Test(arguments: situations) func `a record is found in the response that it came from`(
    _ situation: Situation
  ) throws {
    let origins = RecordOrigins(
      situation.responses.enumerated().map {
        .init(number: $0.offset + 1, url: $0.element.url, body: .held(Array($0.element.body.utf8)))
      })
    let record = try JSONValue(parsing: Array(situation.record.utf8))
    #expect(origins.entry(of: record, key: situation.key) == situation.entry)
  }
}
