package import TestSupport

/// The steps of a whole response with status 200.
package func ok(_ body: String, _ fields: String...) -> [ScriptedServer.Step] { answer("200 OK", body, fields) }

/// The steps of a whole response.
package func answer(_ status: String, _ body: String, _ fields: [String] = []) -> [ScriptedServer.Step] {
  let lines = fields.map { $0 + "\r\n" }.joined()
  return [
    .text("HTTP/1.1 \(status)\r\nContent-Type: application/json\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n"),
    .text(body),
  ]
}

extension ScriptedServer.Step {
  package static func text(_ text: String) -> Self { .send(Array(text.utf8)) }
}
