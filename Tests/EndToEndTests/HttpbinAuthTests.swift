import Foundation
import TestSupport
import Testing

/// Credentials of every kind against a real httpbin.
@Suite(.timeLimit(.minutes(2)))
struct HttpbinAuthTests {
  @Test func `a real server takes what is declared and refuses what is not`() async throws {
    guard var environment = try await RealServers.environment(for: "httpbin") else { return }
    let (token, password) = ("tok/en+1=abc", "pa55 w&rd")
    environment.merge(["AUTH_TOKEN": token, "AUTH_PASSWORD": password]) { $1 }
    let workspace = try Workspace()
    let flows = Repository.root.appendingPathComponent("Tests/Fixtures/auth.yaml").path
    let outcome = try await workspace.start(["run", flows, "--format", "json"], environment: environment).end()
    #expect(outcome.status == 5, "\(outcome.stderr)")
    let summary = try Summary(outcome)
    for (name, status) in [
      ("bearer", "passed"), ("basic", "passed"), ("header", "passed"), ("query", "passed"), ("form", "passed"),
      ("login", "passed"), ("none", "error"), ("wrong", "error"),
    ] {
      let flow = try summary.flow(name)
      #expect(flow.status == status, "\(name): \(flow)")
      if status == "error" { #expect(flow.error?.message.contains("401") == true, "\(name): \(flow)") }
    }
    for (name, record) in [
      ("bearer", #"{"authenticated":true,"token":"\#(token)"}"#), ("basic", #"{"authenticated":true,"user":"zoë"}"#),
      ("header", #"{"key":"\#(token)"}"#), ("query", #"{"key":"\#(token)","page":"1"}"#),
      ("form", #"{"a":"x","key":"\#(token)"}"#), ("login", #"{"token":"\#(password)"}"#),
    ] {
      #expect(try Records.array(workspace.text("out/\(name).json")) == (try Records.expected(record)), "\(name)")
    }
    #expect(!outcome.stdout.contains(token) && !outcome.stderr.contains(password))
  }
}
