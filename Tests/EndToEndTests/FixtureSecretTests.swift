import Foundation
import TestSupport
import Testing

/// A server that tells the secret in every way that servers have: nothing of it may be left in anything that is written.
@Suite(.timeLimit(.minutes(3))) struct FixtureSecretTests {
  /// With characters that every encoding treats in its own way.
  private static let token = "s3cr3t+T0ken/äß \"quoted\" & <x>=="

  /// The forms of the secret by name, as a server writes them.
  private static func form(_ name: String) -> String {
    let bytes = Array(token.utf8)
    func percent(_ text: String, _ allowed: CharacterSet) -> String {
      text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }
    func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
    switch name {
    case "base64": return base64(bytes)
    case "base64 behind one": return base64([0x3A] + bytes)
    case "base64 behind two": return base64(Array("u:".utf8) + bytes + Array(":v".utf8))
    case "base64 of the URL alphabet":
      return base64(bytes).replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
    case "percent": return percent(token, .alphanumerics)
    case "percent, lower case": return percent(token, .alphanumerics).lowercased()
    case "percent twice": return percent(percent(token, .alphanumerics), .alphanumerics)
    case "percent of a path": return percent(token, .urlPathAllowed)
    case "a form": return percent(token, .alphanumerics).replacingOccurrences(of: "%20", with: "+")
    case "hexadecimal": return bytes.map { String(format: "%02x", $0) }.joined()
    case "hexadecimal, upper case": return bytes.map { String(format: "%02X", $0) }.joined()
    case "JSON": return json(token, escapes: { $0 == "\"" || $0 == "\\" })
    case "JSON in ASCII": return json(token, escapes: { $0 == "\"" || $0.value > 0x7E })
    case "JSON with slashes": return json(token, escapes: { $0 == "\"" }).replacingOccurrences(of: "/", with: "\\/")
    case "XML":
      return token.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
        .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
    case "another case": return token.uppercased()
    default: return token
    }
  }

  private static func json(_ text: String, escapes: (Unicode.Scalar) -> Bool) -> String {
    text.unicodeScalars.map { scalar in
      guard escapes(scalar) else { return String(scalar) }
      if scalar == "\"" || scalar == "\\" { return "\\\(scalar)" }
      return String(scalar).utf16.map { String(format: "\\u%04x", $0) }.joined()
    }.joined()
  }

  private static let forms = [
    "base64", "base64 behind one", "base64 behind two", "base64 of the URL alphabet", "percent", "percent, lower case",
    "percent twice", "percent of a path", "a form", "hexadecimal", "hexadecimal, upper case", "JSON", "JSON in ASCII",
    "JSON with slashes", "XML", "another case",
  ]

  private static func compressed(_ text: String, by program: String) async throws -> [UInt8] {
    let source = Data(text.utf8).base64EncodedString()
    let output = try await Program(
      "/bin/sh", ["-c", "printf %s '\(source)' | base64 -d | \(program) | base64 -w0"],
      in: FileManager.default.temporaryDirectory
    ).end()
    return Data(base64Encoded: output.stdout).map(Array.init) ?? []
  }

  private static func flow(_ base: String) -> String {
    """
    reactor: 1
    secrets: [SHOP_TOKEN]
    http: { base_url: \(base) }
    flows:
      orders:
        resource: { path: /orders, query: { key: "{{ secrets.SHOP_TOKEN }}" } }
        records: $[*]
        prune: true
        rejected: out/rejected.jsonl
        schema: { key: no, fields: { no: string, at: timestamp? } }

    """
  }

  /// Records from a server and looks into everything that was written; gives the workspace and how it ended.
  private static func record(
    _ server: ScriptedServer, _ note: String
  ) async throws -> (workspace: Workspace, outcome: Program.Outcome) {
    let workspace = try Workspace()
    try workspace.write(flow(server.url), to: "flows/shop.yaml")
    let reports = ["html", "junit", "md", "tap", "json", "ndjson"].flatMap { ["--report", "\($0)=r/\($0)"] }
    let outcome = try await workspace.start(["record"] + reports, environment: ["SHOP_TOKEN": token]).end()
    for file in workspace.files(hidden: true) where !file.hasPrefix("flows/") {
      let text = workspace.text(file) ?? ""
      for name in forms + ["plain"] {
        let form = form(name)
        #expect(!text.contains(form), "\(note): \(name) in \(file)")
        // Long beginnings are as good as all of it.
        #expect(!text.contains(form.prefix(form.count - 4)), "\(note): the beginning of \(name) in \(file)")
      }
    }
    for text in [outcome.stdout, outcome.stderr] { #expect(!text.contains(token), "\(note)") }
    return (workspace, outcome)
  }

  @Test(arguments: forms, ["body", "header", "location", "gzip", "error", "long body", "rejected"])
  func `no form of a secret survives anywhere`(_ form: String, _ location: String) async throws {
    let text = Self.form(form)
    let isEscaped = form.hasPrefix("JSON")
    let value = isEscaped ? text : Self.json(text, escapes: { $0 == "\"" || $0 == "\\" })
    let body =
      switch location {
      case "rejected": #"[{"no":"1","at":"it is \#(value)"},{"no":2},{"no":"3"}]"#
      case "long body": #"[{"no":"it is \#(value), no?","pad":"\#(String(repeating: "x", count: 3000))"}]"#
      case "header", "location": #"[{"no":"1"}]"#
      default: #"[{"no":"it is \#(value), no?"}]"#
      }
    let field =
      switch location {
      case "header": "X-Echo: it is \(text)\r\n"
      case "location": "Location: http://127.0.0.1/a/\(text)?b=\(text)\r\n"
      case "gzip": "Content-Encoding: gzip\r\n"
      default: ""
      }
    let content = location == "gzip" ? try await Self.compressed(body, by: "gzip -c") : Array(body.utf8)
    let status = location == "error" ? "400 It is \(text)" : "200 OK"
    let head = "HTTP/1.1 \(status)\r\n\(field)Content-Length: \(content.count)\r\n\r\n"
    let server = try ScriptedServer { _ in [.send(Array(head.utf8) + content)] }
    defer { server.stop() }
    let (workspace, outcome) = try await Self.record(server, "\(form) in \(location)")
    guard location != "error" else {
      #expect(outcome.status == 5, "\(outcome.stderr)")
      return
    }
    #expect(outcome.status == 0, "\(form) in \(location): \(outcome.stdout)\(outcome.stderr)")
    let replay = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(replay.status == 0, "\(form) in \(location): \(replay.stdout)\(replay.stderr)")
  }

  @Test func `a secret in an unusual escape is found afterwards, and nothing is recorded`() async throws {
    // Every second character, which no mask expects.
    let all = Self.token.utf16.enumerated().map { index, unit in
      index % 2 == 0 || unit < 0x30 ? String(format: "\\u%04x", unit) : String(decoding: [unit], as: UTF16.self)
    }.joined()
    let body = #"[{"no":"\#(all)"}]"#
    let server = try ScriptedServer { _ in
      [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
    defer { server.stop() }
    let (workspace, outcome) = try await Self.record(server, "every second character")
    #expect(outcome.status == 5, "\(outcome.stdout)\(outcome.stderr)")
    #expect(outcome.stderr.contains("the secret 'SHOP_TOKEN' was still in"), "\(outcome.stderr)")
    #expect(!workspace.files().contains { $0.hasPrefix("fixtures/") }, "\(workspace.files())")
  }
}
