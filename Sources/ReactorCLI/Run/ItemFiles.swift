internal import FlowFolders
internal import FlowSpec
internal import SourceDiagnostics
internal import Storage

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The files of items of some flows, as they are before a run.
///
/// A run may write such a file. If the flow files cannot be read with the new content, no run could start any more, not
/// even a run of the flow that writes the file.
struct ItemFiles {
  private static let maximumBytes = 256 << 20

  /// The content by path; nil for a file that does not exist.
  private let contents: [String: [UInt8]?]

  /// Reads the files that decide which flows there are.
  init(of loaded: LoadedFlows) { contents = Self.read(loaded.itemFiles) }

  private static func read(_ paths: Set<String>) -> [String: [UInt8]?] {
    paths.reduce(into: [:]) { $0[$1] = .some(try? DiskFiles.bytes(of: $1, limit: maximumBytes)) }
  }

  /// Puts back the files that have changed since; each changed file stays beside it as `NAME.refused`.
  ///
  /// - Returns: the paths of the files that have changed, sorted
  func putBack() throws(WholeFile.AccessError) -> [String] {
    var changed: [String] = []
    for (path, new) in Self.read(Set(contents.keys)).sorted(by: { $0.key < $1.key }) {
      guard let old = contents[path], old != new else { continue }
      changed.append(path)
      if new != nil, rename(path, path + ".refused") != 0 { throw WholeFile.AccessError(errno) }
      if let old { try ReportFile.write(old, to: path) }
    }
    return changed
  }
}
