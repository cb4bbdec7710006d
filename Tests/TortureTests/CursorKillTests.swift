import Foundation
import TestSupport
import Testing

/// Killed at any call, a result that grows and what is remembered with it are both old or both new, and a rerun ends as if
/// undisturbed.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CursorKillTests {
  private static let item = "T1 cursor"

  /// A flow that remembers one value, and one that remembers one for each parent.
  private static func flows(_ server: ScriptedServer) -> String {
    """
    reactor: 1
    http: { base_url: "\(server.url)" }
    defaults: { reachability: false }
    schemas: { row: { key: id, fields: { id: integer, at: integer } } }
    flows:
      one:
        resource: /rows
        schema: row
        persistence: { path: out/one.jsonl, mode: merge }
        cursor: { field: at, query: since, bounds: "()" }
      each:
        each: { values: [a, b] }
        resource: "/rows/{{ value }}"
        schema: row
        persistence: { path: out/each.jsonl, mode: merge }
        cursor: { field: at, query: since, bounds: "()" }

    """
  }

  private static let files = ["one.jsonl", "each.jsonl"]

  @Test func `data and what is remembered of it stay together`() async throws {
    guard let strace = await Strace(for: Self.item) else { return }
    let versions = try VersionedRows()
    defer { versions.server.stop() }
    let workspace = try Workspace()
    let root = workspace.folder.appendingPathComponent("results")
    let kept = workspace.folder.appendingPathComponent("kept")
    func run(_ wrapper: [String] = []) async throws -> Program.Outcome {
      let command = wrapper + [try Repository.program("reactor"), "run", "flows", "-j", "1", "--root", root.path]
      return await (try Program(command[0], Array(command.dropFirst()), in: workspace.folder)).end()
    }
    func content() -> [Data?] {
      Self.files.map { try? Data(contentsOf: root.appendingPathComponent("out/\($0)")) }
    }
    try workspace.write(Self.flows(versions.server), to: "flows/a.yaml")
    #expect(try await run().status == 0)
    let old = content()
    try FileManager.default.copyItem(at: root, to: kept)
    versions.version = 2
    #expect(try await run().status == 0)
    let new = content()
    #expect(old.allSatisfy { $0 != nil } && zip(old, new).allSatisfy { $0 != $1 })

    var (killed, trials) = (0, 0)
    for calls in ["write,pwrite64", "fsync", "linkat,rename,renameat,renameat2", "unlink,unlinkat"] {
      for number in stride(from: 1, through: 60, by: Torture.count(short: 4, full: 1)) {
        try FileManager.default.removeItem(at: root)
        try FileManager.default.copyItem(at: kept, to: root)
        let outcome = try await run(strace.wrapper(calls, "signal=KILL:when=\(number)"))
        trials += 1
        if outcome.status == 137 { killed += 1 }
        let found = content()
        for index in found.indices {
          #expect(found[index] == old[index] || found[index] == new[index], "\(calls) number \(number)")
        }
        _ = versions.takeAsked()
        #expect(try await run().status == 0)
        #expect(content() == new, "\(calls) number \(number)")
        // What is remembered never runs ahead of the data; where nothing is known of a result, everything is asked for.
        for since in versions.takeAsked() { #expect([0, 40, 60].contains(since), "\(calls) number \(number)") }
        _ = try await run()
        #expect(Set(versions.takeAsked()) == [60], "\(calls) number \(number)")
        if outcome.status != 137 { break }
      }
    }
    #expect(killed > 3)
    Torture.report(Self.item, "\(trials) runs, \(killed) killed before their end, every result old or new")
  }
}
