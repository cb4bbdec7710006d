import Foundation
import TestSupport
import Testing

/// A small shop whose answers a test chooses, and flows that ask it.
final class FixtureShop: Sendable {
  static let token = "t0p-s3cr3t+/value=="

  let server: ScriptedServer

  /// - Parameter answer: headers and content by request; nil is 404
  init(_ answer: @escaping @Sendable (ScriptedServer.Request) -> (headers: [String], body: String)?) throws {
    server = try ScriptedServer { request in
      guard let (headers, body) = answer(request) else {
        return [.send(Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8))]
      }
      let head = (["Content-Type: application/json", "Date: \(Date())", "X-Request-Id: \(UUID())"] + headers)
        .map { $0 + "\r\n" }.joined()
      let content = Array(body.utf8)
      return [.send(Array("HTTP/1.1 200 OK\r\n\(head)Content-Length: \(content.count)\r\n\r\n".utf8) + content)]
    }
  }

  /// A workspace with the standard shop recorded and stopped.
  static func recorded() async throws -> Workspace {
    let workspace = try Workspace()
    let shop = try standard()
    defer { shop.server.stop() }
    try shop.write(to: workspace)
    let outcome = try await workspace.reactor("record", environment: ["SHOP_TOKEN": token])
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    return workspace
  }

  /// A shop with two lists of records.
  static func standard() throws -> FixtureShop {
    try FixtureShop { request in
      let host = request["host"] ?? ""
      switch request.target.split(separator: "?").first {
      case "/customers":
        return (
          ["Link: <http://\(host)/customers?page=2>; rel=\"next\""],
          #"{"data":[{"id":2,"name":"Bo","balance":"1250.00","link":"http://\#(host)/c/2","seen":"2026-01-02T03:04:05Z"},{"id":1,"name":"Al","balance":"7","link":"http://\#(host)/c/1","seen":"2026-01-02T03:04:06Z"},{"id":"x","name":"broken","balance":"1","link":"l","seen":"n"}]}"#
        )
      case "/orders":
        return ([], #"[{"no":"a-1","lines":[3,1,2],"note":null},{"no":"a-2","lines":[],"note":"\#u{e9}"}]"#)
      default: return nil
      }
    }
  }

  /// Flows on this shop.
  func write(to workspace: Workspace, base: String? = nil, name: String = "shop") throws {
    try workspace.write(Self.flows(base ?? server.url), to: "flows/\(name).yaml")
  }

  static func flows(_ base: String) -> String {
    """
    reactor: 1
    secrets: [SHOP_TOKEN]
    http:
      base_url: \(base)
      headers: { Authorization: "Bearer {{ secrets.SHOP_TOKEN }}" }
    flows:
      customers:
        tags: [people]
        resource:
          path: /customers
          query:
            limit: 100
            sort: name
        records: $.data[*]
        prune: true
        persistence: out/customers.jsonl
        schema:
          key: id
          fields:
            id: integer
            name: string
            balance: decimal
            link: url
            seen: timestamp
        pages: none
      orders:
        resource: /orders
        records: $[*]
        schema:
          key: no
          fields:
            no: string
            lines: [integer]
            note: string?

    """
  }
}
