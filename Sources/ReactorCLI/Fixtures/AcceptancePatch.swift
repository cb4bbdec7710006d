/// A patch for `git apply` that replaces goldens by the records of a run.
///
/// The patch removes whole files and adds whole files. Each line of a golden is a record, so other records are not a
/// useful context for a change.
struct AcceptancePatch: Sendable {
  private let changes: [FixtureOutcome.Change]

  init(_ changes: [FixtureOutcome.Change]) { self.changes = changes }

  /// The bytes of the patch; empty when no golden changes.
  var bytes: [UInt8] {
    var text: [UInt8] = []
    for change in changes {
      let old = change.old ?? []
      guard old != change.new else { continue }
      text += "diff --git \(Self.quoted("a/" + change.path)) \(Self.quoted("b/" + change.path))\n".utf8
      if change.old == nil { text += "new file mode 100644\n".utf8 }
      text += "--- \(change.old == nil ? "/dev/null" : Self.quoted("a/" + change.path))\n".utf8
      text += "+++ \(Self.quoted("b/" + change.path))\n".utf8
      let (before, after) = (Self.lines(old), Self.lines(change.new))
      text += "@@ -\(Self.range(before.count)) +\(Self.range(after.count)) @@\n".utf8
      Self.add(before, "-", old, &text)
      Self.add(after, "+", change.new, &text)
    }
    return text
  }

  private static func add(_ lines: [ArraySlice<UInt8>], _ sign: String, _ whole: [UInt8], _ text: inout [UInt8]) {
    for line in lines { text += Array(sign.utf8) + line + [0x0A] }
    if !whole.isEmpty, whole.last != 0x0A { text += "\\ No newline at end of file\n".utf8 }
  }

  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines
  }

  private static func range(_ count: Int) -> String { count == 0 ? "0,0" : "1,\(count)" }

  /// A path for Git, in quotes when it contains a space, a quote, a backslash or a byte outside printable ASCII.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy {
      $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlain { return path }
    var text = "\""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += "\\" + String(UnicodeScalar(byte))
      case 0x20...0x7E: text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 8)
        text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      }
    }
    return text + "\""
  }
}
