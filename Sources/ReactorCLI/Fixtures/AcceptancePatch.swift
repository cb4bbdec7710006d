/// A patch for `git apply` that replaces goldens with the records of a run.
///
/// It changes the lines that differ, each of which is a record, with three lines of context.
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
      for hunk in LineDifference(from: old, to: change.new).hunks { text += hunk.bytes }
    }
    return text
  }

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
