package import Foundation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A program under way as a process of its own; its output goes to files, so that nothing can fill up and block.
package final class Program {
  /// How it ended.
  package struct Outcome {
    /// The exit code; 128 and the signal's number where a signal ended it, as a shell tells it.
    package var status: Int32
    package var stdout: String
    package var stderr: String
    /// From start to end.
    package var seconds: Double
  }

  private let process = Process()
  private let folder: URL
  private let began = ContinuousClock.now

  /// Starts it. The environment is the given one and what every program needs, unless `inherits`.
  package init(
    _ path: String, _ arguments: [String], in directory: URL, environment: [String: String] = [:],
    inherits: Bool = false
  ) throws {
    folder = try Workspace.makeFolder("program")
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.currentDirectoryURL = directory
    let own = ProcessInfo.processInfo.environment
    let base = inherits ? own : own.filter { ["PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR"].contains($0.key) }
    process.environment = NameLookup.environment.merging(base) { $1 }.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    for name in ["stdout", "stderr"] {
      try Data().write(to: folder.appendingPathComponent(name))
    }
    // What a shell starts in the background ignores this, and so would all that we start.
    hearInterrupts()
    let outputs = try ["stdout", "stderr"].map { try FileHandle(forWritingTo: folder.appendingPathComponent($0)) }
    process.standardOutput = outputs[0]
    process.standardError = outputs[1]
    // Closed here, for the process has its own: after some hundred programs Foundation would fall over our descriptors.
    defer { for output in outputs { try? output.close() } }
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    try? FileManager.default.removeItem(at: folder)
  }

  /// What it has written so far.
  package var stdout: String { text("stdout") }
  package var stderr: String { text("stderr") }
  package var isRunning: Bool { process.isRunning }

  /// Its number, for tools that look at it from outside.
  package var identifier: Int32 { process.processIdentifier }

  /// Sends it a signal.
  package func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Its end; killed after `seconds`.
  package func end(within seconds: Double = 60) async -> Outcome {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while process.isRunning {
      if ContinuousClock.now > deadline { kill(process.processIdentifier, SIGKILL) }
      await Pause.short()
    }
    let took = ContinuousClock.now - began
    let signalled = process.terminationReason == .uncaughtSignal
    return Outcome(
      status: signalled ? 128 + process.terminationStatus : process.terminationStatus, stdout: stdout, stderr: stderr,
      seconds: Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18)
  }

  /// Waits until what it wrote satisfies a condition; false when it ended or the time passed before.
  package func wait(within seconds: Double = 30, until condition: (Program) async -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < deadline {
      if await condition(self) { return true }
      if !process.isRunning { return await condition(self) }
      await Pause.short()
    }
    return false
  }

  private func text(_ name: String) -> String {
    (try? Data(contentsOf: folder.appendingPathComponent(name))).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

/// Undoes what a shell does to the programs that it starts in the background.
private func hearInterrupts() { _ = signal(SIGINT, SIG_DFL) }

/// The step in which these tests look again at another process.
package enum Pause {
  package static func short() async { await exactly(microseconds: 5_000) }

  /// For those who choose an instant, such as that of a signal.
  package static func exactly(microseconds: Int) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) { continuation.resume() }
    }
  }
}
