import Synchronization
import TestSupport

/// Answers every item's path with the version that is set now.
final class VersionedServer: Sendable {
  private final class Answers: Sendable {
    let byTarget = Mutex<[String: [UInt8]]>([:])
  }

  private let answers = Answers()
  private let server: ScriptedServer
  private let items: [Item]

  var url: String { server.url }

  init(_ items: [Item]) throws {
    self.items = items
    let missing = Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8)
    server = try ScriptedServer { [answers] request in
      let answer = answers.byTarget.withLock { $0[request.target] } ?? missing
      // Planted: a response ends a byte early.
      if Torture.isPlanted("t12-handover"), request.target == "/f8" { return [.send(answer.dropLast()), .close] }
      return [.send(answer)]
    }
  }

  deinit { server.stop() }

  func serve(_ version: Int) {
    let made = Dictionary(uniqueKeysWithValues: items.map { ("/\($0.name)", $0.answer(version)) })
    answers.byTarget.withLock { $0 = made }
  }
}
