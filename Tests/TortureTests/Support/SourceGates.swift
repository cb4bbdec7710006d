import Foundation
import Synchronization
import TestSupport

/// A source of rows that processes reach through a gate each, so that a response says which process has got it.
///
/// The gates are HTTP proxies. Each response has a serial number, which its rows carry.
final class SourceGates: Sendable {
  /// The host of the source, which only the gates know.
  static let url = "http://source.invalid"
  /// The records of the flow that other flows have as their parent.
  static let parents = 4
  /// The parents of the flow that is requested by all processes.
  static let many = 170

  /// What a process has requested.
  struct Pull: Sendable {
    let process: Int
    let flow: String
    /// Whether the whole response was given to the kernel.
    var isSent = false
  }

  private struct State {
    var round = 0
    var pulls: [Pull] = []
    var random = SeededGenerator(Torture.seed)
  }

  private final class Cell: Sendable { let state = Mutex(State()) }

  private let cell = Cell()
  private let gates = Mutex<[ScriptedServer]>([])

  deinit { for gate in gates.withLock({ $0 }) { gate.stop() } }

  /// Lets the rows be those of a round, and forgets earlier requests.
  func begin(round: Int) {
    for gate in gates.withLock({ gates in
      defer { gates = [] }
      return gates
    }) {
      gate.stop()
    }
    cell.state.withLock { state in
      state.round = round
      // Serial numbers go on, so that a row of an earlier round is not taken for one of this.
      state.pulls = []
    }
  }

  /// Opens the gate of a process.
  ///
  /// - Returns: its URL
  func open(for process: Int) throws -> String {
    let cell = cell
    let gate = try ScriptedServer { request in
      let flow = String(request.target.dropFirst(Self.url.utf8.count + 1))
      let (round, serial, pause) = cell.state.withLock { state in
        state.pulls.append(Pull(process: process, flow: flow))
        let pause = flow.hasPrefix("many") ? 1...10 : 20...350
        return (state.round, state.pulls.count - 1, Int.random(in: pause, using: &state.random))
      }
      let body = "[\(Self.rows(flow, round, serial).joined(separator: ","))]"
      return [
        .pause(milliseconds: pause),
        .send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)),
        .until { _ in
          cell.state.withLock { $0.pulls[serial].isSent = true }
          return true
        },
      ]
    }
    gates.withLock { $0.append(gate) }
    return gate.url
  }

  /// The requests of the round; the index of each is its serial number.
  var pulls: [Pull] { cell.state.withLock { $0.pulls } }

  /// The ids of the rows of a whole response, or of the responses for all parents.
  static func ids(of flow: String) -> [Int] {
    switch flow {
    case "top": Array(0..<parents)
    case "large": Array(0..<4000)
    case "many": Array(0..<many)
    case _ where flow.hasPrefix("below"): (0..<parents).flatMap { ids(below: $0) }
    default: Array(0..<30)
    }
  }

  private static func ids(below parent: Int) -> [Int] { (0..<5).map { parent * 100 + $0 } }

  private static func rows(_ target: String, _ round: Int, _ serial: Int) -> [String] {
    let parts = target.split(separator: "/").map(String.init)
    let parent = parts.count == 2 ? Int(parts[1]) ?? 0 : nil
    let ids = parent.map { parts[0] == "many" ? [$0] : Self.ids(below: $0) } ?? ids(of: target)
    return ids.map { #"{"id":\#($0),"round":\#(round),"serial":\#(serial)}"# }
  }
}
