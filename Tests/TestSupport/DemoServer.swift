internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif
#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The demo shop, running for one test.
package final class DemoServer {
  /// `http://127.0.0.1:PORT`
  package let address: String
  private let program: Program

  package init() async throws {
    let program = try Program(Repository.program("demo-api"), ["--port", "0"], in: Repository.root)
    let prefix = "listening on "
    let isReady = await program.wait { $0.stdout.hasSuffix("\n") && $0.stdout.hasPrefix(prefix) }
    guard isReady else { throw Repository.Missing(what: "the demo server's announcement: \(program.stderr)") }
    self.program = program
    address = program.stdout.dropFirst(prefix.count).trimmingCharacters(in: .newlines)
  }

  deinit { program.signal(SIGKILL) }

  /// What flows need to find it.
  package var environment: [String: String] { ["REACTOR_VAR_BASE_URL": address] }

  /// Ends it in the way an operator would.
  package func stop() async -> Program.Outcome {
    program.signal(SIGTERM)
    return await program.end(within: 10)
  }

  /// How often each path was asked since the start.
  package func requests() async throws -> [String: Int] {
    guard let url = URL(string: "\(address)/v1/status") else {
      throw Repository.Missing(what: "an address in '\(address)'")
    }
    let (body, _) = try await URLSession.shared.data(from: url)
    struct Status: Decodable { var requests: [String: Int] }
    return try JSONDecoder().decode(Status.self, from: body).requests
  }
}
