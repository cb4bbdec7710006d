import FlowRuntime
import FlowTesting
import ReactorCore
import TestSupport
import Testing

/// Query parameters that are sent as written.
@Suite struct UnescapedTests {
  @Test(arguments: [
    ("a,b:c/d?e@f;g", "a,b:c/d?e@f;g"), ("x=1&y=2+3", "x=1&y=2+3"), ("%2C%zz", "%2C%25zz"), ("[a]", "%5Ba%5D"),
    ("\u{e4}\"<>", "%C3%A4%22%3C%3E"), ("a#b", "a%23b"), ("", ""),
  ]) func `what a query may contain is sent as it is`(_ value: String, _ sent: String) throws {
    let resource = Resource(
      path: "/", method: .GET, query: [.init("q q", value, isUnescaped: true), .init("r", "a,b")])
    #expect(try resource.url(relativeTo: "http://a.example") == "http://a.example/?q%20q=\(sent)&r=a%2Cb")
    var linked = resource
    linked.target = "http://a.example/next?p=1"
    #expect(try linked.url(relativeTo: "http://a.example") == "http://a.example/next?p=1&q%20q=\(sent)&r=a%2Cb")
  }

  @Test(arguments: ["a b", "a\tb", "a\r\nX: y", "\u{7f}"]) func `white space is an error`(_ value: String) {
    let resource = Resource(path: "/", method: .GET, query: [.init("q", value, isUnescaped: true)])
    let error = #expect(throws: ReactorError.self) { try resource.url(relativeTo: "http://a.example") }
    #expect(
      error?.message == "the unescaped parameter 'q' contains a space or a control character; write %20 for a space"
    )
  }

  @Test func `a result with escapes has another identity`() {
    let (plain, raw) = (Resource.QueryItem("q", "a"), Resource.QueryItem("q", "a", isUnescaped: true))
    #expect(
      Resource(path: "/", method: .GET, query: [plain]).fingerprint()
        != Resource(path: "/", method: .GET, query: [raw]).fingerprint())
  }

  @Test func `known and computed values, of each page, are sent as written`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        ok(request.target.contains("page=1") ? #"[{"id":1,"name":"A"}]"# : "[]")
      }
      let flow = try rig.flow(
        """
        resource:
          path: /users
          query: { fields: "id,name", time: "{{ '10:0' + string(page.number) }}", page: "{{ page.number }}" }
          unescaped: [fields, time]
        pages: { by: page, query: page }
        reachability: false
        """)
      #expect(await rig.run(flow).kept == 1)
      #expect(
        rig.server.requests.map(\.target) == [
          "/users?fields=id,name&time=10:01&page=1", "/users?fields=id,name&time=10:02&page=2",
        ])
      let still = try rig.flow(
        "resource: { path: /users, query: { fields: \"id,name\", page: 2 }, unescaped: [fields] }\nreachability: false")
      _ = await rig.run(still)
      #expect(rig.server.requests.last?.target == "/users?fields=id,name&page=2")
    }
  }

  @Test func `a request of a job sends values as written`() async throws {
    let server = JobServer(["done"])
    try await JobTests.with(server) { rig in
      let poll = "poll: { path: \"/exports/{{ job.id }}\", query: { fields: \"id,state\" }, unescaped: [fields] }"
      let run = await rig.run(try rig.flow(JobTests.keys(poll)))
      #expect(run.message == "")
      #expect(server.takeAsked().contains("GET /exports/j1?fields=id,state"))
    }
  }

  @Test func `a computed space is an error of the flow`() async throws {
    try await Rig.with { rig in
      let flow = try rig.flow(
        """
        resource: { path: /users, query: { q: "{{ 'a ' + string(page.number) }}" }, unescaped: [q] }
        pages: { by: page, query: page }
        reachability: false
        """)
      let run = await rig.run(flow)
      #expect(run.message.contains("the unescaped parameter 'q' contains a space"), "\(run.message)")
      #expect(rig.server.requests.isEmpty)
    }
  }
}
