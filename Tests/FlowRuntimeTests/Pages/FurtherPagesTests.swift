import FlowRuntime
import FlowTesting
import ReactorCore
import Testing
import TestSupport

/// A flow that takes one page, and a response that is one of several.
@Suite struct FurtherPagesTests {
  /// What a server answers, and what is to be said of it.
  struct Answer: Sendable, CustomTestStringConvertible {
    var name: String
    var keys = "records: $.data[*]"
    var body: String
    var fields: [String] = []
    /// Where the next page is told; nil when there is none to be told of.
    var location: String?
    var help = ""
    var testDescription: String { name }
    var steps: [ScriptedServer.Step] { answer("200 OK", body, fields) }
  }

  private static let list = #""data":[{"id":1,"name":"a"}]"#
  private static let long = String(repeating: #"{"id":7,"text":"long"},"#, count: 8_000)

  static let partial: [Answer] = [
    Answer(
      name: "a URL", body: #"{\#(list),"links":{"self":"/a","next":"/users?page=2"}}"#, location: "at $.links.next",
      help: "'pages: { by: next_url, from: $.links.next }'; or 'pages: none'"),
    Answer(
      name: "a name that YAML must quote", body: #"{\#(list),"@odata.nextLink":"/users?page=2"}"#,
      location: "at $['@odata.nextLink']", help: #"{ by: next_url, from: "$['@odata.nextLink']" }"#),
    Answer(
      name: "a token before the records", body: #"{"next_cursor":"abc",\#(list)}"#, location: "at $.next_cursor",
      help: "{ by: cursor, from: $.next_cursor, query: … }"),
    Answer(
      name: "only that there is more", body: #"{\#(list),"has_more":true}"#, location: "at $.has_more",
      help: "find out how the server expects the next page"),
    Answer(
      name: "behind much that is no record", body: #"{\#(list),"included":[\#(long)0],"meta":{"next":"/b"}}"#,
      location: "at $.meta.next"),
    Answer(
      name: "behind much that is no record, with white space",
      body: "{\(list),\(String(repeating: " ", count: 9_000))\"included\" : [\(long)0] , \"meta\":{\"next\":\"/b\"}}",
      location: "at $.meta.next"),
    Answer(
      name: "a header", keys: "", body: "[{\"id\":1,\"name\":\"a\"}]", fields: ["Link: </users?page=2>; rel=\"next\""],
      location: "in its Link header", help: "write 'pages: link'; or 'pages: none'"),
    Answer(
      name: "a header that leads elsewhere", keys: "", body: "[{\"id\":1,\"name\":\"a\"}]",
      fields: ["Link: <http://127.0.0.2:1/users>; rel=next"], location: "in its Link header"),
    Answer(
      name: "a path that needs the whole response", keys: "records: $..data[?@.id > 0]",
      body: #"{\#(list),"next":"/b"}"#,
      location: "at $.next"),
    Answer(
      name: "a reshaped response", keys: "reshape: .data[]", body: #"{\#(list),"next":"/b"}"#, location: "at $.next"),
    Answer(
      name: "reshaped records", keys: "records: $.data[*]\nreshape: { each: . }", body: #"{\#(list),"next":"/b"}"#,
      location: "at $.next"),
    Answer(
      name: "a connection of GraphQL",
      keys: "resource: { path: /users, method: POST, body: { graphql: { query: \"{ users { id } }\" } } }\n"
        + "records: $.data.users.nodes[*]",
      body: #"{"data":{"users":{"nodes":[{"id":1,"name":"a"}],"pageInfo":{"hasNextPage":true,"endCursor":"e"}}}}"#,
      location: "at $.data.users.pageInfo.hasNextPage"),
    Answer(
      name: "a single record beside it", keys: "records: $.data", body: #"{"data":{"id":1,"name":"a"},"next":"/b"}"#,
      location: "at $.next"),
  ]

  static let whole: [Answer] = [
    Answer(name: "null on the last page", body: #"{\#(list),"next":null,"has_more":false}"#),
    Answer(name: "one page is meant", keys: "records: $.data[*]\npages: none", body: #"{\#(list),"next":"/b"}"#),
    Answer(
      name: "one page is meant, with a header", keys: "pages: none", body: "[{\"id\":1,\"name\":\"a\"}]",
      fields: ["Link: </users?page=2>; rel=\"next\""]),
    Answer(
      name: "the declared total is there", keys: "records: $.data[*]\nexpect: { total: $.total }",
      body: #"{\#(list),"next":"/b","total":1}"#),
    Answer(name: "a record of that name", keys: "", body: #"{"id":1,"name":"a","next":"/b","has_more":true}"#),
    Answer(
      name: "a record of that name, with a header", keys: "", body: #"{"id":1,"name":"a"}"#,
      fields: ["Link: </users?page=2>; rel=\"next\""]),
    Answer(
      name: "a single record that holds such a member", keys: "records: $.data",
      body: #"{"data":{"id":1,"name":"a","next":"/b","page":{"has_next":true}}}"#),
    Answer(
      name: "records in an object", keys: "records: $.data[*]",
      body: #"{"data":{"next":{"id":1,"name":"/b"}}}"#),
    Answer(name: "a member of a record", body: #"{"data":[{"id":1,"name":"a","next":"/b"}]}"#),
    Answer(
      name: "a header of another relation", keys: "", body: "[{\"id\":1,\"name\":\"a\"}]",
      fields: ["Link: </users>; rel=prev"]),
  ]

  @Test(arguments: partial)
  func `a response that says that there is another page is not taken for all`(_ answer: Answer) async throws {
    try await Rig.with { rig in
      // What an earlier run has left stays.
      rig.answer(ok("[{\"id\":9,\"name\":\"old\"}]"))
      #expect(await rig.run(try rig.flow()).kept == 1)
      rig.answer(answer.steps)
      let run = await rig.run(try rig.flow(answer.keys), .fresh)
      let location = try #require(answer.location)
      #expect(
        run.message == "the response says \(location) that there is another page, but the flow requests only one page")
      #expect(run.error?.help?.contains(answer.help) == true, "\(run.error?.help ?? "")")
      #expect(rig.server.requests.count == 2)
      #expect(rig.result == "{\"id\":9,\"name\":\"old\"}\n")
    }
  }

  @Test(arguments: [
    (
      #"{\#(list),"offset":0,"total":3}"#, [],
      "the response says 3 records at $.total and contains 1, but the flow requests only one page"
    ),
    (
      #"{\#(list)}"#, ["X-Total-Count: 3"],
      "the response says 3 records in header 'X-Total-Count' and contains 1, but the flow requests only one page"
    ),
    (
      #"{\#(list)}"#, ["X-Next-Page: 2"],
      "the response says in header 'X-Next-Page' that there is another page, but the flow requests only one page"
    ),
  ])
  func `a response that counts more than it holds is not taken for all`(
    _ body: String, _ fields: [String], _ message: String
  ) async throws {
    try await Rig.with(answer("200 OK", body, fields)) { rig in
      let run = await rig.run(try rig.flow("records: $.data[*]"))
      #expect(run.message == message)
      #expect(rig.files == [])
      let one = await rig.run(try rig.flow("records: $.data[*]\npages: none"))
      #expect(one.kept == 1)
    }
  }

  @Test(arguments: whole) func `a response that says nothing of another page is all`(_ answer: Answer) async throws {
    try await Rig.with(answer.steps) { rig in
      let run = await rig.run(try rig.flow(answer.keys))
      #expect(run.message == "")
      #expect(run.kept == 1)
    }
  }

  @Test func `each parent's answer is judged, and may be the first of several where that is said`() async throws {
    try await Rig.with(ok(#"{\#(Self.list),"next":"/b"}"#)) { rig in
      let keys = "resource: \"/users/{{ region }}\"\neach: { values: [eu, us], as: region }\nrecords: $.data[*]\n"
      let run = await rig.run(try rig.flow(keys))
      #expect(run.message.contains("says at $.next that there is another page"), "\(run.message)")
      #expect(rig.files == [])
      #expect(await rig.run(try rig.flow(keys + "pages: none")).kept == 2)
    }
  }

  @Test func `an explanation says that one page is meant`() async throws {
    try await Rig.with { rig in
      func pages(_ keys: String) throws -> String? {
        try rig.flow(keys).explanation.items.first { $0.heading == "  pages" }?.text
      }
      let (said, unsaid) = (try pages("pages: none"), try pages(""))
      #expect(said == "the first one only")
      #expect(unsaid == nil)
    }
  }

  @Test func `a short form follows the Link header`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        let isLast = request.target.hasSuffix("page=2")
        return ok(
          "[{\"id\":\(isLast ? 2 : 1),\"name\":\"a\"}]", isLast ? "X: y" : "Link: </users?page=2>; rel=\"next\"")
      }
      let run = await rig.run(try rig.flow("pages: link"))
      #expect(run.kept == 2)
      #expect(run.outcome?.pages == 2)
    }
  }
}
