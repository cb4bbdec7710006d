import SourceDiagnostics

/// Checks output paths: a file below the output root, with an extension that determines the format.
package enum OutputPathText {
  /// The extensions that determine the format of a file and its compression.
  package static let extensions = formats + formats.flatMap { format in compressions.map { "\(format).\($0)" } }
  private static let formats = ["json", "jsonl", "csv"]
  private static let compressions = ["gz", "zst"]

  /// The extensions of SQLite files.
  package static let databaseExtensions = ["db", "sqlite", "sqlite3"]

  /// Throws an error if a text cannot be an output path.
  ///
  /// - Parameter endings: the extensions that the file may have
  package static func check(_ text: String, endings: [String] = extensions) throws(URLSyntaxError) {
    if isPlain(text, endings) { return }
    guard !text.isEmpty else { throw URLSyntaxError("the output path is empty", help: disabledHelp) }
    if text.utf8.contains(where: { ASCII.isControl($0) }) {
      throw URLSyntaxError("an output path cannot contain control characters")
    }
    guard !text.hasPrefix("/") else {
      throw URLSyntaxError(
        "an output path must be relative to the output root", help: "leave out the leading '/'; --root names the root")
    }
    guard !text.hasPrefix("~/") else {
      throw URLSyntaxError(
        "an output path must be relative to the output root: '~' would be a folder of that name",
        help: "leave out '~/', and run with --root ~")
    }
    guard !text.contains("%Y") else {
      throw URLSyntaxError(
        "'%Y' in an output path is not filled in", help: "write {{ format(now(), '%Y') }}, with the path in quotes")
    }
    let normal = PathText.normalized(text)
    guard normal != "..", !normal.hasPrefix("../") else {
      throw URLSyntaxError("the output path leaves the output root", help: "leave out '..'; --root names the root")
    }
    let name = PathText.name(of: text)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      let suggestion = NearMiss.suggestion(for: text, in: ["disabled"])
      let isNothing = ["false", "none", "no", "off"].contains(text.lowercased())
      throw URLSyntaxError(
        "'\(text)' is not an output path: its extension does not name a format",
        help: suggestion != nil || isNothing
          ? "did you mean 'disabled'?"
          : endings == extensions
            ? "end it with \(listed(formats.map { ".\($0)" }, joining: "or")); \(disabledHelp)"
            : "end it with \(listed(endings.map { ".\($0)" }, joining: "or"))")
    }
    let ending = Self.ending(of: name, after: dot)
    guard endings.contains(ending) else {
      let suggestion = NearMiss.suggestion(for: ending, in: endings) ?? (ending == "ndjson" ? "jsonl" : nil)
      throw URLSyntaxError(
        "'.\(ending)' does not name a format",
        help: suggestion.map { "did you mean '.\($0)'?" }
          ?? "formats are \(listed((endings == extensions ? formats : endings).map { ".\($0)" }))"
          + (endings == extensions ? "; '.gz' or '.zst' after it compresses the file, as in '.jsonl.gz'" : ""))
    }
  }

  /// The extension of a file name, with the extension before it if the last one names a compression: `jsonl.gz`.
  private static func ending(of name: String, after dot: String.Index) -> String {
    let last = String(name[name.utf8.index(after: dot)...])
    guard (compressions + ["gzip", "zstd"]).contains(last),
      let first = name[..<dot].utf8.lastIndex(of: UInt8(ascii: ".")), first != name.startIndex
    else { return last }
    return String(name[name.utf8.index(after: first)...])
  }

  /// Whether a path is simple, so that it needs no further checks.
  ///
  /// The components of a simple path contain only letters, digits, `-`, `_` and inner dots. It has single slashes and a
  /// known extension.
  private static func isPlain(_ text: String, _ endings: [String]) -> Bool {
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
    return !isStart && endings.contains { text.hasSuffix($0) && text.utf8.dropLast($0.utf8.count).last == 0x2E }
  }

  private static let disabledHelp = "to persist nothing, write 'disabled'"

  /// Returns the same path for all spellings of the path of one file.
  package static func normalized(_ text: String) -> String { PathText.normalized(text) }
}

/// Operations on the text of file paths, without access to the file system.
enum PathText {
  /// The folder part of a path; empty for a file in the working folder.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last component of a path.
  static func name(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  /// Appends a path to a folder. An absolute path is returned unchanged.
  static func joined(folder: String, _ path: String) -> String {
    if path.hasPrefix("/") || folder.isEmpty { return path }
    return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }

  /// Removes `.` components, empty components, and `..` components that can be resolved.
  ///
  /// The result is empty for the working folder itself.
  static func normalized(_ path: String) -> String {
    if isNormal(path) { return path }
    let isAbsolute = path.hasPrefix("/")
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else if part != ".." || !isAbsolute {
        parts.append(part)
      }
    }
    return (isAbsolute ? "/" : "") + parts.joined(separator: "/")
  }

  /// Whether a relative path is already normalized: no component is empty or starts with a dot.
  private static func isNormal(_ path: String) -> Bool {
    var atStart = true
    for byte in path.utf8 {
      if atStart, byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/") { return false }
      atStart = byte == UInt8(ascii: "/")
    }
    return !atStart
  }

  /// The name of a flow file without `.yaml` or `.yml`, and then without `.flow`.
  static func stem(of path: String) -> String {
    var name = name(of: path)
    for suffix in [".yaml", ".yml"] where name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count {
      name.removeLast(suffix.count)
      break
    }
    if name.hasSuffix(".flow"), name.utf8.count > 5 { name.removeLast(5) }
    return name
  }
}
