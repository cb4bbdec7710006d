import Foundation
import TestSupport
import Testing

/// Killed at any call, a result in several files is wholly old or wholly new, and a rerun ends as if undisturbed.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SplitKillTests {
  private static let item = "T1 split"

  private static func flows(_ server: ScriptedServer) -> String {
    """
    reactor: 1
    http: { base_url: "\(server.url)" }
    defaults: { reachability: false }
    flows:
      rows:
        resource: /rows
        schema: { key: id, fields: { id: integer, group: string, note: string } }
        persistence: "out/{{ record.group }}.jsonl"

    """
  }

  /// The records of a version: some files stay as they are, some change, one comes and one goes.
  private static func body(_ version: Int) -> String {
    let groups = ["same", "a", "b", version == 1 ? "gone" : "new"]
    let records = groups.enumerated().map { index, group in
      #"{"id":\#(index),"group":"\#(group)","note":"\#(group == "same" ? 0 : version)"}"#
    }
    return "[\(records.joined(separator: ","))]"
  }

  @Test func `all files are old or all are new`() async throws {
    guard let strace = await Strace(for: Self.item) else { return }
    let version = Version()
    let server = try ScriptedServer { _ in
      let body = Array(Self.body(version.value).utf8)
      return [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body)]
    }
    defer { server.stop() }
    let workspace = try Workspace()
    let root = workspace.folder.appendingPathComponent("results")
    let kept = workspace.folder.appendingPathComponent("kept")
    func run(_ option: String, _ wrapper: [String] = []) async throws -> Program.Outcome {
      let command =
        wrapper + [try Repository.program("reactor"), "run", "flows", option, "-j", "1", "--root", root.path]
      return await (try Program(command[0], Array(command.dropFirst()), in: workspace.folder)).end()
    }
    /// The files below `out`, with their content.
    func content() -> [String: Data] {
      let out = root.appendingPathComponent("out")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: out.path)) ?? []
      let files = names.filter { !$0.hasPrefix(".") }.map {
        ($0, try? Data(contentsOf: out.appendingPathComponent($0)))
      }
      return Dictionary(files.compactMap { name, data in data.map { (name, $0) } }) { first, _ in first }
    }
    try workspace.write(Self.flows(server), to: "flows/a.yaml")
    #expect(try await run("--fresh").status == 0)
    let old = content()
    try FileManager.default.copyItem(at: root, to: kept)
    version.value = 2
    #expect(try await run("--fresh").status == 0)
    let new = content()
    #expect(
      old.count == 4 && new.count == 4 && old["same.jsonl"] == new["same.jsonl"] && old["a.jsonl"] != new["a.jsonl"])

    var (killed, trials, finished) = (0, 0, 0)
    for calls in ["write,pwrite64", "fsync", "linkat,rename,renameat,renameat2", "unlink,unlinkat"] {
      for number in stride(from: 1, through: 60, by: 1) {
        try FileManager.default.removeItem(at: root)
        try FileManager.default.copyItem(at: kept, to: root)
        let outcome = try await run("--fresh", strace.wrapper(calls, "signal=KILL:when=\(number)"))
        trials += 1
        if outcome.status == 137 { killed += 1 }
        let left = content()
        // A run that only reads finds a whole result, and finishes what the killed one left.
        let read = try await run("--fresh=never")
        #expect(read.status == 0, "\(calls) number \(number): \(read.stdout)\(read.stderr)")
        let found = content()
        #expect(found == old || found == new, "\(calls) number \(number): \(found.keys.sorted())")
        if left != found { finished += 1 }
        #expect(try await run("--fresh").status == 0)
        #expect(content() == new, "\(calls) number \(number)")
        if outcome.status != 137 { break }
      }
    }
    #expect(killed > 3)
    Torture.report(
      Self.item,
      "\(trials) runs, \(killed) killed before their end, \(finished) finished by a reader, every result old or new")
  }
}

/// The version that the server sends.
private final class Version: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 1

  var value: Int {
    get { lock.withLock { number } }
    set { lock.withLock { number = newValue } }
  }
}
