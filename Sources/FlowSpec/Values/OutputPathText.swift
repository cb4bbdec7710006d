import SourceDiagnostics

/// Checks output paths: below the root, a file, in a format that is known by its extension.
public enum OutputPathText {
  /// The extensions that name a format.
  public static let extensions = ["json", "jsonl", "csv"]

  /// Refuses what cannot be an output path.
  public static func check(_ text: String) throws(URLSyntaxError) {
    if isPlain(text) { return }
    guard !text.isEmpty else { throw URLSyntaxError("the output path is empty", help: disabledHelp) }
    if text.utf8.contains(where: { ASCII.isControl($0) }) {
      throw URLSyntaxError("an output path holds no control characters")
    }
    guard !text.hasPrefix("/") else {
      throw URLSyntaxError(
        "an output path is relative to the output root", help: "leave out the leading '/'; --root names the root")
    }
    let normal = PathText.normalized(text)
    guard normal != "..", !normal.hasPrefix("../") else {
      throw URLSyntaxError("the output path leaves the output root", help: "leave out '..'; --root names the root")
    }
    let name = PathText.name(of: text)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      let meant = NearMiss.suggestion(for: text, in: ["disabled"])
      let isNothing = ["false", "none", "no", "off"].contains(text.lowercased())
      throw URLSyntaxError(
        "'\(text)' is not an output path: its extension does not name a format",
        help: meant != nil || isNothing
          ? "did you mean 'disabled'?"
          : "end it with \(listed(extensions.map { ".\($0)" }, joining: "or")); \(disabledHelp)")
    }
    let ending = String(name[name.utf8.index(after: dot)...])
    guard extensions.contains(ending) else {
      let meant = NearMiss.suggestion(for: ending, in: extensions) ?? (ending == "ndjson" ? "jsonl" : nil)
      throw URLSyntaxError(
        "'.\(ending)' does not name a format",
        help: meant.map { "did you mean '.\($0)'?" }
          ?? "formats are \(listed(extensions.map { ".\($0)" }))")
    }
  }

  /// Whether a path is right at first sight, as nearly all are: components of letters, digits, `-`, `_` and dots behind one of
  /// these, single slashes between them, and an extension at the end.
  private static func isPlain(_ text: String) -> Bool {
    var isStart = true
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "."): if isStart { return false }
      case UInt8(ascii: "/"):
        if isStart { return false }
        isStart = true
      default:
        guard byte == UInt8(ascii: "-") || ASCII.isNameCharacter(byte) else { return false }
        isStart = false
      }
    }
    return !isStart && endings.contains(where: text.hasSuffix)
  }

  private static let endings = extensions.map { ".\($0)" }
  private static let disabledHelp = "to keep nothing write 'disabled'"

  /// The path by which two spellings of one file are equal.
  public static func normalized(_ text: String) -> String { PathText.normalized(text) }
}
