import Foundation
import ProgramCalls
import TestSupport
import Testing

/// Calls of real programs.
@Suite(.timeLimit(.minutes(1)))
struct ProgramCallTests {
  private func call(_ words: String..., limit: Duration = .seconds(30)) -> ProgramCall {
    ProgramCall(words, environment: ["PATH": "/usr/bin:/bin", "NAME": "a b"], limit: limit)
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `a program gets its words, its environment and its input, and its output is returned`() async throws {
    var call = call("sh", "-c", #"cat; printf '%s|' "$@" "$NAME"; echo wrong >&2; exit 3"#, "sh", "$HOME `id`", "é\n")
    call.input = Array("in ".utf8)
    let outcome = try await call.run()
    #expect(text(outcome.output) == "in $HOME `id`|é\n|a b|")
    #expect(text(outcome.errors) == "wrong\n")
    #expect(outcome.code == 3)
    #expect(!outcome.isSuccess)
  }

  @Test func `more input and output than a pipe holds passes through`() async throws {
    var call = call("cat")
    call.input = [UInt8](repeating: 0x61, count: 1 << 20)
    call.largestOutput = 1 << 20
    #expect(try await call.run().output == call.input)
    call.largestOutput = 1000
    let outcome = try await call.run()
    #expect(outcome.output.count == 1000)
    #expect(outcome.isCut)
  }

  @Test func `a program that does not read its input is no failure`() async throws {
    var call = call("true")
    call.input = [UInt8](repeating: 0x61, count: 1 << 20)
    #expect(try await call.run().isSuccess)
  }

  @Test func `when its time is over, a program is killed with all that it has started`() async throws {
    let workspace = try Workspace()
    let pids = workspace.folder.appendingPathComponent("pids").path
    let call = call("sh", "-c", "sleep 60 & echo $! $$ > \(pids); wait", limit: .milliseconds(500))
    await #expect(throws: ProgramCall.Failure.timeLimit) { try await call.run() }
    for word in try #require(workspace.text("pids")).split(whereSeparator: \.isWhitespace) {
      try await expectEnd(of: #require(Int32(word)))
    }
  }

  @Test func `a program that leaves another one behind has ended, and the other one is killed`() async throws {
    let outcome = try await call("sh", "-c", "sleep 60 & echo $!").run()
    #expect(outcome.isSuccess)
    let words = text(outcome.output).trimmingCharacters(in: .whitespacesAndNewlines)
    try await expectEnd(of: #require(Int32(words)))
  }

  /// Waits until a process has ended; the test's time limit is the limit.
  private func expectEnd(of process: Int32) async throws {
    // A process that nobody has waited for yet is a zombie.
    while let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8), !state.contains(") Z") {
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  @Test func `a program that is not there, and a word with NUL, are failures with a reason`() async {
    await #expect(throws: ProgramCall.Failure.notStarted("no such file or directory")) {
      try await call("/no/such/program").run()
    }
    await #expect(throws: ProgramCall.Failure.notStarted("a word contains a NUL character")) {
      try await call("echo", "a\0b").run()
    }
    await #expect(throws: ProgramCall.Failure.notStarted("it has no name")) { try await call("").run() }
  }

  @Test func `signals that this process blocks or ignores end a called program`() async throws {
    let outcome = try await call("sh", "-c", "kill -TERM $$; sleep 60").run()
    #expect(outcome.code == nil)
  }
}
