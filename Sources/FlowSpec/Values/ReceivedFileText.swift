import FlowModel
import SourceDiagnostics

/// Checks paths of files that are stored as received: in a folder below the output root, with any extension.
enum ReceivedFileText {
  /// The literal folder at the start of a path, without its last slash.
  ///
  /// - Parameter path: the path, whose values are not known yet
  /// - Throws: when the path has no folder, or is not below the output root
  static func folder(of path: Template) throws(URLSyntaxError) -> String {
    let text = path.segments.map { if case .text(let text) = $0 { text } else { "x" } }.joined()
    guard !text.hasPrefix("/") else {
      throw URLSyntaxError(
        "the path of a file must be relative to the output root",
        help: "leave out the leading '/'; --root names the root")
    }
    guard !text.contains("\\") else {
      throw URLSyntaxError("the path of a file contains a backslash", help: "separate folders with '/'")
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if let part = parts.first(where: { ["", ".", ".."].contains($0) }) {
      throw URLSyntaxError(
        part.isEmpty
          ? "the path of a file contains an empty folder or file name" : "the path of a file contains '\(part)'",
        help: "write folders and a name, as in files/a.pdf; --root names the root")
    }
    if let part = parts.first(where: { $0.hasPrefix(".reactor") }) {
      throw URLSyntaxError(
        "'\(part)' is a name that reactor uses for its own files", help: "choose another name")
    }
    guard case .text(let start)? = path.segments.first, let slash = start.lastIndex(of: "/") else {
      throw URLSyntaxError(
        "the path of a downloaded file must begin with a folder",
        help: "begin the path with the name of a folder, as in files/\(path.sourceText)")
    }
    return String(start[..<slash])
  }
}
