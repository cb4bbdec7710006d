#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Standard output for a view.
public struct Terminal: Sendable {
  /// Whether the output is a terminal. A pipe or a file gets plain lines.
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

  /// Replaces everything on the screen.
  public func show(_ lines: [String]) {
    Swift.print("\u{1B}[2J\u{1B}[H", terminator: "")
    for line in lines { print(line) }
  }

  /// The next line of standard input; nil after `q` or at the end.
  ///
  /// It blocks the calling thread, here the main one. Views run on others.
  public func nextLine() -> String? {
    guard let line = readLine(), line != "q" else { return nil }
    return line
  }
}
