import Foundation
import TestSupport
import Testing

/// `reactor init --from` in an empty folder.
@Suite(.timeLimit(.minutes(3))) struct StartTests {
  private static let names = [
    "github", "stripe", "shopify", "jira", "salesforce", "feed", "graphql", "report", "push", "children",
  ]

  @Test(arguments: names)
  func `an example is checked, explained and replayed without a network or a secret`(_ name: String) async throws {
    let workspace = try Workspace()
    let written = try await workspace.reactor("init", "--from", name)
    #expect(written.status == 0, "\(written.stderr)")
    #expect(written.stdout.hasPrefix("flows/\(name).yaml\nfixtures/\(name)."), "\(written.stdout)")
    let checked = try await workspace.reactor("check")
    #expect(checked.status == 0 && checked.stderr.isEmpty, "\(checked.stderr)")
    let replayed = try await workspace.start(["test"], environment: ["CI": "1"]).end()
    #expect(replayed.status == 0, "\(replayed.stdout)\(replayed.stderr)")
  }

  @Test func `an unknown example and files that exist are refused`() async throws {
    let workspace = try Workspace()
    let unknown = try await workspace.reactor("init", "--from", "gihub")
    #expect(unknown.status == 2 && unknown.stderr.contains("did you mean 'github'?"), "\(unknown.stderr)")
    _ = try await workspace.reactor("init", "--from", "feed")
    let flow = try #require(workspace.text("flows/feed.yaml"))
    try workspace.write("mine", to: "flows/feed.yaml")
    let again = try await workspace.reactor("init", "--from", "feed")
    #expect(again.status == 2 && again.stderr.contains("'flows/feed.yaml' exists already"), "\(again.stderr)")
    #expect(workspace.text("flows/feed.yaml") == "mine")
    #expect(try await workspace.reactor("init", "--from", "feed", "--force").status == 0)
    #expect(workspace.text("flows/feed.yaml") == flow)
    #expect(try await workspace.reactor("init", "--from", "feed", "https://example.com").status == 2)
  }
}
