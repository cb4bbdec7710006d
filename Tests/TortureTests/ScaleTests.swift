import Foundation
import TestSupport
import Testing

/// T12: many flows, few descriptors, a response sixteen times larger than the memory there is.
@Suite(.serialized)
struct ScaleTests {
  private static let item = "T12"

  @Test func `memory and descriptors do not grow with the number of flows`() async throws {
    let crowd = try Crowd()
    let few = Torture.count(short: 100, full: 1000)
    let many = few * (Torture.isFull ? 10 : 5)
    let small = try await crowd.run(few)
    let large = try await crowd.run(many)
    for (run, count) in [(small, few), (large, many)] {
      #expect(run.outcome.status == 0, "\(run.outcome.stderr.prefix(1000))")
      #expect(run.files == count)
    }
    let growth = Double(large.peakKiB - small.peakKiB) / Double(many - few) * 1000 / 1024
    // Declaration, plan and report of a flow stay for the whole run: 70 to 80 MiB. A response that stayed with each flow
    // would be many times that.
    #expect(growth < 100, "\(growth) MiB for each 1,000 flows")
    #expect(large.connections <= 8, "\(large.connections) connections at once")
    Torture.report(
      Self.item,
      "\(many) flows in \(large.outcome.seconds) s, peak \(large.peakKiB / 1024) MiB, \(growth) MiB for each 1,000 flows, "
        + "at most \(large.descriptors) descriptors and \(large.connections) connections")
  }

  @Test func `sixty-four descriptors are enough for any number of flows`() async throws {
    let crowd = try Crowd()
    let count = Torture.count(short: 200, full: 5000)
    let limit = Torture.isPlanted("t12-descriptors") ? 14 : 64
    let run = try await crowd.run(count, through: ["/bin/sh", "-c", "ulimit -n \(limit); exec \"$0\" \"$@\""])
    #expect(run.outcome.status == 0, "\(run.outcome.stderr.prefix(1000))")
    #expect(run.files == count)
    Torture.report(Self.item, "\(count) flows with ulimit -n 64: all stored, at most \(run.descriptors) open")
  }

  @Test func `a response larger than the memory is stored whole`() async throws {
    let size = Torture.count(short: 128, full: 1024) << 20
    let limit = 64 << 20
    let piece = Array(
      ((0..<1000).map { _ in #"{"id":12345,"pad":"\#(String(repeating: "z", count: 1000))"}"# + "," }).joined().utf8)
    let pieces = size / piece.count + 1
    let tail = Array(#"{"id":0,"pad":""}]"#.utf8)
    let server = try ScriptedServer { _ in
      [
        .send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(1 + pieces * piece.count + tail.count)\r\n\r\n[".utf8)),
        .repeat(piece, count: pieces), .send(tail),
      ]
    }
    defer { server.stop() }
    let workspace = try Workspace()
    // Planted: a form that must be held in memory as a whole.
    let records = Torture.isPlanted("t12-memory") ? "$[?@.id > 5]" : "$[*]"
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)", timeout: 10m }
      flows:
        big:
          resource: /big
          records: "\(records)"
          reachability: false
          schema: { fields: { id: integer, pad: string } }
          persistence: out/big.jsonl

      """, to: "flows/a.yaml")
    let group = Sanitizer.isOn ? nil : MemoryGroup(bytes: limit)
    let command = (group?.wrapper ?? []) + [try Repository.program("reactor"), "run", "--fresh"]
    let program = try Program(command[0], Array(command.dropFirst()), in: workspace.folder)
    let watch = Watch(program)
    let outcome = await watch.end(within: 600)
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.contains(" \(pieces * 1000 + 1) records"))
    #expect(watch.peakKiB << 10 <= limit, "\(watch.peakKiB) KiB")
    let attributes = try FileManager.default.attributesOfItem(atPath: workspace.folder.path + "/out/big.jsonl")
    let stored = attributes[.size] as? Int ?? 0
    #expect(stored > size)
    let way =
      group == nil ? "(no memory cgroup can be made here: by the measured peak)" : "in a memory cgroup of 64 MiB"
    Torture.report(
      Self.item,
      "\(size >> 20) MiB response \(way): \(stored) bytes stored in \(outcome.seconds) s, peak \(watch.peakKiB) KiB")
  }
}
