import Foundation
import TestSupport
import Testing

/// T10: a tenth of the flows is hostile (YAML, HTTP, storage); the others end, byte for byte, as in a run without them.
@Suite(.serialized)
struct IsolationTests {
  @Test func `hostile flows change nothing for the others`() async throws {
    let good = Torture.count(short: 90, full: 900)
    let seeds = Torture.count(short: 1, full: 20)
    var differing = 0
    let neighbourhood = try Neighbourhood(good: good)
    for seed in 0..<seeds {
      var random = SeededGenerator(Torture.seed &+ UInt64(seed))
      let alone = try await neighbourhood.run(hostile: 0, &random)
      #expect(alone.outcome.status == 0, "\(alone.outcome.stderr.prefix(2000))")
      #expect(alone.results.count == good)
      let beset = try await neighbourhood.run(hostile: good / 9, &random)
      let changed = alone.results.filter { beset.results[$0.key] != $0.value }.map(\.key).sorted()
      differing += changed.count
      #expect(changed == [], "seed \(seed): these differ from a run without hostile flows")
      let extra = Set(beset.results.keys).subtracting(alone.results.keys).sorted()
      #expect(extra == [], "seed \(seed): hostile results")
      let summary = try Summary(parsing: beset.outcome.stdout)
      #expect(summary.exit == beset.outcome.status)
      #expect(beset.outcome.status == 74, "the worst of the hostile ones is a result that cannot be written")
      let bad = summary.flows.filter { !$0.name.hasPrefix("g") }
      let unnamed = bad.filter { $0.status == "passed" || $0.error?.message.isEmpty ?? true }.map(\.id)
      #expect(unnamed == [], "seed \(seed): without a named error")
      let broken = Set(summary.problems.compactMap(\.file))
      #expect(bad.count + broken.count == good / 9, "seed \(seed): \(broken.sorted())")
      #expect(summary.counts["passed"] == good)
      #expect(beset.leftovers == [])
    }
    let facts = "\(good) flows beside \(good / 9) hostile ones, \(seeds) seeds"
    Torture.report("T10", "\(facts): \(differing) results differ from a run without them")
  }
}

/// Good flows, and hostile ones between them.
private final class Neighbourhood {
  struct Result {
    var outcome: Program.Outcome
    var results: [String: Data]
    var leftovers: [String]
  }

  private let good: Int
  private let server: ScriptedServer

  init(good: Int) throws {
    self.good = good
    server = try ScriptedServer { request in
      let words = request.target.split(separator: "/")
      let number = words.last.flatMap { Int($0) } ?? 0
      guard words.first == "good" else { return Hostility.steps(number) }
      let isSpoilt = Torture.isPlanted("t10") && words[1] == "beset" && number == 7
      let lines = (0..<(5 + number % 40)).map { #"{"id":\#($0),"of":\#(number),"ok":\#(!isSpoilt)}"# }
      let body = "[" + lines.joined(separator: ",") + "]"
      return [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
  }

  deinit { server.stop() }

  /// A run in a fresh folder. Of the hostile flows, seven tenths are HTTP; the others are half storage, half YAML.
  func run(hostile: Int, _ random: inout SeededGenerator) async throws -> Result {
    let workspace = try Workspace()
    let broken = hostile * 3 / 20
    let unwritable = hostile * 3 / 20
    let answers = hostile - broken - unwritable
    var plain = (0..<good).map { flow("g\($0)", "/good/\(hostile > 0 ? "beset" : "alone")/\($0)", "out/g\($0).jsonl") }
    var endless: [String] = []
    for number in 0..<answers {
      let kind = number < Hostility.count ? number : Int.random(in: 0..<Hostility.count, using: &random)
      let text = flow("h\(number)", "/bad/\(kind)", "out/h\(number).jsonl")
      if kind >= Hostility.firstEndless { endless.append(text) } else { plain.append(text) }
    }
    let folder = workspace.folder.path
    for number in 0..<unwritable {
      let path = "out/s\(number).jsonl"
      try workspace.write("kept", to: "out/target\(number)")
      switch Int.random(in: 0..<3, using: &random) {
      case 0: try workspace.write("", to: "\(path)/in-a-folder")
      case 1:
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(path)", withDestinationPath: "target\(number)")
      default: break
      }
      let isBelowFile = !FileManager.default.fileExists(atPath: "\(folder)/\(path)")
      plain.append(flow("s\(number)", "/good/alone/\(number)", isBelowFile ? "out/target\(number)/s.jsonl" : path))
    }
    plain.shuffle(using: &random)
    let files = 10
    for number in 0..<files {
      let flows = stride(from: number, to: plain.count, by: files).map { plain[$0] }
      try workspace.write(head("") + flows.joined(), to: "flows/\(number).yaml")
    }
    if !endless.isEmpty {
      try workspace.write(head(", timeout: 1s, max_bytes: 1MB") + endless.joined(), to: "flows/e.yaml")
    }
    for number in 0..<broken {
      try Hostility.file(number).write(to: workspace.folder.appendingPathComponent("flows/broken\(number).yaml"))
    }
    let outcome = try await workspace.reactor(
      "run", "--format", "json", "-j", "32", "--max-per-host", "16", within: 120)
    var results: [String: Data] = [:]
    var leftovers: [String] = []
    for path in workspace.files(hidden: true) where path.hasPrefix("out/") {
      if path.contains(".reactor-tmp") || path.hasSuffix(".reactor.lock") { leftovers.append(path) }
      if path.hasSuffix(".jsonl"), workspace.isRealFile(path) { results[path] = workspace.bytes(path) }
    }
    return Result(outcome: outcome, results: results, leftovers: leftovers)
  }

  private func head(_ more: String) -> String { "reactor: 1\nhttp: { base_url: \"\(server.url)\"\(more) }\nflows:\n" }

  private func flow(_ name: String, _ resource: String, _ path: String) -> String {
    """
      \(name):
        resource: \(resource)
        records: $[*]
        reachability: false
        prune: false
        schema: { fields: { id: integer, of: integer?, ok: boolean? } }
        persistence: \(path)

    """
  }
}

extension Workspace {
  /// Whether a path is a file itself and no link to one.
  fileprivate func isRealFile(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: folder.appendingPathComponent(path).path)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }
}
