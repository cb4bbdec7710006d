import Foundation
import TestSupport

/// Responses that no flow may believe, by number; each ends its flow with an error.
enum Hostility {
  /// How many there are.
  static let count = 20
  /// From here on they take all the time or bytes that they are given.
  static let firstEndless = 17

  /// What is sent.
  static func steps(_ kind: Int) -> [ScriptedServer.Step] {
    let ok = "HTTP/1.1 200 OK\r\n"
    switch kind % count {
    case 0: return [.reset]
    case 1: return [.close]
    case 2: return [send(ok + "Content-Length: 900\r\n\r\n[{\"id\":1}"), .close]
    case 3: return [send(ok + "Content-Length: 9\r\nContent-Length: 10\r\n\r\n[{\"id\":1}]"), .close]
    case 4: return [send(ok + "Content-Length: 11\r\n\r\n{\"id\":1,,,,}")]
    case 5: return [send(ok + "Content-Type: text/html\r\nContent-Length: 16\r\n\r\n<html>hi</html>\n")]
    case 6: return [send("HTTP/1.1 500 Oh\r\nContent-Length: 10\r\n\r\n[{\"id\":1}]")]
    case 7: return [send(ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\n[{\"id\":1}]\r\n0\r\n\r\n"), .close]
    case 8: return [send("\u{1}\u{2} not http at all\r\n\r\n"), .close]
    case 9:
      return [send(ok), .repeat(Array("X-Much: \(String(repeating: "y", count: 4000))\r\n".utf8), count: 500), .close]
    case 10:
      return [
        send(ok + "Content-Encoding: gzip\r\nContent-Length: 12\r\n\r\n"),
        .send([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2]),
      ]
    case 11: return [send("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")]
    case 12: return [json(String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000))]
    case 13: return [json(#"[{"id":"not a number"},{"id":[]}]"#)]
    case 14: return [json("")]
    case 15: return [json(#"[{"id":1}] and more"#)]
    case 16: return [send("HTTP/1.1 401 No\r\nWWW-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n")]
    case 17: return [.hold]
    case 18:
      return [
        send(ok + "Content-Length: 100000\r\n\r\n["), .drip(Array(repeating: 0x20, count: 5000), everyMilliseconds: 20),
      ]
    default: return [send(ok + "Connection: close\r\n\r\n["), .repeat(Array("{\"id\":1},".utf8), count: 10_000_000)]
    }
  }

  /// Flow files that do not load.
  static func file(_ kind: Int) -> Data {
    let flow = "flows:\n  f:\n    resource: /x\n    persistence: out/evil.jsonl\n"
    let head = "reactor: 1\nhttp: { base_url: \"http://127.0.0.1:1\" }\n"
    switch kind % 10 {
    case 0: return Data((head + "shcema: 1\n" + flow).utf8)
    case 1: return Data((head + "reactor: 1\n" + flow).utf8)
    case 2: return Data((head + "\tflows: {}\n").utf8)
    case 3: return Data([0xff, 0xfe, 0x00, 0x80]) + Data(flow.utf8)
    case 4: return Data((head + "flows: { f: { resource: [").utf8)
    case 5: return Data((head + "flows: " + String(repeating: "[", count: 100_000)).utf8)
    case 6: return Data(("reactor: 99\n" + flow).utf8)
    case 7: return Data((head + flow.replacingOccurrences(of: "out/evil", with: "../../evil")).utf8)
    case 8: return Data((head + "x: &a [*a, *a]\n" + flow).utf8)
    default: return Data((head + flow.replacingOccurrences(of: "/x", with: "\"{{ vars.none }}\"")).utf8)
    }
  }

  private static func send(_ text: String) -> ScriptedServer.Step { .send(Array(text.utf8)) }

  private static func json(_ text: String) -> ScriptedServer.Step {
    send("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
  }
}
