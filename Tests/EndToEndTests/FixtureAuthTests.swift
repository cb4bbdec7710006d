import Foundation
import Synchronization
import TestSupport
import Testing

/// Recordings of flows that obtain a token first: nothing of it may be written, and the replay must do without it.
@Suite(.timeLimit(.minutes(3))) struct FixtureAuthTests {
  /// A server that gives out tokens and tells them wherever it can.
  private final class Shop: Sendable {
    private struct State {
      var refresh = "first-refresh/token+0"
      var token = ""
      var count = 0
      var uses = 0
      var log: [String] = []
    }
    private let state = Mutex(State())
    /// How often a token is good.
    private let uses: Int
    /// What comes with a token beside it.
    private let extra: String
    /// How long a response takes, in milliseconds.
    private let slowness: Int

    init(uses: Int = .max, extra: String = "", slowness: Int = 0, count: Int = 0) {
      (self.uses, self.extra, self.slowness) = (uses, extra, slowness)
      state.withLock { $0.count = count }
    }

    var log: [String] { state.withLock { $0.log } }
    /// The values that must not be written.
    var given: [String] {
      state.withLock { state in
        (0...state.count).flatMap { ["access-t0ken/\($0)=", "refresh-t0ken+\($0)"] } + ["first-refresh/token+0"]
      }
    }

    func start() throws -> ScriptedServer {
      try ScriptedServer { request in
        let (status, headers, body) = self.answer(request)
        let head = "HTTP/1.1 \(status)\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n"
        return [.pause(milliseconds: self.slowness), .send(Array("\(head)\(body)".utf8))]
      }
    }

    private func answer(_ request: ScriptedServer.Request) -> (String, String, String) {
      state.withLock { state in
        let path = String(request.target.prefix { $0 != "?" })
        let form = String(decoding: request.body, as: UTF8.self)
        switch path {
        case "/token", "/login":
          if form.contains("grant_type=refresh_token") {
            let sent = form.split(separator: "&").first { $0.hasPrefix("refresh_token=") }?.dropFirst(14)
            guard sent.flatMap({ String($0).removingPercentEncoding }) == state.refresh else {
              state.log.append("refused")
              return ("400 Bad Request", "", #"{"error":"invalid_grant"}"#)
            }
          } else {
            let isGood =
              path == "/token"
              ? form.contains("client_credentials") || form.contains("jwt-bearer&assertion=ey")
              : form.contains("pass-w0rd!")
            guard isGood else { return ("403 Forbidden", "", "{}") }
          }
          state.count += 1
          state.uses = 0
          state.token = "access-t0ken/\(state.count)="
          var members = #""access_token":"\#(state.token)","session":"\#(state.token)""# + self.extra
          if form.contains("grant_type=refresh_token") {
            state.refresh = "refresh-t0ken+\(state.count)"
            members += #","refresh_token":"\#(state.refresh)""#
          }
          state.log.append(path)
          return ("200 OK", "", "{\(members)}")
        default:
          guard request["authorization"] == "Bearer \(state.token)", state.uses < self.uses else {
            state.log.append("401 \(request.target)")
            return ("401 Unauthorized", "", #"{"your_token":"\#(request["authorization"] ?? "")"}"#)
          }
          state.uses += 1
          state.log.append(request.target)
          let page = Int(request.target.split(separator: "=").last ?? "") ?? 1
          let token = Data(state.token.utf8).base64EncodedString()
          return (
            "200 OK", "X-Token: \(state.token)\r\nLocation: /x?t=\(token)\r\n",
            #"{"pages":4,"data":[{"id":\#(page),"echo":"\#(state.token)","coded":"\#(token)"}]}"#
          )
        }
      }
    }
  }

  private static let credentials = """
    auth:
          oauth2: { url: "BASE/token", client_id: me, client_secret: "{{ secrets.CLIENT }}" }
    """
  private static let refresh = """
    auth:
          oauth2:
            grant: refresh_token
            url: "BASE/token"
            client_id: me
            client_secret: "{{ secrets.CLIENT }}"
            refresh_token: "{{ secrets.REFRESH }}"
    """
  private static let login = """
    auth:
          login:
            resource: { method: POST, path: /login, body: { json: { user: me, password: "{{ secrets.PASSWORD }}" } } }
            token: $.access_token
            value: "Bearer {{ token }}"
    """
  private static let assertion = """
    auth:
          oauth2:
            grant: jwt_bearer
            url: "BASE/token"
            jwt: { algorithm: ES256, key: "{{ secrets.CLIENT }}", claims: { iss: me }, id: true }
    """
  private static let account = """
    auth:
          oauth2:
            url: "BASE/token"
            client_id: me
            jwt: { algorithm: RS256, key: "{{ json(secrets.CLIENT).private_key }}", claims: { sub: "{{ json(secrets.CLIENT).client_email }}" } }
    """
  private static let keys = [
    assertion: PublishedKeys.p256,
    account:
      #"{"client_email":"me@mail.example","private_key":"\#(PublishedKeys.rsa.replacing("\n", with: "\\n"))"}"#,
  ]
  private static let secrets = [
    "CLIENT": "cl1ent-s3cret", "REFRESH": "first-refresh/token+0", "PASSWORD": "pass-w0rd!",
  ]

  private static func write(_ auth: String, _ server: ScriptedServer, to workspace: Workspace) throws {
    try workspace.write(
      """
      reactor: 1
      secrets: [CLIENT, REFRESH, PASSWORD]
      http:
        base_url: BASE
        \(auth)
      flows:
        items:
          resource: /items
          records: $.data[*]
          pages: { by: page, query: page, count: $.pages, parallel: 4 }
          schema: { key: id, fields: { id: integer, echo: string, coded: string } }
        others:
          resource: /others
          records: $.data[*]
          schema: { key: id, fields: { id: integer, echo: string } }

      """.replacingOccurrences(of: "BASE", with: server.url), to: "flows/shop.yaml")
  }

  /// Looks for what was given out in everything that was written.
  private static func expectNothingLeft(_ shop: Shop, in workspace: Workspace, but allowed: String? = nil) {
    let values =
      shop.given + ["cl1ent-s3cret", "pass-w0rd!", "eyJhbGciOi", "me@mail.example"]
      + PublishedKeys.p256.split(separator: "\n").dropFirst().dropLast().map(String.init)
    for file in workspace.files(hidden: true) where allowed.map({ !file.hasPrefix($0) }) ?? true {
      let text = workspace.text(file) ?? ""
      for value in values {
        let percent = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? value
        for form in [value, percent, Data(value.utf8).base64EncodedString()] {
          #expect(!text.contains(form), "\(form) in \(file)")
        }
      }
    }
  }

  private static func fixtures(_ workspace: Workspace) -> [String: Data] {
    var files: [String: Data] = [:]
    for file in workspace.files() where file.hasPrefix("fixtures/") { files[file] = workspace.bytes(file) }
    return files
  }

  @Test(arguments: [
    ("client credentials", credentials, Int.max), ("a login", login, .max),
    ("tokens that the server refuses after two requests", credentials, 2), ("a login that ends early", login, 1),
    ("an exchanged assertion", assertion, .max), ("a client that signs", account, 2),
  ])
  func `tokens are scrubbed, and replayed without`(_ what: String, _ auth: String, _ uses: Int) async throws {
    let workspace = try Workspace()
    var secrets = Self.secrets
    if let key = Self.keys[auth] { secrets["CLIENT"] = key }
    let shop = Shop(uses: uses)
    let server = try shop.start()
    try Self.write(auth, server, to: workspace)
    let recorded = try await workspace.reactor(
      "record", "--jobs", "1", "--report", "html=r.html", "--report", "ndjson=r.ndjson", "--report", "junit=r.xml",
      environment: secrets)
    server.stop()
    #expect(recorded.status == 0, "\(recorded.stdout)\(recorded.stderr)")
    Self.expectNothingLeft(shop, in: workspace)
    for token in shop.given { #expect(!recorded.stdout.contains(token) && !recorded.stderr.contains(token)) }
    let golden = workspace.text("fixtures/shop.items/records.jsonl") ?? ""
    #expect(golden.contains(#"{"id":4,"echo":"{{secret:learnt}}","coded":"{{secret:learnt}}"}"#), "\(golden)")
    let before = Self.fixtures(workspace)

    let replay = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(replay.status == 0, "\(replay.stdout)\(replay.stderr)")

    // Another server, other tokens: nothing changes.
    let other = Shop(uses: uses, count: 40)
    let second = try other.start()
    defer { second.stop() }
    try Self.write(auth, second, to: workspace)
    let again = try await workspace.reactor("record", "--jobs", "1", environment: secrets)
    #expect(again.status == 0, "\(again.stdout)\(again.stderr)")
    #expect(again.stdout.contains("nothing changed"), "\(again.stdout)")
    #expect(Self.fixtures(workspace) == before)
    let drift = try await workspace.reactor("drift", "--jobs", "1", environment: secrets)
    #expect(drift.status == 0, "\(drift.stdout)\(drift.stderr)")
    #expect(Self.fixtures(workspace) == before)
  }

  /// A signed token is sent as it is, and its server says it back.
  @Test(arguments: ["basic", "digest"])
  func `a user name that is a secret is replayed without its value`(_ kind: String) async throws {
    let server = try ScriptedServer { _ in
      [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[{\"id\":1}]".utf8))]
    }
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      secrets: [KEY]
      http:
        base_url: "\(server.url)"
        auth: { \(kind): { username: "{{ secrets.KEY }}", password: "" } }
      flows:
        charges: { resource: /charges, schema: { fields: { id: integer } }, persistence: out/charges.jsonl }

      """, to: "flows/pay.yaml")
    let recorded = try await workspace.start(["record"], environment: ["KEY": "sk_test_123456"]).end()
    #expect(recorded.status == 0, "\(recorded.stdout)\(recorded.stderr)")
    #expect(workspace.text("fixtures/pay.charges/records.jsonl") == "{\"id\":1}\n")
    let replayed = try await workspace.reactor("test")
    #expect(replayed.status == 0, "\(replayed.stdout)\(replayed.stderr)")
    // The colon of a real value still is an error.
    let wrong = try await workspace.start(["run"], environment: ["KEY": "sk:test_123456"]).end()
    #expect(wrong.status == 3 && wrong.stderr.contains("the user name contains a colon"), "\(wrong.stderr)")
  }

  @Test func `a token that the run signs is scrubbed, and replayed without its key`() async throws {
    let workspace = try Workspace()
    let server = try ScriptedServer { request in
      let token = request["authorization"]?.split(separator: " ").last.map(String.init) ?? ""
      let body = token.hasPrefix("ey") ? #"{"data":[{"id":1,"echo":"\#(token)","coded":"a"}],"pages":1}"# : "{}"
      return [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
    try Self.write(
      "auth: { jwt: { algorithm: ES256, key: \"{{ secrets.CLIENT }}\", claims: { iss: me } } }", server, to: workspace)
    let secrets = Self.secrets.merging(["CLIENT": PublishedKeys.p256]) { $1 }
    let recorded = try await workspace.reactor(
      "record", "--report", "html=r.html", "--report", "ndjson=r.ndjson", environment: secrets)
    server.stop()
    #expect(recorded.status == 0, "\(recorded.stdout)\(recorded.stderr)")
    Self.expectNothingLeft(Shop(), in: workspace)
    #expect(workspace.text("fixtures/shop.items/records.jsonl")?.contains("{{secret:learnt}}") ?? false)
    let replay = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(replay.status == 0, "\(replay.stdout)\(replay.stderr)")
    let explained = try await workspace.reactor("explain", "items")
    #expect(explained.status == 0 && explained.stdout.contains("jwt ES256, key {{ secrets.CLIENT }}"))
  }

  @Test func `a single-use token is used up, stored and recorded under its own name`() async throws {
    let workspace = try Workspace()
    let shop = Shop()
    let server = try shop.start()
    defer { server.stop() }
    try Self.write(Self.refresh, server, to: workspace)
    // This server takes the newest token only.
    let recorded = try await workspace.reactor("record", "--jobs", "1", environment: Self.secrets)
    #expect(recorded.status == 0, "\(recorded.stdout)\(recorded.stderr)")
    Self.expectNothingLeft(shop, in: workspace, but: ".reactor/auth/")
    let cassette = workspace.text("fixtures/shop.items/cassette.yaml") ?? ""
    #expect(cassette.contains("refresh_token={{secret:REFRESH}}"), "\(cassette)")
    let before = Self.fixtures(workspace)
    #expect(try await workspace.reactor("test", environment: ["CI": "1"]).status == 0)
    // The token that came last is known to whoever comes next.
    for verb in ["record", "drift", "run", "record"] {
      let outcome = try await workspace.reactor(verb, "--jobs", "1", environment: Self.secrets)
      #expect(outcome.status == 0, "\(verb): \(outcome.stdout)\(outcome.stderr)")
    }
    #expect(!shop.log.contains("refused"), "\(shop.log)")
    #expect(Self.fixtures(workspace) == before)
    #expect(try await workspace.reactor("test", environment: ["CI": "1"]).status == 0)
  }

  @Test func `a token that only time renewed is not recorded twice`() async throws {
    let workspace = try Workspace()
    let shop = Shop(extra: #","expires_in":1"#, slowness: 400)
    let server = try shop.start()
    defer { server.stop() }
    try Self.write(Self.credentials, server, to: workspace)
    let recorded = try await workspace.reactor("record", "-s", "shop.items", environment: Self.secrets)
    #expect(recorded.status == 0, "\(recorded.stdout)\(recorded.stderr)")
    #expect(shop.log.filter { $0 == "/token" }.count > 1, "\(shop.log)")
    let before = Self.fixtures(workspace)
    let cassette = workspace.text("fixtures/shop.items/cassette.yaml") ?? ""
    #expect(cassette.ranges(of: "POST {{base}}/token").count == 1, "\(cassette)")
    let replay = try await workspace.reactor("test", "-s", "shop.items", environment: ["CI": "1"])
    #expect(replay.status == 0, "\(replay.stdout)\(replay.stderr)")
    let again = try await workspace.reactor("record", "-s", "shop.items", environment: Self.secrets)
    #expect(again.status == 0, "\(again.stdout)\(again.stderr)")
    #expect(Self.fixtures(workspace) == before)
  }

  @Test func `another server that gives the tokens has a name of its own`() async throws {
    let workspace = try Workspace()
    let shop = Shop()
    let (server, tokens) = (try shop.start(), try shop.start())
    try Self.write(
      Self.credentials.replacingOccurrences(of: "BASE", with: tokens.url), server, to: workspace)
    let recorded = try await workspace.reactor("record", "--jobs", "1", environment: Self.secrets)
    #expect(recorded.status == 0, "\(recorded.stdout)\(recorded.stderr)")
    server.stop()
    tokens.stop()
    let cassette = workspace.text("fixtures/shop.items/cassette.yaml") ?? ""
    #expect(cassette.contains("POST {{auth}}/token") && cassette.contains("GET {{base}}/items"), "\(cassette)")
    #expect(try await workspace.reactor("test", environment: ["CI": "1"]).status == 0)
    // Served, both are one.
    let served = try workspace.start(["serve"])
    #expect(await served.wait { $0.stdout.hasSuffix("\n") })
    let url = served.stdout.trimmingCharacters(in: .whitespacesAndNewlines)
    let flows = try #require(workspace.text("flows/shop.yaml"))
    try workspace.write(
      flows.replacingOccurrences(of: server.url, with: url).replacingOccurrences(of: tokens.url, with: url),
      to: "flows/shop.yaml")
    let run = try await workspace.reactor("run", environment: Self.secrets)
    #expect(run.status == 0, "\(run.stdout)\(run.stderr)")
    served.signal(SIGTERM)
    _ = await served.end()
  }
}
