internal import RunViews
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A person at the terminal of this process.
final class TerminalRespondent: Respondent {
  private let input: Int32
  private let out: OutputSink
  let style: TextStyle
  /// The settings of the terminal while what is typed is not shown; nil at other times.
  private let shown = Mutex<termios?>(nil)

  init(input: Int32 = STDIN_FILENO, _ out: OutputSink, style: TextStyle) {
    self.input = input
    self.out = out
    self.style = style
  }

  /// Whether a person can see questions and answer them.
  static func isPossible(_ out: OutputSink) -> Bool { isatty(STDIN_FILENO) == 1 && isatty(out.descriptor) == 1 }

  var width: Int {
    var size = winsize()
    return ioctl(out.descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  func show(_ text: String) {
    out.write(text)
    out.flush()
  }

  func line(_ prompt: String, isSecret: Bool) -> String? {
    // What was typed before the question is no answer to it: an Enter too many, or the rest of something pasted.
    tcflush(input, TCIFLUSH)
    if isSecret { hide() }
    defer {
      if isSecret {
        restore()
        // The Enter was not shown either.
        show("\n")
      }
    }
    show(prompt)
    return furtherLine()
  }

  func furtherLine() -> String? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while bytes.last != UInt8(ascii: "\n") {
      let count = read(input, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        if bytes.isEmpty { return nil }
        break
      }
      bytes += piece[..<count]
    }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Shows again what is typed; does nothing when it is shown.
  func restore() {
    shown.withLock { shown in
      if var mode = shown { tcsetattr(input, TCSADRAIN, &mode) }
      shown = nil
    }
  }

  private func hide() {
    shown.withLock { shown in
      var mode = termios()
      guard shown == nil, tcgetattr(input, &mode) == 0 else { return }
      shown = mode
      mode.c_lflag &= ~tcflag_t(ECHO)
      tcsetattr(input, TCSADRAIN, &mode)
    }
  }
}
