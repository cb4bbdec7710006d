import Foundation
import TestSupport

/// Any number of small flows and a server that answers all of them.
final class Crowd {
  struct Result {
    var outcome: Program.Outcome
    /// Results that are there with the right content.
    var files: Int
    var peakKiB: Int
    var descriptors: Int
    var connections: Int
  }

  private static let body = #"[{"id":1,"name":"Sencha"},{"id":2,"name":"Assam"}]"#
  private static let file = Data("{\"id\":1,\"name\":\"Sencha\"}\n{\"id\":2,\"name\":\"Assam\"}\n".utf8)
  private let server: ScriptedServer

  init() throws {
    let body = Crowd.body
    server = try ScriptedServer { _ in
      [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
  }

  deinit { server.stop() }

  /// Runs so many flows, a thousand in each file and folder.
  func run(_ count: Int, through wrapper: [String] = []) async throws -> Result {
    let workspace = try Workspace()
    for file in 0..<((count + 999) / 1000) {
      let flows = (file * 1000..<min(count, file * 1000 + 1000)).map { number in
        """
          f\(number):
            resource: /r/\(number)
            records: $[*]
            schema: { fields: { id: integer, name: string } }
            persistence: out/\(file)/f\(number).jsonl

        """
      }
      let head = "reactor: 1\nhttp: { base_url: \"\(server.url)\" }\nflows:\n"
      try workspace.write(head + flows.joined(), to: "flows/\(file).yaml")
    }
    let command = wrapper + [try Repository.program("reactor"), "run", "--format", "json", "-j", "8"]
    let watch = Watch(try Program(command[0], Array(command.dropFirst()), in: workspace.folder))
    var connections = 0
    let outcome = await watch.end(within: 300) { connections = max(connections, server.openConnections) }
    var files = 0
    for number in 0..<count where !(Torture.isPlanted("t12-flows") && number == 5) {
      if workspace.bytes("out/\(number / 1000)/f\(number).jsonl") == Crowd.file { files += 1 }
    }
    return Result(
      outcome: outcome, files: files, peakKiB: watch.peakKiB, descriptors: watch.descriptors, connections: connections)
  }
}
