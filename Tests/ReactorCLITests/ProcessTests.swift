import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// The built program as a process of its own.
@Suite(.timeLimit(.minutes(2))) struct ProcessTests {
  struct Ended {
    let code: Int32
    let out: String
    let err: String
  }

  static var binary: URL {
    let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let repository = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let locations = [
      executable.deletingLastPathComponent(),
      URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
      repository.appendingPathComponent(".build/debug"),
    ]
    let candidates = locations.map { $0.appendingPathComponent("reactor") }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? candidates[0]
  }

  /// Runs a shell line in which `$REACTOR` is the program and the working folder is the bench.
  func shell(_ line: String, in bench: Workbench) async throws -> Ended {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = bench.folder
    process.environment = ["REACTOR": Self.binary.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
    let (out, err) = (bench.path("process.out"), bench.path("process.err"))
    try Data().write(to: URL(fileURLWithPath: out))
    try Data().write(to: URL(fileURLWithPath: err))
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: out))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: err))
    process.standardInput = FileHandle.nullDevice
    try await Self.runToEnd(process)
    return Ended(
      code: process.terminationStatus, out: try String(contentsOfFile: out, encoding: .utf8),
      err: try String(contentsOfFile: err, encoding: .utf8))
  }

  /// Waits without holding one of the few threads that all tests share.
  static func runToEnd(_ process: Process, meanwhile: () async throws -> Void = {}) async throws {
    let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in continuation.finish() }
    try process.run()
    try await meanwhile()
    for await _ in ended {}
  }

  @Test(
    arguments: [
      ("version", 0, "reactor 0.1.0\n", ""), ("--version", 0, "reactor 0.1.0\n", ""), ("-V", 0, "reactor 0.1.0\n", ""),
      ("check", 0, "ok  2 flows in 1 file\n", ""), ("list", 0, "shop.a  flows/shop.yaml:4  [t-a]\n", ""),
      ("explain prune", 0, "prune (in ", ""), ("explain shop.a", 0, "shop.a\n", ""), ("help run", 0, "Examples:", ""),
      ("--help", 0, "reactor explain persistence.expires_after", ""), ("run --help", 0, "--max-per-host", ""),
      ("schema", 0, "\"title\": \"reactor flow file\"", ""), ("nope", 2, "", "unknown command 'nope'"),
      ("run --nope", 2, "", "Unknown option '--nope'"),
      ("check nowhere.yaml", 3, "", "the file or folder 'nowhere.yaml' does not exist"),
      ("run -s zzz", 4, "", "no flow is selected"), ("run", 5, "2 flows: 0 passed, 2 errors", "[run.no-connectivity]"),
    ])
  func `commands end with their codes`(arguments: String, code: Int32, out: String, err: String) async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a", "b")])
    let ended = try await shell("\"$REACTOR\" \(arguments)", in: bench)
    #expect(ended.code == code, "\(ended.out)\(ended.err)")
    #expect(out.isEmpty ? ended.out.isEmpty : ended.out.contains(out), "\(ended.out)")
    #expect(err.isEmpty ? ended.err.isEmpty : ended.err.contains(err), "\(ended.err)")
  }

  @Test(arguments: ["list", "run --no-timing", "schema", "run --format json"])
  func `a reader that goes away changes nothing about the code`(arguments: String) async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a", "b")])
    let expected = try await shell("\"$REACTOR\" \(arguments)", in: bench).code
    let ended = try await shell("\"$REACTOR\" \(arguments) 2>err.txt | true; echo ${PIPESTATUS[0]}", in: bench)
    #expect(ended.out == "\(expected)\n")
    let closed = try await shell(
      "exec 3>&1; { \"$REACTOR\" \(arguments) 2>/dev/null; echo $? >&3; } | head -c 1 >/dev/null", in: bench)
    #expect(closed.out == "\(expected)\n")
    #expect(
      !FileManager.default.contents(atPath: bench.path("err.txt")).map { String(decoding: $0, as: UTF8.self) }.orEmpty
        .contains("could not be written"))
  }

  @Test func `an output that cannot be written is reported and ends with 74`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a")])
    let ended = try await shell("\"$REACTOR\" list > /dev/full", in: bench)
    #expect(ended.code == 74)
    #expect(ended.err.contains("standard output could not be written: no space left on device"))
  }

  @Test func `colours come only where they are wanted`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a")])
    #expect(!(try await shell("\"$REACTOR\" run 2>&1", in: bench).out.contains("\u{1B}")))
    #expect(try await shell("FORCE_COLOR=1 \"$REACTOR\" run", in: bench).out.contains("\u{1B}[1;31mERROR"))
    #expect(try await shell("NO_COLOR=1 FORCE_COLOR=1 \"$REACTOR\" run", in: bench).out.contains("\u{1B}") == false)
    #expect(try await shell("FORCE_COLOR=1 \"$REACTOR\" run", in: bench).out.contains("\u{1B}"))
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func `a signal ends the run cleanly`(number: Int32, code: Int32) async throws {
    let server = try SilentServer()
    let flows = """
      reactor: 1
      http: { base_url: "http://127.0.0.1:\(server.port)" }
      defaults: { reachability: false }
      flows:
        a: { resource: /a, persistence: out/a.json }
        b: { resource: /b }

      """
    let bench = try Workbench(["flows/shop.yaml": flows])
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // Whoever started the tests may have told them to ignore SIGINT, which the program would respect.
    process.arguments = ["--default-signal=INT,TERM", Self.binary.path, "run", "--grace", "0s", "--format", "json"]
    process.currentDirectoryURL = bench.folder
    try Data().write(to: URL(fileURLWithPath: bench.path("out.json")))
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: bench.path("out.json")))
    process.standardError = FileHandle.nullDevice
    var connections: [SilentServer.Connection] = []
    var start = ContinuousClock.now
    try await Self.runToEnd(process) {
      // Both requests are under way, and neither will ever be answered.
      connections = [try await server.accept(), try await server.accept()]
      start = ContinuousClock.now
      kill(process.processIdentifier, number)
    }
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == code)
    let out = try String(contentsOfFile: bench.path("out.json"), encoding: .utf8)
    #expect(out.contains("\"complete\":false,\"exit\":\(code),"), "\(out)")
    #expect(out.contains("\"cancelled\":2"), "\(out)")
    #expect(out.hasSuffix("}\n"))
    #expect(FileManager.default.fileExists(atPath: bench.path("out/a.json")) == false)
    withExtendedLifetime(connections) {}
  }
}

extension Optional where Wrapped == String {
  fileprivate var orEmpty: String { self ?? "" }
}
