import Foundation
import TestSupport
import Testing

/// Killed at any call, a run that stores files leaves each file whole or absent, no record without its file, and a rerun
/// ends as if undisturbed.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DownloadKillTests {
  private static let item = "T1 download"

  private static func content(_ id: Int) -> [UInt8] { [UInt8](repeating: UInt8(id), count: 1_000_000 + id * 100_000) }

  @Test func `a killed run leaves whole files, and the next one completes them`() async throws {
    guard let strace = await Strace(for: Self.item) else { return }
    let server = try ScriptedServer { request in
      let body = Self.content(request.target.last?.wholeNumberValue ?? 0)
      let head = "HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: \(body.count)\r\n\r\n"
      return [.send(Array(head.utf8)), .send(body)]
    }
    defer { server.stop() }
    let workspace = try Workspace()
    let root = workspace.folder.appendingPathComponent("results")
    let result = root.appendingPathComponent("out/files.jsonl")
    func run(_ wrapper: [String] = []) async throws -> Program.Outcome {
      let command =
        wrapper + [try Repository.program("reactor"), "run", "flows", "-j", "1", "--fresh", "--root", root.path]
      return await (try Program(command[0], Array(command.dropFirst()), in: workspace.folder)).end()
    }
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)" }
      defaults: { reachability: false }
      flows:
        files:
          each: { values: [1, 2, 3], as: doc, concurrency: 2 }
          resource: "/docs/{{ doc }}"
          download: "files/{{ doc }}.pdf"
          persistence: out/files.jsonl

      """, to: "flows/a.yaml")
    /// The files that are there under their own names; each must be whole.
    func whole(_ words: String) throws -> Set<String> {
      let folder = root.appendingPathComponent("files")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      var found: Set<String> = []
      for name in names where !name.hasPrefix(".") {
        let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
        #expect(bytes == Data(Self.content(name.first?.wholeNumberValue ?? 0)), "\(words) \(name)")
        found.insert("files/" + name)
      }
      return found
    }
    func paths() -> [String] {
      guard let text = try? String(contentsOf: result, encoding: .utf8) else { return [] }
      return text.split(separator: "\n").compactMap { line in
        let record = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return record?["path"] as? String
      }
    }
    let all = ["files/1.pdf", "files/2.pdf", "files/3.pdf"]
    var (killed, trials, partial) = (0, 0, 0)
    for calls in ["write,pwrite64", "fsync", "linkat,rename,renameat,renameat2", "unlink,unlinkat"] {
      for number in stride(from: 1, through: 80, by: Torture.count(short: 4, full: 1)) {
        try? FileManager.default.removeItem(at: root)
        // The files of an earlier run are replaced.
        if number % 2 == 0 { #expect(try await run().status == 0) }
        let outcome = try await run(strace.wrapper(calls, "signal=KILL:when=\(number)"))
        trials += 1
        let words = "\(calls) number \(number)"
        let found = try whole(words)
        #expect(Set(paths()).isSubset(of: found), "\(words)")
        #expect(try await run().status == 0, "\(words)")
        #expect(try whole(words) == Set(all) && paths() == all, "\(words)")
        let names = try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("files").path)
        #expect(names.filter { $0.hasPrefix(".reactor-tmp") } == [], "\(words)")
        guard outcome.status == 137 else { break }
        killed += 1
        if found.count < all.count { partial += 1 }
      }
    }
    #expect(killed > 3 && partial > 0)
    Torture.report(Self.item, "\(trials) runs, \(killed) killed before their end, \(partial) with some of the files")
  }
}
