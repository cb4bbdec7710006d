import Foundation
import Synchronization
import TestSupport
import Testing

/// Changes one thing at a time in what newer parts of the language do: reshaping, conditions, computed fields, pages,
/// retries, cursors, merging, parents. Each must be seen, and its message name the YAML line within 15 lines.
@Suite(.timeLimit(.minutes(5))) struct FixtureLanguageDrillTests {
  struct Change: Sendable, CustomStringConvertible {
    var what: String
    var file: String
    var from: String
    var to: String
    /// The line of `flows/shop.yaml` that the message must name.
    var line: Int
    /// The flow that is replayed.
    var flow: String

    init(_ what: String, _ file: String, _ from: String, _ to: String, _ line: Int, _ flow: String) {
      (self.what, self.file, self.from, self.to, self.line, self.flow) = (what, file, from, to, line, flow)
    }

    var description: String { what }
  }

  private static let people = "fixtures/shop.people/cassette.yaml"
  private static let events = "fixtures/shop.events/cassette.yaml"
  private static let orders = "fixtures/shop.orders/cassette.yaml"
  private static let peopleRecords = "fixtures/shop.people/records.jsonl"
  private static let eventDecisions = "fixtures/shop.events/flow.json"
  private static let orderDecisions = "fixtures/shop.orders/flow.json"
  private static let flows = "flows/shop.yaml"

  static let changes: [Change] = [
    .init("a nested value that a flattened field reads", people, #""zip":"11""#, #""zip":"19""#, 20, "people"),
    .init("a value of a reshaped group", people, #""name":"b""#, #""name":"c""#, 21, "people"),
    .init("a value that a condition reads", people, #""age":20"#, #""age":16"#, 5, "people"),
    .init("another value that a condition reads", people, #""age":17"#, #""age":71"#, 5, "people"),
    .init("a member of a reshaped group less", people, #"{"groups":["#, #"{"groups":[],"old":["#, 5, "people"),
    .init("a type in a reshaped record", people, #""age":20"#, #""age":true"#, 19, "people"),
    .init("no reshapable answer", people, #""groups":"#, #""group":"#, 5, "people"),
    .init("a status before a retry", events, #"status: 503"#, #"status: 502"#, 25, "events"),
    .init("a failure for good in place of one for now", events, #"status: 503"#, #"status: 403"#, 24, "events"),
    .init(
      "a success in place of a failure", events, #"status: 503"#,
      #"status: 200\#n    body: '{"items":[],"next":null}'"#, 24, "events"),
    .init(
      "a server's wish to wait", events, #"status: 503"#, #"status: 503\#n    headers:\#n      - "Retry-After: 7""#, 26,
      "events"),
    .init(
      "a second failure", events, #"    status: 200\#n    body: '{"items":[{"no":"e1","t":"2024-01-01"#,
      #"    status: 503\#n    body: '{"items":[{"no":"e1","t":"2024-01-01"#, 25, "events"),
    .init("a page link", events, #""next":"/events?page=2""#, #""next":"/events?page=3""#, 25, "events"),
    .init("a page link that is gone", events, #""next":"/events?page=2""#, #""next":null"#, 30, "events"),
    .init(
      "a page link to another server", events, #""next":"/events?page=2""#, #""next":"http://127.0.0.1:9/events""#, 24,
      "events"),
    .init("a value that merging keeps", events, #""v":2"#, #""v":3"#, 46, "events"),
    .init("a value that merging keeps too", events, #""v":1}],"next""#, #""v":9}],"next""#, 46, "events"),
    .init("the greatest time, up to which all is known", events, #"2024-01-03"#, #"2024-02-03"#, 45, "events"),
    .init("a time below it", events, #"2024-01-02"#, #"2024-01-01"#, 45, "events"),
    .init(
      "a key that merging joins by", events, #"{"no":"e1","t":"2024-01-03"#, #"{"no":"e7","t":"2024-01-03"#, 29,
      "events"),
    .init(
      "a rejected record that fits", events, #""no":5,"t":"x""#, #""no":"5","t":"2024-01-01T00:00:00Z","v":1"#, 33,
      "events"),
    .init("a rejected record that is bad elsewhere", events, #""no":5,"t":"x""#, #""no":"5","t":"x""#, 45, "events"),
    .init("a record of one parent", orders, #""o1""#, #""o9""#, 47, "orders"),
    .init("an amount of one parent", orders, #""1.50""#, #""1.5""#, 56, "orders"),
    .init("a parent that is another one", people, #""id":3"#, #""id":4"#, 5, "people"),
    .init("a partition that fails", orders, #"status: 200"#, #"status: 404"#, 47, "orders"),
    .init("the golden's cursor", eventDecisions, #""cursor": "2024-01-03"#, #""cursor": "2024-01-02"#, 34, "events"),
    .init("the golden's wait", eventDecisions, #"750"#, #"751"#, 26, "events"),
    .init("the golden's first request", eventDecisions, #"-> 503"#, #"-> 502"#, 25, "events"),
    .init(
      "the golden's second page", eventDecisions, #"GET {{base}}/events?page=2"#, #"GET {{base}}/events?page=9"#, 30,
      "events"),
    .init("the golden's computed value", peopleRecords, #"a-11"#, #"a-12"#, 22, "people"),
    .init("the golden's partitions", orderDecisions, #""pages": 2"#, #""pages": 3"#, 51, "orders"),
    .init("a condition", flows, #"record.age >= 18"#, #"record.age >= 30"#, 5, "people"),
    .init("a condition that takes more", flows, #"record.age >= 18"#, #"record.age >= 17"#, 5, "people"),
    .init("a program", flows, #"{group: $g}"#, #"{group: .name}"#, 21, "people"),
    .init("a program that gives less", flows, #".groups[] |"#, #".groups[0] |"#, 5, "people"),
    .init("another name", flows, #"$.address_zip: zip"#, #"$.address_zip: code"#, 20, "people"),
    .init("no flattening", flows, #"flatten: true"#, #"flatten: false"#, 20, "people"),
    .init("a computed value", flows, #"record.group }}-{{"#, #"record.group }}/{{"#, 22, "people"),
    .init("a computed value of another field", flows, #"{{ record.zip }}"#, #"{{ record.id }}"#, 22, "people"),
    .init("a longer wait", flows, #"wait: 1s"#, #"wait: 2s"#, 26, "events"),
    .init("no second try", flows, #"max: 2"#, #"max: 0"#, 24, "events"),
    .init("even waits", flows, #"wait: 1s"#, #"backoff: constant\#n      wait: 1s"#, 26, "events"),
    .init("another link", flows, #"from: $.next"#, #"from: $.prev\#n      missing: end"#, 30, "events"),
    .init("no pages", flows, #"by: next_url\#n      from: $.next"#, #"by: link"#, 30, "events"),
    .init("another beginning", flows, #"start: 2023-12-01"#, #"start: 2023-12-02"#, 34, "events"),
    .init("another parameter", flows, #"query: since"#, #"query: after"#, 34, "events"),
    .init("another field of the cursor", flows, #"field: t\#n"#, #"field: v\#n"#, 36, "events"),
    .init("no merging", flows, #"mode: merge"#, #"mode: append"#, 39, "events"),
    .init("a strict flow", flows, #"prune: true"#, #"prune: false"#, 44, "events"),
    .init("a parent's other field", flows, #"person.id"#, #"person.age"#, 51, "orders"),
    .init(
      "another parent", flows, #"flow: people\#n      as: person"#, #"values: [1]\#n      as: person"#, 51, "orders"),
    .init("a key less", flows, #"      key: order\#n"#, #""#, 52, "orders"),
    .init(
      "a rejected share", flows, #"max_rejected: 1\#n"#, #"max_rejected: 1\#n      min: 9\#n"#, 24, "events"),
  ]

  private static func text(_ base: String) -> String {
    """
    reactor: 1
    http:
      base_url: \(base)
    flows:
      people:
        resource:
          path: /people
          query:
            size: 2
        reshape: ".groups[] | .name as $g | .members[] | . + {group: $g}"
        change:
          flatten: true
          rename: { $.address_zip: zip }
        where: record.age >= 18
        schema:
          key: id
          fields:
            id: integer
            age: integer
            zip: string
            group: string
            label:
              value: "{{ record.group }}-{{ record.zip }}"
      events:
        resource: /events
        retry: { max: 2, wait: 1s }
        expect:
          max_rejected: 1
        records: $.items[*]
        pages:
          by: next_url
          from: $.next
        prune: true
        cursor:
          field: t
          start: 2023-12-01
          query: since
        persistence:
          path: out/events.jsonl
          mode: merge
        schema:
          key: no
          fields:
            no: string
            t: timestamp
            v: integer
      orders:
        each:
          flow: people
          as: person
        resource: "/people/{{ person.id }}/orders"
        schema:
          key: order
          fields:
            order: string
            total: decimal

    """
  }

  /// The files of a workspace that was recorded once for all changes.
  private static let recorded = Task { () -> [String: String] in
    let refused = Atomic(false)
    let server = try ScriptedServer { request in
      var status = "200 OK"
      var body = ""
      switch request.target {
      case "/people?size=2":
        body =
          #"{"groups":[{"name":"a","members":[{"id":1,"age":20,"address":{"zip":"11"},"internal":1},{"id":2,"age":17,"address":{"zip":"12"}}]},{"name":"b","members":[{"id":3,"age":40,"address":{"zip":"13"}}]}]}"#
      case "/events?page=2":
        body = #"{"items":[{"no":"e1","t":"2024-01-03T00:00:00Z","v":2},{"no":5,"t":"x"}],"next":null}"#
      case let target where target.hasPrefix("/events"):
        if refused.exchange(true, ordering: .relaxed) {
          body =
            #"{"items":[{"no":"e1","t":"2024-01-01T00:00:00Z","v":1},{"no":"e2","t":"2024-01-02T00:00:00Z","v":1}],"next":"/events?page=2"}"#
        } else {
          status = "503 Service Unavailable"
        }
      case let target where target.hasPrefix("/people/"):
        body = #"[{"order":"o\#(target.split(separator: "/")[1])","total":"1.50"}]"#
      default: status = "404 Not Found"
      }
      return [.send(Array("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(text(server.url), to: "flows/shop.yaml")
    let outcome = try await workspace.reactor("record")
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    return workspace.texts
  }

  @Test(arguments: changes) func `one change is seen and its line is named`(_ change: Change) async throws {
    let workspace = try Workspace.holding(try await Self.recorded.value)
    try workspace.replace(change.from, with: change.to, in: change.file)
    let outcome = try await workspace.reactor(
      "test", "--no-timing", "-s", "shop.\(change.flow)", environment: ["CI": "1"])
    #expect([1, 3, 5].contains(outcome.status), "\(outcome.stdout)\(outcome.stderr)")
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
