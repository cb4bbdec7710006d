import Foundation
import TestSupport

/// The system's call tracer, as the way to make a chosen call of the program fail or be its last.
struct Strace {
  private let program: String

  /// Nil, after a line that says so, where calls cannot be traced.
  init?(for item: String) async {
    let found = ["/usr/bin/strace", "/usr/local/bin/strace", "/bin/strace"]
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let found else {
      Torture.skip(item, "strace is not installed (scripts/torture installs it)")
      return nil
    }
    let attempt = try? Program(
      found, ["-f", "-qq", "-o", "/dev/null", "-e", "inject=fsync:error=EIO", "true"],
      in: FileManager.default.temporaryDirectory)
    let outcome = await attempt?.end(within: 20)
    guard outcome?.status == 0 else {
      Torture.skip(item, "strace may not trace here: \(outcome?.stderr ?? "it does not start")")
      return nil
    }
    program = found
  }

  /// The words before a command.
  ///
  /// - Parameters:
  ///   - call: one system call, or several with commas.
  ///   - injection: such as `signal=KILL:when=3` or `error=EIO:when=2+`.
  ///   - paths: only calls on these are counted; all when empty.
  ///   - log: where the calls are listed, those that were tampered with as `(INJECTED)`.
  func wrapper(_ call: String, _ injection: String, paths: [String] = [], log: String = "/dev/null") -> [String] {
    [program, "-f", "-qq", "-o", log, "-e", "trace=\(call)", "-e", "inject=\(call):\(injection)"]
      + paths.flatMap { ["-P", $0] } + ["--"]
  }
}
