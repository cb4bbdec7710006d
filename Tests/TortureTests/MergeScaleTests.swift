import Foundation
import TestSupport
import Testing

/// T13: merging into a large result needs no more memory than merging into a small one.
@Suite(.serialized)
struct MergeScaleTests {
  private static let item = "T13"

  @Test func `memory does not grow with the result that is merged into`() async throws {
    let small = try await Self.merge(into: Torture.count(short: 10_000, full: 100_000))
    let large = try await Self.merge(into: Torture.count(short: 100_000, full: 2_000_000))
    #expect(large.peakKiB - small.peakKiB < 6 << 10, "\(small.peakKiB) KiB, then \(large.peakKiB) KiB")
    Torture.report(
      Self.item,
      "1,000 records into \(small.count): \(small.peakKiB) KiB; into \(large.count): \(large.peakKiB) KiB in \(large.seconds) s"
    )
  }

  private static func merge(into count: Int) async throws -> (count: Int, peakKiB: Int, seconds: Double) {
    let record: @Sendable (Int, Int) -> String = { id, version in
      #"{"id":\#(id),"version":\#(version),"pad":"\#(String(repeating: "z", count: 60))"}"#
    }
    // Planted: all of the old records are new ones too, so that their keys are held.
    let pulled = Torture.isPlanted("t13") ? count : 1000
    let body = "[" + (0..<pulled).map { record($0 * (count / pulled), 2) }.joined(separator: ",") + "]"
    let server = try ScriptedServer { _ in
      [
        .send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n".utf8)), .send(Array(body.utf8)),
      ]
    }
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)", timeout: 10m }
      flows:
        big:
          resource: /big
          reachability: false
          schema: { key: id, fields: { id: integer, version: integer, pad: string } }
          persistence: { path: out/big.jsonl, mode: merge }

      """, to: "flows/a.yaml")
    try workspace.write((0..<count).map { record($0, 1) + "\n" }.joined(), to: "out/big.jsonl")
    let old = try #require(workspace.bytes("out/big.jsonl"))
    var (peak, seconds) = (0, 0.0)
    // On a busy machine the watch may look too late to see anything.
    for _ in 0..<(Sanitizer.isOn ? 1 : 5) where peak < 8 << 10 {
      try Data(old).write(to: workspace.folder.appendingPathComponent("out/big.jsonl"))
      let program = try Program(try Repository.program("reactor"), ["run", "--fresh"], in: workspace.folder)
      let watch = Watch(program)
      let outcome = await watch.end(within: 600)
      #expect(outcome.status == 0, "\(outcome.stderr)")
      (peak, seconds) = (watch.peakKiB, outcome.seconds)
    }
    #expect(peak >= 8 << 10 || Sanitizer.isOn, "nothing was measured")
    let text = try #require(workspace.text("out/big.jsonl"))
    #expect(text.utf8.count { $0 == 0x0A } == count)
    #expect(text.components(separatedBy: "\"version\":2").count - 1 == pulled)
    return (count, peak, seconds)
  }
}
