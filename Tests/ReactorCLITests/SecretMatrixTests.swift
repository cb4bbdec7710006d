import Fixtures
import Foundation
import ReactorCLI
import TestSupport
import Testing

/// Shapes of secrets × encodings × places where they could come out, with the program as a process and a server that
/// says the secret back in every answer it gives.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SecretMatrixTests {
  static let shapes: [(name: String, value: String)] = [
    ("a token", "s3cr3t-t0ken"),
    ("a long token", "ghp_" + "9aF3kQ7xW2mZ8rT5vB1nC6yH4jL0pD3sG7uE"),
    ("a JWT", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZG1pbiIsImlhdCI6MX0.q7Xk2Lz9-_AbCdEfGhIjKlMnOpQrStUvWxYz012"),
    ("a password with signs", "p@ss w/rd+&<\"'>\\x%41"),
    ("letters beyond ASCII", "Grüße-🙂-ключ-秘密"),
    ("base64 with padding", "aGVsbG8gd29ybGQhIQ8=/+Zm9v=="),
    ("a connection string", "postgres://admin:hunter2hunter2@db.internal:5432/app?ssl=true"),
    ("JSON", #"{"client_id":"abc-123","private_key":"k3y-m4t3r14l/+="}"#),
    (
      "several lines",
      "-----BEGIN KEY-----\nMIIEpAIBAAKCAQEAx7Vd9fR3kQmZ0tYb8LpW2sNcE5uGhJ4iOa6KvXyD1T\nQ2wErTyUiOpAsDfGhJkLz\n-----END KEY-----\n"
    ),
    ("blanks around it", "  padded value with blanks  "),
    ("digits", "4111111111111111"),
    ("two thousand bytes", (0..<200).map { "k\($0 * 7919 % 9973)-" }.joined()),
  ]

  /// What the server makes of the secret before it says it back.
  static let encodings: [(name: String, encode: @Sendable (String) -> String)] = [
    ("plain", { $0 }),
    ("base64", { Data($0.utf8).base64EncodedString() }),
    ("base64 behind a user", { Data(("u:" + $0).utf8).base64EncodedString() }),
    (
      "base64url",
      {
        Data($0.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-")
          .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
      }
    ),
    ("hex", { $0.utf8.map { String(format: "%02x", $0) }.joined() }),
    ("HEX", { $0.utf8.map { String(format: "%02X", $0) }.joined() }),
    ("percent", { $0.addingPercentEncoding(withAllowedCharacters: SecretMaskTests.unreserved) ?? "" }),
    (
      "form",
      {
        ($0.addingPercentEncoding(withAllowedCharacters: SecretMaskTests.unreserved) ?? "")
          .replacingOccurrences(of: "%20", with: "+")
      }
    ),
    (
      "XML",
      {
        $0.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
          .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
          .replacingOccurrences(of: "'", with: "&#39;")
      }
    ),
  ]

  /// Ways of saying something back; each gives a response's bytes.
  static let echoes: [@Sendable (String) -> String] = [
    // As a value of the wrong type, quoted in a rejection.
    { answer("200 OK", "[{\"id\":\(json($0))}]") },
    // As a member's name in a text that lacks the records.
    { answer("200 OK", "{\(json($0)):1,\"other\":2}") },
    // In place of JSON.
    { answer("200 OK", $0) },
    // Cut by what quotes it: the secret lies across the place.
    { answer("200 OK", String(repeating: "x", count: 50) + $0) },
    { answer("200 OK", "[{\"id\":\(json(String(repeating: "y", count: 30) + $0))}]") },
    // In the body of an error.
    { answer("500 Oh", "no such key: \($0)") },
    { answer("403 No", "{\"error\":{\"message\":\(json("bad credentials " + $0))}}") },
    // In the reason and in fields.
    { answer("401 \(line($0))", "no") },
    // Names below localhost are this machine (RFC 6761, 6.3): nobody outside is asked for an address, and nobody waits.
    { answer("302 Found", "", "Location: http://\(line($0)).localhost:1/") },
    { answer("302 Found", "", "Location: \(line($0)):x") },
    { answer("302 Found", "", "Location: http://other.localhost:1/\(line($0))") },
    { answer("200 OK", "[]", "Content-Encoding: \(line($0))") },
    { answer("200 OK", "[]", "\(line($0)): 1") },
    { answer("200 OK", "[{\"id\":true}]", "ETag: \"\(line($0))\"", "Last-Modified: \(line($0))") },
  ]

  private static func answer(_ status: String, _ body: String, _ fields: String...) -> String {
    "HTTP/1.1 \(status)\r\n" + fields.map { $0 + "\r\n" }.joined() + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
  }

  private static func json(_ text: String) -> String {
    String(decoding: (try? JSONEncoder().encode([text])) ?? Data(), as: UTF8.self).dropFirst().dropLast().description
  }

  private static func line(_ text: String) -> String {
    text.replacingOccurrences(of: "\n", with: " ").trimmingCharacters(in: .whitespaces)
  }

  /// Flows that send the secret in every way, and flows that get it back in every way.
  private static func flows(_ port: UInt16, sends: Bool) -> String {
    var text = """
      reactor: 1
      secrets: [TOKEN]
      http: { base_url: "http://127.0.0.1:\(port)", redirects: any, timeout: 20s }
      defaults: { reachability: false, retry: { wait: 5ms } }
      flows:

      """
    if sends {
      for (number, location) in [
        #"path: "/u/{{ secrets.TOKEN }}""#, #"path: /u, query: { key: "x{{ secrets.TOKEN }}" }"#,
        #"path: /u, headers: { X-Key: "Bearer {{ secrets.TOKEN }}" }"#,
        #"path: /u, method: POST, body: { json: { a: "{{ secrets.TOKEN }}" } }"#,
        #"path: /u, method: POST, body: { form: { a: "{{ secrets.TOKEN }}" } }"#,
        #"path: /u, method: POST, body: { text: "a {{ secrets.TOKEN }}" }"#,
      ].enumerated() {
        text += "  send\(number): { resource: { \(location) }, persistence: out/send\(number).jsonl }\n"
      }
    }
    for encoding in encodings.indices {
      for echo in echoes.indices {
        text += """
            e\(encoding)_\(echo):
              resource: /e/\(encoding)/\(echo)
              \(echo == 1 ? "records: $.data[*]" : "description: an echo")
              schema: { fields: { id: boolean } }
              persistence: out/\(encoding)/e\(echo).\(["json", "jsonl", "csv"][encoding % 3])

          """
      }
    }
    return text
  }

  /// All that a server said back must be found in no sink: whole in any encoding, or 16 bytes of it where it is longer.
  private static func canaries(_ secret: String) -> [[UInt8]] {
    var canaries: Set<[UInt8]> = []
    let lines = secret.split(separator: "\n").map(String.init).filter { $0.utf8.count >= 8 }
    for value in [line(secret)] + lines {
      for (_, encode) in encodings {
        let bytes = Array(encode(value).utf8)
        // Base64 behind something else: its first digits belong to that.
        let own = bytes.count > 20 ? Array(bytes.dropFirst(4)) : bytes
        var start = 0
        repeat {
          canaries.insert(Array(own[start..<min(start + 16, own.count)]))
          start += 4
        } while start + 16 <= own.count
      }
    }
    return canaries.filter { $0.count >= 8 }
  }

  private static func hits(_ canaries: [[UInt8]], in bytes: [UInt8]) -> [String] {
    let text = bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 32 : $0 }
    let data = Data(text)
    return canaries.filter { canary in
      data.range(of: Data(canary.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 32 : $0 })) != nil
    }.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: shapes.indices) func `no shape of a secret comes out in any encoding anywhere`(_ index: Int)
    async throws
  {
    let secret = Self.shapes[index].value
    let server = try ScriptedServer { request in
      let parts = request.target.split(separator: "/")
      guard parts.first == "e", parts.count == 3, let encoding = Int(parts[1]), let echo = Int(parts[2]),
        Self.encodings.indices.contains(encoding), Self.echoes.indices.contains(echo)
      else { return [.send(Array(Self.answer("200 OK", "[]").utf8))] }
      return [.send(Array(Self.echoes[echo](Self.encodings[encoding].encode(secret)).utf8))]
    }
    defer { server.stop() }
    let isLine = !secret.contains("\n")
    let bench = try Workbench([
      "flows/echo.yaml": Self.flows(server.port, sends: true),
      "flows/broken.yaml":
        "reactor: 1\nsecrets: [TOKEN]\nhttp: { base_url: \"http://{{ secrets.TOKEN }}.invalid\", headers: { \"a b\": \"{{ secrets.TOKEN }}\" } }\nflows: { x: { resource: \"/{{ secrets.TOKEN }}?\" } }\n",
      "run/.keep": "",
    ])
    // The planted fault: the program is not told that it is a secret.
    let known = Plant.isSet("t8") ? "something else altogether" : secret
    if isLine { try bench.write("TOKEN=\(known)\n", to: "secrets.txt") }
    try bench.write(known, to: "value")
    let set = isLine ? "--secret-file ../secrets.txt" : ""
    let export = isLine ? "" : "TOKEN=\"$(cat ../value; echo x)\"; export TOKEN=\"${TOKEN%x}\"; "
    var sinks: [(name: String, bytes: [UInt8])] = []
    func run(_ name: String, _ line: String) async throws -> ProcessTests.Ended {
      let ended = try await ProcessTests().shell("cd run && \(export)\(line)", in: bench)
      sinks.append(("\(name): stdout", Array(ended.out.utf8)))
      sinks.append(("\(name): stderr", Array(ended.err.utf8)))
      return ended
    }
    let program = "\"$REACTOR\""
    let text = try await run("run", "\(program) run ../flows/echo.yaml -v \(set) --root . -j 4")
    #expect([1, 3, 5].contains(text.code), "\(text.err.suffix(2000))")
    let summary = try await run("run --format json", "\(program) run ../flows --fresh --format json \(set) --root .")
    #expect(summary.out.hasPrefix("{\"v\":1,") && summary.code == 3)
    _ = try await run("offline", "\(program) run ../flows/echo.yaml --fresh=never \(set) --root .")
    for number in 0..<6 {
      _ = try await run("explain", "\(program) explain echo.send\(number) ../flows/echo.yaml \(set)")
    }
    _ = try await run("check", "\(program) check ../flows \(set)")
    _ = try await run("list", "\(program) list ../flows \(set)")
    for name in try FileManager.default.subpathsOfDirectory(atPath: bench.path("run")) {
      sinks.append(("name of \(name)", Array(name.utf8)))
      let bytes = FileManager.default.contents(atPath: bench.path("run/" + name)) ?? Data()
      // The result itself holds what the flow asks to store.
      let kind = name.hasSuffix(".reactor.stamps") ? "stamps" : "result"
      sinks.append(("\(kind) \(name)", [UInt8](bytes)))
    }
    #expect(sinks.contains { $0.name.hasPrefix("stamps") } && sinks.contains { $0.name.hasPrefix("result") })
    #expect(server.requests.count > Self.encodings.count * Self.echoes.count)
    let canaries = Self.canaries(secret)
    #expect(canaries.count >= 4)
    for (name, bytes) in sinks {
      let hits = Self.hits(canaries, in: bytes)
      #expect(hits.isEmpty, "\(Self.shapes[index].name) in \(name): \(hits.prefix(5))")
    }
  }

  /// Flows that get an obtained token back in every way.
  private static func tokenFlows(_ port: UInt16) -> String {
    let flows = flows(port, sends: false)
    let auth =
      "auth: { oauth2: { url: \"http://127.0.0.1:\(port)/token\", client_id: me, query: access_token, "
      + "client_secret: \"{{ secrets.TOKEN }}\", grant: refresh_token, refresh_token: \"{{ secrets.TOKEN }}\" } }"
    return flows.replacingOccurrences(of: "timeout: 20s }", with: "timeout: 20s, \(auth) }")
  }

  /// Tokens that are obtained while the run goes on: an access token and the refresh token that comes with it.
  @Test(arguments: shapes.indices.filter { !shapes[$0].value.contains("\n") })
  func `no shape of an obtained token comes out in any encoding anywhere`(_ index: Int) async throws {
    let secret = Self.shapes[index].value
    let refresh = "refresh/" + String(secret.reversed())
    // The planted fault: what the server says back was never obtained.
    let (given, next) = Plant.isSet("t8") ? ("another token", "another refresh token") : (secret, refresh)
    let server = try ScriptedServer { request in
      let path = request.target.prefix { $0 != "?" }
      let parts = path.split(separator: "/")
      if path == "/token" {
        let body = "{\"access_token\":\(Self.json(given)),\"refresh_token\":\(Self.json(next))}"
        return [.send(Array(Self.answer("200 OK", body).utf8))]
      }
      guard parts.first == "e", parts.count == 3, let encoding = Int(parts[1]), let echo = Int(parts[2]),
        Self.encodings.indices.contains(encoding), Self.echoes.indices.contains(echo)
      else { return [.send(Array(Self.answer("200 OK", "[]").utf8))] }
      let said = Self.encodings[encoding].encode(echo % 2 == 0 ? secret : refresh)
      return [.send(Array(Self.echoes[echo](said).utf8))]
    }
    defer { server.stop() }
    let bench = try Workbench(["flows/echo.yaml": Self.tokenFlows(server.port), "run/.keep": ""])
    try bench.write("TOKEN=configured-secret\n", to: "secrets.txt")
    var sinks: [(name: String, bytes: [UInt8])] = []
    for (name, options) in [
      ("run", "-v -j 4 --report ndjson=events.ndjson --report json=report.json"),
      ("run --format json", "--fresh --format json"), ("dry run", "--dry-run"),
    ] {
      let line = "cd run && \"$REACTOR\" run ../flows/echo.yaml --secret-file ../secrets.txt --root . \(options)"
      let ended = try await ProcessTests().shell(line, in: bench)
      sinks.append(("\(name): stdout", Array(ended.out.utf8)))
      sinks.append(("\(name): stderr", Array(ended.err.utf8)))
      #expect([0, 1, 3, 5].contains(ended.code), "\(ended.err.suffix(2000))")
    }
    // Each run asks once, whatever the number of flows, and some times more for the echoes that are a 401.
    #expect((2...16).contains(server.requests.count { $0.target == "/token" }))
    #expect(server.requests.count > 2 * Self.encodings.count * Self.echoes.count)
    var kept = 0
    for name in try FileManager.default.subpathsOfDirectory(atPath: bench.path("run")) {
      let bytes = FileManager.default.contents(atPath: bench.path("run/" + name)) ?? Data()
      // The one file that has to hold the refresh token; never the access token.
      if name.hasPrefix(".reactor/auth/"), name.hasSuffix(".json") {
        kept += 1
        #expect(Self.hits([Array(secret.utf8)], in: [UInt8](bytes)).isEmpty)
        continue
      }
      sinks.append((name, Array(name.utf8) + [UInt8](bytes)))
    }
    #expect(kept == 1 && sinks.contains { $0.name == "events.ndjson" } && sinks.contains { $0.name == "report.json" })
    let canaries = Self.canaries(secret) + Self.canaries(refresh) + Self.canaries("configured-secret")
    for (name, bytes) in sinks {
      let hits = Self.hits(canaries, in: bytes)
      #expect(hits.isEmpty, "\(Self.shapes[index].name) in \(name): \(hits.prefix(5))")
    }
  }
}
