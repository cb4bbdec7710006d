/// Checks values that become a part of a file's name.
enum PathValue {
  /// Why a value cannot be a part of a name.
  struct Problem: Error, Sendable {
    /// The predicate of the message, such as `is empty`.
    let words: String
    /// The remedy for an expression; nil for the default remedy.
    let help: (@Sendable (String) -> String)?

    init(_ words: String, help: (@Sendable (String) -> String)? = nil) {
      self.words = words
      self.help = help
    }

    static let missing = Problem("is null")
  }

  /// The maximum length of a value in UTF-8 bytes: the rest of a name needs some of the 255 that file systems allow.
  static let maxBytes = 200

  /// Why a value cannot be a part of a name; nil when it can.
  static func problem(_ text: String) -> Problem? {
    var hasSlash = false
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029, 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF:
        return Problem("contains a hidden character, which a file name must not have") {
          "leave such records out with 'where', or remove the character with replace(\($0), …)"
        }
      case 0x2F, 0x5C: hasSlash = true
      default: break
      }
    }
    if text.isEmpty { return Problem("is empty") }
    if hasSlash {
      return Problem("contains a slash, which would lead into another folder") { "write replace(\($0), '/', '-')" }
    }
    if text.utf8.first == UInt8(ascii: ".") {
      return Problem("begins with a dot, so the file would be hidden") {
        "write text before the expression, or replace(\($0), '.', '')"
      }
    }
    if text.utf8.first == UInt8(ascii: " ") || text.utf8.last == UInt8(ascii: " ") {
      return Problem("begins or ends with a space") { "write trim(\($0))" }
    }
    if text.utf8.count > maxBytes {
      return Problem("has more than \(maxBytes) bytes, too many for a file name") { _ in
        "use a field with shorter values, or only a part of the value"
      }
    }
    return nil
  }
}
