import Synchronization
import TestSupport

/// A server of rows with growing numbers, that gives those after a number and remembers what it was asked.
final class VersionedRows: Sendable {
  private struct State {
    var version = 1
    var asked: [Int] = []
  }

  private final class Cell: Sendable { let state = Mutex(State()) }

  let server: ScriptedServer
  private let cell: Cell

  init() throws {
    let cell = Cell()
    self.cell = cell
    server = try ScriptedServer { request in
      let since = request.target.contains("=") ? request.target.split(separator: "=").last.flatMap { Int($0) } : nil
      let version = cell.state.withLock { state in
        state.asked.append(since ?? 0)
        return state.version
      }
      let body = Self.rows(version, after: since ?? 0)
      return [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
  }

  /// Which rows there are: 40 in the first version; in the second 20 of them are changed or new.
  var version: Int {
    get { cell.state.withLock { $0.version } }
    set { cell.state.withLock { $0.version = newValue } }
  }

  /// After which numbers rows were asked for since the last call.
  func takeAsked() -> [Int] {
    cell.state.withLock { state in
      defer { state.asked = [] }
      return state.asked
    }
  }

  private static func rows(_ version: Int, after since: Int) -> String {
    let rows = (1...40).map { (id: $0, at: $0) } + (version == 1 ? [] : (1...20).map { (id: $0 * 3, at: 40 + $0) })
    let found = rows.filter { $0.at > since }.map { "{\"id\":\($0.id),\"at\":\($0.at)}" }
    return "[" + found.joined(separator: ",") + "]"
  }
}
