import Foundation
import Testing
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The program in a real terminal: tmux, with its own server and socket, one for each test, with one window.
final class TmuxTerminal {
  private let tmux: String
  private let socket: String
  /// Holds the socket's folder until the server is ended.
  private let bench: Workbench

  init?(_ bench: Workbench, width: Int, height: Int = 30, environment: [String: String] = [:], _ command: String)
    throws
  {
    let candidates = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/opt/homebrew/bin/tmux"]
    guard let tmux = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
      print("skipped: progress in a terminal: there is no tmux; scripts/report-readers install")
      return nil
    }
    self.tmux = tmux
    self.bench = bench
    socket = bench.path("tmux.sock")
    let settings = environment.map { "\($0.key)=\($0.value)" }
    try bench.write(
      """
      cd '\(bench.folder.path)'
      env \(settings.map { "'\($0)'" }.joined(separator: " ")) bash -c 'echo $$ > program; exec \(command)'
      echo "ended $?" > ended
      exec cat
      """, to: "command.sh")
    try call(
      ["-f", "/dev/null", "new-session", "-d", "-x", "\(width)", "-y", "\(height)", "bash", bench.path("command.sh")])
  }

  deinit {
    // By its number, for a server that is asked to end waits for what it started.
    let answer = try? call(["display-message", "-p", "#{pid}"])
    _ = try? call(["kill-server"])
    if let server = answer.flatMap({ Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }) {
      kill(server, SIGKILL)
    }
  }

  @discardableResult
  func call(_ arguments: [String]) throws -> String {
    let process = Process()
    // The server that the first command starts goes on in the background; by the descriptors of ours that it would
    // inherit, we would take the command for running as long as the server does.
    let closing = "for f in /proc/self/fd/*; do f=${f##*/}; [ $f -le 2 ] || eval \"exec $f>&-\"; done 2>/dev/null"
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "\(closing); exec \"$0\" \"$@\"", tmux, "-u", "-S", socket] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    // The server that the first command starts would hold a pipe open.
    guard ["capture-pane", "display-message"].contains(arguments.first) else {
      try process.run()
      process.waitUntilExit()
      return ""
    }
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  /// What stands on the screen and above it.
  var screen: String {
    get throws { try call(["capture-pane", "-p", "-S", "-2000"]) }
  }

  /// Gives the window these widths one after the other while the program stands still, so that none of them meets a
  /// drawing that is on its way: that would take away rows which tmux has just made others, and no program can know.
  /// The program goes on once its terminal tells the last width.
  func resize(through widths: [Int], _ height: Int = 30) async throws {
    let program = try #require(Int32(text("program")))
    kill(program, SIGSTOP)
    defer { kill(program, SIGCONT) }
    // What it wrote before stands on the screen once that remains as it is.
    var before = ""
    _ = try await wait { screen in
      defer { before = screen }
      return screen == before
    }
    for width in widths { try call(["resize-window", "-x", "\(width)", "-y", "\(height)"]) }
    let device = try call(["display-message", "-p", "#{pane_tty}"]).trimmingCharacters(in: .whitespacesAndNewlines)
    let terminal = open(device, O_RDONLY | O_NOCTTY)
    defer { close(terminal) }
    _ = try await wait { _ in
      var size = winsize()
      return ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0 && Int(size.ws_col) == widths.last
    }
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: bench.path(name), encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Waits until the screen satisfies a condition.
  func wait(_ condition: (String) -> Bool) async throws -> String {
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
      let screen = try screen
      if condition(screen) { return screen }
      try await Task.sleep(for: .milliseconds(10))
    }
    let screen = try screen
    Issue.record("the screen never came to be as expected:\n\(screen)")
    return screen
  }
}
