import Foundation
import Synchronization
import TestSupport
import Testing

/// T1 for recordings: every file of a cassette is old or new, and recording again ends as if undisturbed.
@Suite(.serialized)
struct RecordKillTests {
  @Test func `a kill at any call while recording leaves old or new files and nothing else`() async throws {
    let bench = try await Studio()
    let shim = try await CallShim(below: bench.fixtures.path, in: bench.workspace.folder)
    var (trials, killed) = (0, 0)
    for number in stride(from: 1, through: 300, by: Torture.count(short: 12, full: 1)) {
      try bench.restore()
      let outcome = try await bench.record(environment: shim.killing(at: number)).end()
      trials += 1
      if outcome.status == 137 { killed += 1 }
      if Torture.isPlanted("t1-record") { try bench.tear() }
      var wrong = bench.thirds()
      // What is there can be replayed or is refused by name; it never ends the process.
      let replay = try await bench.workspace.reactor("test")
      if replay.status >= 128 { wrong.append("a replay ended with \(replay.status): \(replay.stderr)") }
      wrong += try await bench.recover()
      #expect(wrong == [], "call \(number)")
      if outcome.status != 137 { break }
    }
    #expect(!Torture.isFull || killed > 10)
    Torture.report("T1", "recording, killed at each call: \(trials) runs, \(killed) killed, 0 third states")
  }
}

/// A server of two versions and what was recorded of it.
private final class Studio {
  private final class Version: Sendable {
    let value = Mutex(1)
  }

  let workspace: Workspace
  private let version = Version()
  private let server: ScriptedServer
  private var old: [String: String] = [:]
  private var new: [String: String] = [:]

  init() async throws {
    workspace = try Workspace()
    server = try ScriptedServer { [version] request in
      let pad = String(repeating: "p", count: 100)
      let number = version.value.withLock { $0 }
      // The large response has a file of its own.
      let count = request.target == "/large" ? 60 : 3
      let body = "[" + (0..<count).map { #"{"id":\#($0),"v":\#(number),"pad":"\#(pad)"}"# }.joined(separator: ",") + "]"
      return [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)" }
      defaults: { reachability: false }
      schemas: { item: { key: id, fields: { id: integer, v: integer, pad: string } } }
      flows:
        small: { resource: /small, schema: item }
        large: { resource: /large, schema: item }

      """, to: "flows/s.yaml")
    try await make()
    old = contents()
    try FileManager.default.copyItem(at: fixtures, to: base)
    version.value.withLock { $0 = 2 }
    try await make()
    new = contents()
  }

  deinit { server.stop() }

  struct Failure: Error {
    let text: String
  }

  var fixtures: URL { workspace.folder.appendingPathComponent("fixtures") }
  private var base: URL { workspace.folder.appendingPathComponent("base") }

  private func make() async throws {
    let outcome = try await record().end()
    guard outcome.status == 0 else { throw Failure(text: outcome.stdout + outcome.stderr) }
  }

  /// Records; what a killed recording leaves of its results goes with the workspace.
  func record(environment: [String: String] = [:]) throws -> Program {
    try Program(
      try Repository.program("reactor"), ["record", "-j", "1", "--update", "all"], in: workspace.folder,
      environment: environment.merging(["TMPDIR": workspace.folder.path]) { $1 })
  }

  func restore() throws {
    try? FileManager.default.removeItem(at: fixtures)
    try FileManager.default.copyItem(at: base, to: fixtures)
  }

  /// All files below, without the time at which they were recorded.
  private func contents() -> [String: String] {
    let found = FileManager.default.enumerator(atPath: fixtures.path)?.allObjects ?? []
    var files: [String: String] = [:]
    for case let path as String in found {
      guard let data = FileManager.default.contents(atPath: fixtures.appendingPathComponent(path).path) else {
        continue
      }
      files[path] = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.contains("recorded_at") }.joined(separator: "\n")
    }
    return files
  }

  /// Files that are neither old nor new.
  func thirds() -> [String] {
    let now = contents()
    return Set(now.keys).union(old.keys).union(new.keys).sorted().filter { path in
      // Temporary files and locks of what was killed are taken away by the next one.
      if old[path] == nil, new[path] == nil { return false }
      return now[path] != old[path] && now[path] != new[path]
    }.map { "\($0) is neither old nor new" }
  }

  func recover() async throws -> [String] {
    let again = try await record().end()
    guard again.status == 0 else {
      return ["recording again ended with \(again.status): \(again.stdout)\(again.stderr)"]
    }
    let now = contents()
    var wrong = new.keys.sorted().filter { now[$0] != new[$0] }.map { "\($0) is not fixed" }
    wrong += now.keys.sorted().filter { new[$0] == nil }.map { "\($0) was left behind" }
    let replay = try await workspace.reactor("test")
    if replay.status != 0 { wrong.append("the replay ended with \(replay.status): \(replay.stdout)\(replay.stderr)") }
    return wrong
  }

  /// What a program that writes in place would leave.
  func tear() throws {
    let file = try FileHandle(forWritingTo: fixtures.appendingPathComponent("s.small/cassette.yaml"))
    try file.truncate(atOffset: 30)
    try file.close()
  }
}
