import Foundation
import TestSupport
import Testing

/// `reactor init` at a terminal, answered by a test.
final class DialogueTerminal {
  let bench: Workbench
  private let terminal: TmuxTerminal
  /// The screen at the last answer.
  private var answered = ""

  /// Starts a shell line in which `$REACTOR` is the program; nil where there is no tmux.
  ///
  /// When the line has ended, the file `code` has its exit code and the file `tty` the settings of the terminal.
  init?(_ line: String, width: Int = 80, environment: [String: String] = [:], _ files: [String: String] = [:]) throws {
    bench = try Workbench(files.merging(["tmp/here": ""]) { $1 })
    try bench.write(
      "REACTOR='\(ProcessTests.binary.path)'\n\(line)\necho $? > exit\nstty -a > tty\nmv exit code\n", to: "line.sh")
    let environment = TerminalTests.utf8.merging(["CI": "", "TMPDIR": bench.path("tmp")]) { $1 }
      .merging(environment) { $1 }
    let started = try TmuxTerminal(bench, width: width, height: 60, environment: environment, "bash line.sh")
    guard let started else { return nil }
    terminal = started
  }

  /// Waits for a question that has not been answered yet, and types a reply.
  func answer(_ question: String, _ text: String = "") async throws {
    answered = try await terminal.wait { screen in
      let last = screen.split(separator: "\n").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
      return screen != answered && last.hasSuffix(":") && last.hasPrefix(question)
    }
    if !text.isEmpty { try terminal.call(["send-keys", "-l", "--", text]) }
    try terminal.call(["send-keys", "Enter"])
  }

  /// Waits for a question, and presses keys without Enter.
  func press(_ question: String, _ keys: String...) async throws {
    _ = try await terminal.wait { $0.split(separator: "\n").last?.hasPrefix(question) ?? false }
    try terminal.call(["send-keys"] + keys)
  }

  /// Types several lines at once, as a terminal does with pasted text.
  func paste(_ question: String, _ text: String) async throws {
    _ = try await terminal.wait { $0.split(separator: "\n").last?.hasPrefix(question) ?? false }
    try terminal.call(["set-buffer", "--", text])
    try terminal.call(["paste-buffer"])
  }

  /// Waits for the end of the line; returns the screen and the exit code.
  func end() async throws -> (screen: String, code: Int32) {
    _ = try await terminal.wait { _ in FileManager.default.fileExists(atPath: bench.path("code")) }
    // The terminal may still draw what was written before the end.
    var before = ""
    let screen = try await terminal.wait { screen in
      defer { before = screen }
      return screen == before
    }
    return (screen, Int32(text("code").trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1)
  }

  /// The title that programs can set by an escape sequence.
  var title: String { get throws { try terminal.call(["display-message", "-p", "#{pane_title}"]) } }

  /// The text of a file; empty when there is none.
  func text(_ name: String) -> String { (try? String(contentsOfFile: bench.path(name), encoding: .utf8)) ?? "" }

  /// The files that the program has written.
  var written: [String] {
    let own: Set = ["line.sh", "command.sh", "program", "code", "tty", "tmux.sock", "ended", "tmp/here", "exit"]
    let all = (try? FileManager.default.subpathsOfDirectory(atPath: bench.folder.path)) ?? []
    return all.filter { name in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: bench.path(name), isDirectory: &isFolder)
      return !own.contains(name) && (!isFolder.boolValue || name.hasPrefix("tmp/"))
    }.sorted()
  }
}
