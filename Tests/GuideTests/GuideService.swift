import Foundation
import JSONSyntax
import Synchronization
import TestSupport

/// The loopback API of one page: what `https://api.example.com` does there.
final class GuideService: Sendable {
  /// One request, taken apart.
  struct Call {
    var method: String
    /// Percent-decoded, without the query.
    var path: String
    var query: [String: [String]]
    var request: ScriptedServer.Request
    /// The body as JSON; null where it is none.
    var json: JSONValue
    /// Where the API is reached, for URLs in its responses.
    var base: String

    /// The only value of a query parameter.
    subscript(_ name: String) -> String? { query[name]?.first }
    /// The steps of the path.
    var steps: [String] { path.split(separator: "/").map(String.init) }
    func number(_ name: String) -> Int? { self[name].flatMap { Int($0) } }
  }

  /// A response.
  struct Reply {
    var status = 200
    var fields: [(String, String)] = []
    var body = ""
    /// The body if it is not a text.
    var bytes: [UInt8]?
    /// Whether no response ever comes.
    var isSilent = false

    static func json(_ body: String, status: Int = 200, _ fields: (String, String)...) -> Reply {
      Reply(status: status, fields: [("Content-Type", "application/json")] + fields, body: body)
    }
    static let silence = Reply(isSilent: true)
    static let notFound = json(#"{"error":"not found"}"#, status: 404)
    static let unauthorized = json(#"{"error":"unauthorized"}"#, status: 401)
  }

  /// What the API remembers between requests.
  struct Memory {
    /// Events so far, as the page tells them.
    var events: [String] = []
    /// Requests so far by path, the one at hand included.
    var counts: [String: Int] = [:]
    /// Tokens that were given out.
    var tokens = 0
    /// Whatever a script keeps by name.
    var notes: [String: String] = [:]
    /// What was sent to it, in order.
    var received: [JSONValue] = []
  }

  typealias Script = @Sendable (Call, inout Memory) -> Reply

  let server: ScriptedServer
  private let memory: Store

  private final class Store: Sendable {
    let value = Mutex(Memory())
  }

  /// Starts the API of a page.
  init(page: String) throws {
    let memory = Store()
    let script = Self.scripts[page] ?? { _, _ in .notFound }
    self.memory = memory
    server = try ScriptedServer { request in
      var call = Self.call(request)
      call.base = "http://" + (request["host"] ?? "")
      let reply = memory.value.withLock { memory in
        memory.counts[call.path, default: 0] += 1
        return script(call, &memory)
      }
      return Self.steps(reply)
    }
  }

  /// Something that changes what the API answers from now on.
  func happen(_ event: String) { memory.value.withLock { $0.events.append(event) } }

  // MARK: - HTTP

  private static func call(_ request: ScriptedServer.Request) -> Call {
    let parts = request.target.split(separator: "?", maxSplits: 1).map(String.init)
    var query: [String: [String]] = [:]
    for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
      let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.replacing("+", with: " ").removingPercentEncoding ?? String($0)
      }
      query[words[0], default: []].append(words.count > 1 ? words[1] : "")
    }
    return Call(
      method: request.method, path: parts.first?.removingPercentEncoding ?? "/", query: query, request: request,
      json: (try? JSONValue(parsing: request.body)) ?? .null, base: "")
  }

  private static let reasons = [
    200: "OK", 201: "Created", 204: "No Content", 304: "Not Modified", 400: "Bad Request", 401: "Unauthorized",
    403: "Forbidden", 404: "Not Found", 409: "Conflict", 422: "Unprocessable Content", 429: "Too Many Requests",
    500: "Internal Server Error", 503: "Service Unavailable",
  ]

  private static func steps(_ reply: Reply) -> [ScriptedServer.Step] {
    if reply.isSilent { return [.hold] }
    let body = reply.bytes ?? Array(reply.body.utf8)
    var head = "HTTP/1.1 \(reply.status) \(reasons[reply.status] ?? "Status")\r\n"
    for (name, value) in reply.fields { head += "\(name): \(value)\r\n" }
    if reply.status != 304, reply.status != 204 { head += "Content-Length: \(body.count)\r\n" }
    return [.send(Array((head + "\r\n").utf8) + body)]
  }
}
