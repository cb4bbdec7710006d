internal import FlowSpec
internal import SourceDiagnostics
internal import Storage

/// The replacements of keys that have another name now, by file.
struct KeyFixes {
  private var files: [String: (file: SourceFile, fixes: [Diagnostic.FixIt])] = [:]

  init(_ diagnostics: DiagnosticBag) {
    for diagnostic in diagnostics.diagnostics where diagnostic.code == FlowCode.renamedKey.code {
      for fix in diagnostic.fixIts {
        files[fix.range.file.path, default: (fix.range.file, [])].fixes.append(fix)
      }
    }
  }

  /// Writes the files with the present names of the keys, and prints which files have changed.
  ///
  /// Nothing but the keys changes: comments and the layout stay. Keys that a file has several times through an anchor
  /// are reported several times, and are replaced once.
  ///
  /// - Returns: whether a file was written
  func write(_ console: Console) throws(CommandError) -> Bool {
    for path in files.keys.sorted() {
      guard let (file, fixes) = files[path] else { continue }
      var bytes = file.bytes
      var end = bytes.count
      for fix in fixes.sorted(by: { $0.range.offsets.lowerBound > $1.range.offsets.lowerBound }) {
        guard fix.range.offsets.upperBound <= end else { continue }
        bytes.replaceSubrange(fix.range.offsets, with: Array(fix.replacement.utf8))
        end = fix.range.offsets.lowerBound
      }
      do throws(WholeFile.AccessError) {
        try WholeFile.replace(path) { bytes }
      } catch {
        throw CommandError("'\(path)' cannot be written: \(error.message)", .notWritten)
      }
      console.note("\(path): \(fixes.count == 1 ? "1 key" : "\(fixes.count) keys") renamed")
    }
    return !files.isEmpty
  }
}
