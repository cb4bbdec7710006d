import Foundation
import Testing

#if os(Linux)
  import Glibc

  /// Under which policy the threads of the program are scheduled while it runs.
  @Suite(.timeLimit(.minutes(2))) struct BatchSchedulingTests {
    /// The policies of all threads of a process, as `sched(7)` numbers them: 0 the usual one, 3 batch, 5 idle.
    private static func policies(of process: Int32) throws -> [Int] {
      let folder = "/proc/\(process)/task"
      return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { thread in
        let text = try String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8)
        // The name in brackets may hold anything; the policy is the 41st field, the state behind the name the third.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 38 ? Int(fields[38]) : nil
      }
    }

    @Test(arguments: [([], 3), (["chrt", "--idle", "0"], 5)] as [([String], Int)])
    func `all threads are batch work, unless somebody chose otherwise`(launcher: [String], policy: Int) async throws {
      let server = try SilentServer()
      let bench = try Workbench([
        "flows/shop.yaml": """
        reactor: 1
        http: { base_url: "http://127.0.0.1:\(server.port)" }
        defaults: { reachability: false }
        flows:
          a: { resource: /a, persistence: out/a.json }

        """
      ])
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments =
        ["--default-signal=INT,TERM"] + launcher + [ProcessTests.binary.path, "run", "--grace", "0s"]
      process.currentDirectoryURL = bench.folder
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      var connection: SilentServer.Connection?
      try await ProcessTests.runToEnd(process) {
        connection = try await server.accept()
        let found = Result { try Self.policies(of: process.processIdentifier) }
        kill(process.processIdentifier, SIGTERM)
        let policies = try found.get()
        #expect(policies.count > 3 && policies.allSatisfy { $0 == policy }, "\(policies)")
      }
      #expect(process.terminationStatus == 143)
      withExtendedLifetime(connection) {}
    }
  }
#endif
