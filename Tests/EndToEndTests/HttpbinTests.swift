import Foundation
import TestSupport
import Testing

/// The shipped httpbin flows, and responses that must fail, against a real httpbin.
@Suite(.timeLimit(.minutes(3)))
struct HttpbinTests {
  @Test func `encodings, redirects, bodies and a slow response arrive whole`() async throws {
    guard let environment = try await RealServers.environment(for: "httpbin") else { return }
    let base = try #require(environment["REACTOR_VAR_HTTPBIN"])
    let workspace = try Workspace()
    let outcome = try await workspace.start(
      ["run", Repository.flows.appendingPathComponent("httpbin.yaml").path, "--format", "json"],
      environment: environment
    ).end()
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    let expected = [
      "get": #"{"page":2,"name":"Zoë & Co","empty":"","shop":"tea","flow":"get"}"#,
      "post": #"{"name":"Zoë","pause":1,"nested":{"list":[1,null,"x"]}}"#,
      "form": #"{"name":"Zoë & Co","pause":1}"#,
      "gzip": #"{"gzipped":true,"method":"GET"}"#,
      "brotli": #"{"brotli":true,"method":"GET"}"#,
      "deflate": #"{"deflated":true,"method":"GET"}"#,
      "redirect": #"{"url":"\#(base)/get","shop":"tea"}"#,
      "delay": #"{"url":"\#(base)/delay/1"}"#,
    ]
    for (name, record) in expected {
      let found = try Records.array(workspace.text("out/httpbin/\(name).json"))
      #expect(found == (try Records.expected(record)), "\(name)")
    }
    #expect(try Records.array(workspace.text("out/httpbin/nothing.json")).isEmpty)
    #expect(
      try Records.lines(workspace.text("out/httpbin/slides.jsonl"))
        == Records.expected(
          #"{"title":"Wake up to WonderWidgets!","kind":"all","items":[]}"#,
          #"""
          {"title":"Overview","kind":"all",
           "items":["Why <em>WonderWidgets</em> are great","Who <em>buys</em> WonderWidgets"]}
          """#))
  }

  /// What each flow of `Tests/Fixtures/failures.yaml` must end as, and what its message must tell.
  private static let failures: [(name: String, status: String, tells: String)] = [
    ("status_404", "error", "404"), ("status_500", "error", "500"), ("empty", "failed", ""),
    ("unauthorised", "error", "401"), ("html", "failed", ""), ("xml", "failed", ""), ("bytes", "failed", ""),
    ("many_documents", "failed", ""), ("too_slow", "error", "2 s"), ("too_many_redirects", "error", "redirect"),
    ("redirect_elsewhere", "error", "redirect"), ("redirect_to_file", "error", "redirect"),
    ("no_such_path", "failed", "$.slideshow.pages"), ("not_a_record", "failed", "/title"), ("all_bad", "failed", ""),
    ("too_few", "failed", "3"),
  ]

  @Test func `every bad response is an error with a reason and nothing is stored`() async throws {
    guard let environment = try await RealServers.environment(for: "httpbin") else { return }
    let workspace = try Workspace()
    let flows = Repository.root.appendingPathComponent("Tests/Fixtures/failures.yaml").path
    let outcome = try await workspace.start(["run", flows, "--format", "json"], environment: environment).end()
    #expect(outcome.status == 5, "\(outcome.stderr)")
    let summary = try Summary(outcome)
    #expect(summary.complete)
    #expect(summary.counts["selected"] == Self.failures.count)
    #expect(summary.counts["passed"] == 0)
    for failure in Self.failures {
      let flow = try summary.flow(failure.name)
      #expect(flow.status == failure.status, "\(failure.name): \(flow)")
      let message = flow.error?.message ?? ""
      let told = message + (flow.error?.pointer ?? "")
      #expect(
        !message.isEmpty && (failure.tells.isEmpty || told.contains(failure.tells)), "\(failure.name): \(message)")
    }
    #expect(workspace.files().isEmpty)
  }
}
