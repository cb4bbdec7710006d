import Foundation
import TestSupport
import Testing

/// `flows/oauth.yaml` against an authorization server out of Authlib: tokens by credentials and by a refresh token that
/// is good once.
@Suite(.timeLimit(.minutes(3))) struct OAuthIntegrationTests {
  private func server(_ tests: String = #function) async throws -> Integration? {
    guard var oauth = try await Integration("oauth.yaml", server: "oauth") else { return nil }
    // Of all that begin so each is good once.
    let first = try #require(oauth.environment["OAUTH_REFRESH_TOKEN"])
    oauth.environment["OAUTH_REFRESH_TOKEN"] = "\(first)-\(UUID().uuidString)"
    return oauth
  }

  @Test func `both grants give tokens that the API takes, and the new refresh token is used next`() async throws {
    guard let oauth = try await server() else { return }
    // The first refresh token is spent by the first run: the others pass by the one that each response brought.
    for run in 1...3 {
      let summary = try await oauth.run("--fresh")
      #expect(summary.flows.map(\.records) == [1, 30, 1], "run \(run)")
      #expect(
        try Records.array(oauth.workspace.text("out/oauth/client.json"))
          == Records.expected(#"{"client":"reactor","grant":"client_credentials","scope":["orders"]}"#))
      #expect(
        try Records.array(oauth.workspace.text("out/oauth/user.json"))
          == Records.expected(#"{"client":"reactor","grant":"refresh_token","scope":["orders","customers"]}"#))
    }
    #expect(
      try oauth.records("oauth/orders.jsonl")
        == (1...30).map { try Records.value(#"{"id":\#($0),"amount":"\#($0).50"}"#) })
    for secret in ["OAUTH_SECRET", "OAUTH_REFRESH_TOKEN"] {
      let value = try #require(oauth.environment[secret])
      for file in oauth.workspace.files(hidden: true) {
        #expect(oauth.workspace.text(file)?.contains(value) != true, "\(secret) in \(file)")
      }
    }
  }

  @Test func `a spent refresh token and a wrong secret are refused, and nothing is stored`() async throws {
    guard var oauth = try await server() else { return }
    let token = try #require(oauth.environment["OAUTH_REFRESH_TOKEN"])
    let spent = try await Integration.send(
      "POST", try oauth.address("oauth") + "/token", "grant_type=refresh_token&refresh_token=\(token)",
      headers: ["Content-Type": "application/x-www-form-urlencoded"],
      user: "reactor:\(oauth.environment["OAUTH_SECRET"] ?? "")")
    #expect(spent.status == 200, "\(spent)")
    oauth.environment["OAUTH_SECRET"] = (oauth.environment["OAUTH_SECRET"] ?? "") + "!"
    let wrong = try await oauth.start([])
    #expect(wrong.status == 5)
    oauth.environment["OAUTH_SECRET"]?.removeLast()
    let outcome = try await oauth.start(["-s", "oauth.user"])
    #expect(outcome.status == 5)
    let message = try Summary(outcome).flow("user").error?.message ?? ""
    #expect(message.contains("invalid_grant") && !outcome.stdout.contains(token), "\(message)")
    #expect(oauth.workspace.files().isEmpty)
  }
}
