#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Standard output for a view.
public struct Terminal: Sendable {
  /// Whether a person looks at it. A pipe or a file gets plain lines.
  public let isInteractive: Bool

  /// Asks the system about standard output.
  public init() { isInteractive = isatty(STDOUT_FILENO) == 1 }

  /// Prints a line at once, also into a pipe.
  public func print(_ line: String) {
    // What a server sent must not control the terminal.
    let text = line.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : String($0) }.joined()
    Swift.print(text)
    fflush(nil)
  }

  /// Replaces all that is on the screen; in a pipe the lines follow the earlier ones.
  public func show(_ lines: [String]) {
    if isInteractive { Swift.print("\u{1B}[2J\u{1B}[H", terminator: "") }
    for line in lines { print(line) }
  }

  /// Reads lines from standard input until `q` or the end. It blocks the calling thread, so views must not run there.
  public func read(_ handle: (String) async -> Void) async {
    while let line = readLine(), line != "q" { await handle(line) }
  }
}
