import Foundation
import JSONSyntax
import ReactorCLI
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.serialized, .timeLimit(.minutes(1))) struct EventLogTests {
  static let lines = Array(String(repeating: "{\"v\":1,\"text\":\"something that happened\"}\n", count: 20_000).utf8)

  @Test func `a pipe without a reader delays neither the run nor its end`() async throws {
    let bench = try Workbench()
    let path = bench.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let log = EventLog(.path(path), patience: .milliseconds(50))
    // Whoever waited for the reader would wait until the end of the minute that a test of this suite has.
    for _ in 0..<100 { log.add(Self.lines) }
    let failure = await log.finish()
    #expect(failure?.hasPrefix("its reader stopped reading") == true)
  }

  @Test func `a full device is named and nothing waits for it`() async throws {
    let log = EventLog(.path("/dev/full"))
    log.add(Self.lines)
    #expect(await log.finish() == "no space left on device")
    log.add(Self.lines)
    #expect(await log.finish() == "no space left on device")
  }

  @Test func `a slow reader gets every byte`() async throws {
    let bench = try Workbench()
    let path = bench.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let log = EventLog(.path(path), patience: .seconds(20))
    for _ in 0..<3 { log.add(Self.lines) }
    // The reader comes after all was added, and takes its time by small pieces.
    let reader = open(path, O_RDONLY | O_CLOEXEC)
    async let failure = log.finish()
    let read = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1000)
        while bytes.count < 3 * Self.lines.count {
          let count = Glibc.read(reader, &piece, piece.count)
          guard count > 0 else { break }
          bytes += piece[..<count]
        }
        continuation.resume(returning: bytes)
      }
    }
    close(reader)
    #expect(await failure == nil)
    #expect(read == Self.lines + Self.lines + Self.lines)
  }

  @Test func `a reader that goes away ends the log alone`() async throws {
    signal(SIGPIPE, SIG_IGN)
    let bench = try Workbench()
    let path = bench.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let log = EventLog(.path(path))
    log.add([0x0A])
    #expect(await log.finish() == nil)
    close(reader)
    log.add(Self.lines)
    #expect(await log.finish() == "its reader went away")
  }

  @Test func `a file holds every line of a run, the first and the last included`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a", "b")])
    try bench.write("old content that is longer than nothing\n", to: "events.ndjson")
    let outcome = try await bench.run([
      "run", bench.path("flows"), "--report", "ndjson=\(bench.path("events.ndjson"))", "--root", bench.path("root"),
    ])
    #expect(outcome.code == 0, "\(outcome.err)")
    let lines = try String(contentsOfFile: bench.path("events.ndjson"), encoding: .utf8).split(separator: "\n")
      .map { try JSONValue(parsing: String($0)) }
    #expect(lines.map { $0["n"]?.int64 } == lines.indices.map { Int64($0) })
    #expect(lines.first?["event"]?.string == "run.planned")
    #expect(lines.last?["event"]?.string == "run.finished")
    #expect(lines.count { $0["event"]?.string == "flow.finished" } == 2)
  }

  @Test func `a run with a dead log ends with its lines and code 74`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a", "b")])
    let outcome = try await bench.run([
      "run", bench.path("flows"), "--report", "ndjson=/dev/full", "--no-timing", "--root", bench.path("root"),
    ])
    #expect(outcome.code == 74)
    #expect(outcome.out.contains("2 flows: 2 passed"))
    #expect(outcome.err == "error: event log '/dev/full' could not be written: no space left on device\n")
  }
}
