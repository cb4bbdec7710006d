internal import ByteCodings
internal import SourceDiagnostics

/// Writes texts for a POSIX shell.
enum ShellText {
  /// A text as one word, which every POSIX shell reads as this text.
  static func word(_ text: String) -> String {
    guard text.isEmpty || !text.utf8.allSatisfy(isPlain) || text.hasPrefix("-") && text.contains("=") else {
      return text
    }
    return "'" + text.replacing("'", with: #"'\''"#) + "'"
  }

  /// Several words of one command.
  static func words(_ texts: [String]) -> String { texts.map(word).joined(separator: " ") }

  /// A command for a comment, on one line: control characters are written as Bash and Zsh read them.
  static func commandInComment(_ texts: [String]) -> String {
    texts.map { text in
      guard text.unicodeScalars.contains(where: { !$0.isShownAsItself }) else { return word(text) }
      let escaped = text.unicodeScalars.map { scalar in
        switch scalar {
        case "\\": #"\\"#
        case "'": #"\'"#
        case "\n": #"\n"#
        case let scalar where !scalar.isShownAsItself:
          scalar.utf8Bytes.map { #"\x"# + Hex.text([$0]) }.joined()
        default: String(scalar)
        }
      }
      return "$'" + escaped.joined() + "'"
    }.joined(separator: " ")
  }

  /// A text for one line of a comment.
  static func inComment(_ text: String) -> String {
    text.unicodeScalars.allSatisfy(\.isShownAsItself) ? text : commandInComment([text])
  }

  /// A command that waits for a random time below `seconds`; with it, jobs that start together do not send together.
  ///
  /// Only POSIX is used, because the shell of an image is seldom Bash, and its `RANDOM` is empty elsewhere.
  static func jitter(_ seconds: Int) -> String {
    "sleep \"$(( $(od -An -N4 -tu4 /dev/urandom) % \(seconds) ))\""
  }

  /// Whether a byte has no meaning for a shell.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_-./:,+@%=".utf8.contains(byte)
    }
  }
}

extension Unicode.Scalar {
  fileprivate var utf8Bytes: [UInt8] { Array(String(self).utf8) }
}
