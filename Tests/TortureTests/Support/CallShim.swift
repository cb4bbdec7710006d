import Foundation
import TestSupport

/// The library that lets a chosen call of the program fail or be its last, and the environment that tells it which.
///
/// It counts over all threads, so that the Nth call is one call of the run; the tracer counts for each thread.
struct CallShim {
  /// The kinds of calls that are told apart. `openat` that makes a file without a name is also `unnamed`.
  ///
  /// Not among them, for they are asked for by name: `truncate`, `lock`, and on any socket `send` and `receive`.
  static let kinds = ["openat", "write", "fsync", "link", "rename", "unlink"]

  private let library: String
  private let log: URL
  private let folder: String

  /// Builds it; only what happens below a folder counts.
  init(below folder: String, in workspace: URL) async throws {
    self.folder = folder
    let source = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Shims/calls.c")
    let compiler = ProcessInfo.processInfo.environment["CC"] ?? "cc"
    let arguments = [compiler, "-O1", "-shared", "-fPIC", "-o", "calls.so", source.path, "-ldl"]
    let outcome = await (try Program("/usr/bin/env", arguments, in: workspace)).end()
    guard outcome.status == 0 else { throw Failure(text: outcome.stderr) }
    library = workspace.appendingPathComponent("calls.so").path
    log = workspace.appendingPathComponent("calls.log")
  }

  struct Failure: Error {
    let text: String
  }

  /// Lets the Nth call of some kinds be the last one.
  func killing(at number: Int, of kinds: [String] = CallShim.kinds) -> [String: String] {
    environment(kinds, "\(number)", cause: 0)
  }

  /// Lets the Nth call of a kind fail, and all after it when it lasts.
  func failing(at number: Int, of kind: String, with cause: Int32, isLasting: Bool) -> [String: String] {
    environment([kind], "\(number)\(isLasting ? "+" : "")", cause: cause)
  }

  /// How many calls were tampered with since this was last asked.
  func hits() -> Int {
    defer { try? FileManager.default.removeItem(at: log) }
    return (try? String(contentsOf: log, encoding: .utf8))?.split(separator: "\n").count ?? 0
  }

  private func environment(_ kinds: [String], _ when: String, cause: Int32) -> [String: String] {
    [
      "LD_PRELOAD": library, "CALLS_BELOW": folder, "CALLS_KINDS": kinds.joined(separator: ","), "CALLS_WHEN": when,
      "CALLS_ERROR": "\(cause)", "CALLS_LOG": log.path,
    ]
  }
}
