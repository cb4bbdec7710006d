import Foundation
import TestSupport
import Testing

/// The shipped recordings, replayed where there is no network.
@Suite(.timeLimit(.minutes(3))) struct ReplayTests {
  /// Runs `scripts/replay`.
  private func replay(_ arguments: String..., in folder: URL = Repository.root) async throws -> Program.Outcome {
    let outcome = try await Program(
      folder.appendingPathComponent("scripts/replay").path, arguments, in: folder,
      environment: ["REACTOR": Repository.program("reactor")]
    ).end(within: 120)
    for line in outcome.stdout.split(separator: "\n") where line.hasPrefix("replay: not") || line.contains("without") {
      print("skipped: \(line.dropFirst(8))")
    }
    return outcome
  }

  @Test func `all shipped flows are recorded, and replay without a socket as their goldens say`() async throws {
    let outcome = try await replay()
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    let listed = try await Workspace().reactor("list", Repository.flows.path, "--format", "json")
    let flows = try #require(try Records.value(listed.stdout) as? [String: NSObject])["flows"] as? [NSObject]
    let count = try #require(flows?.count)
    #expect(count >= 60)
    #expect(outcome.stdout.contains("\(count) flows: \(count) passed"), "\(outcome.stdout)")
  }

  @Test func `a changed recording and a socket are reported`() async throws {
    let workspace = try Workspace()
    let files = FileManager.default
    for name in ["flows", "schemas", "fixtures", "scripts"] {
      try files.copyItem(
        at: Repository.root.appendingPathComponent(name), to: workspace.folder.appendingPathComponent(name))
    }
    let golden = "fixtures/demo.rates/records.jsonl"
    let text = try #require(workspace.text(golden))
    try workspace.write(text.replacingOccurrences(of: "\"base\":\"", with: "\"base\":\"X"), to: golden)
    let changed = try await replay("-s", "demo.rates", in: workspace.folder)
    #expect(changed.status == 1, "\(changed.stdout)\(changed.stderr)")
    try workspace.write(text, to: golden)
    #expect(try await replay("-s", "demo.rates", in: workspace.folder).status == 0)

    // A program that opens a socket in place of reactor.
    let watched = try await workspace.shell("strace -f -o /dev/null true")
    guard watched.status == 0 else { return print("skipped: strace is not installed or not permitted") }
    try workspace.write(
      "#!/bin/sh\npython3 -c 'import socket; socket.socket(); print(1)'\n", to: "socket")
    try files.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: workspace.folder.appendingPathComponent("socket").path)
    let caught = try await Program(
      workspace.folder.appendingPathComponent("scripts/replay").path, [], in: workspace.folder,
      environment: ["REACTOR": workspace.folder.appendingPathComponent("socket").path]
    ).end()
    #expect(caught.status != 0 && caught.stderr.contains("a socket was opened"), "\(caught.stdout)\(caught.stderr)")
  }
}
