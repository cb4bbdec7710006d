internal import Storage

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Reads and writes the files of fixtures: small files of this program that are always replaced as a whole.
package enum FixtureFiles {
  /// The maximum size in bytes of a file that is read.
  static let largest = 256 << 20

  /// Returns the bytes of a file of the fixtures; nil when the file does not exist. No link is followed.
  package static func read(_ path: String) throws(FixtureError) -> [UInt8]? {
    try read(path) { () throws(WholeFile.AccessError) in try WholeFile.read(path, limit: largest)?.bytes }
  }

  /// Whether a file of the fixtures has these bytes, without reading it whole.
  static func holds(_ path: String, _ bytes: [UInt8]) throws(FixtureError) -> Bool {
    do throws(WholeFile.AccessError) { return try WholeFile.holds(path, bytes) } catch {
      throw FixtureError("'\(path)' cannot be read: \(error.message)")
    }
  }

  /// Returns the bytes of a file that a person named; nil when the file does not exist.
  package static func read(named path: String) throws(FixtureError) -> [UInt8]? {
    try read(path) { () throws(WholeFile.AccessError) in try WholeFile.read(named: path, limit: largest)?.bytes }
  }

  private static func read(
    _ path: String, _ bytes: () throws(WholeFile.AccessError) -> [UInt8]?
  ) throws(FixtureError) -> [UInt8]? {
    do throws(WholeFile.AccessError) {
      guard let bytes = try bytes() else { return nil }
      if bytes.count <= largest { return bytes }
    } catch {
      throw FixtureError("'\(path)' cannot be read: \(error.message)")
    }
    throw FixtureError("'\(path)' is larger than 256 MiB")
  }

  /// Returns the first bytes of a file. Nil when the file cannot be opened.
  static func beginning(of path: String, _ count: Int) -> [UInt8]? {
    guard let bytes = (try? WholeFile.read(path, limit: count))??.bytes else { return nil }
    return Array(bytes.prefix(count))
  }

  /// Replaces a file and creates its folders. A file that already has the same bytes is not changed.
  ///
  /// - Returns: whether anything changed
  @discardableResult
  package static func write(_ bytes: [UInt8], to path: String) throws(FixtureError) -> Bool {
    if try holds(path, bytes) {
      WholeFile.removeLeftover(of: path)
      return false
    }
    do throws(WholeFile.AccessError) {
      try WholeFile.replace(path) { bytes }
    } catch {
      throw FixtureError("'\(path)' cannot be written: \(error.message)")
    }
    return true
  }

  /// Removes a file; does nothing when the file does not exist.
  package static func remove(_ path: String) throws(FixtureError) {
    guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else {
      throw FixtureError("'\(path)' cannot be removed: \(WholeFile.AccessError(errno).message)")
    }
  }

  /// Whether a file or a folder has this path.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Renames a folder. If the new name already has a folder, the two are exchanged and the old folder is removed.
  static func rename(_ path: String, _ other: String) throws(FixtureError) {
    if exists(other) { return removeTree(path) }
    #if canImport(Glibc)
      let result = Glibc.rename(path, other)
    #else
      let result = Darwin.rename(path, other)
    #endif
    guard result == 0 else {
      throw FixtureError("'\(other)' cannot be written: \(WholeFile.AccessError(errno).message)")
    }
  }

  /// Removes an empty folder.
  package static func removeFolder(_ path: String) { rmdir(path) }

  /// Removes a folder with all its contents; symbolic links are removed, not followed.
  package static func removeTree(_ path: String) {
    for entry in entries(of: path) {
      if entry.isFolder { removeTree("\(path)/\(entry.name)") } else { unlink("\(path)/\(entry.name)") }
    }
    rmdir(path)
  }

  /// Returns the entries of a folder, sorted by name. Empty when the folder cannot be listed.
  package static func entries(of path: String) -> [(name: String, isFolder: Bool)] {
    let names = (try? WholeFile.names(in: path)) ?? nil
    return (names ?? []).sorted().compactMap { name in
      var status = stat()
      return lstat("\(path)/\(name)", &status) == 0 ? (name, status.st_mode & S_IFMT == S_IFDIR) : nil
    }
  }

  /// Returns the relative paths of all files below a folder, sorted.
  package static func files(below path: String) -> [String] {
    entries(of: path).flatMap { entry in
      entry.isFolder ? files(below: "\(path)/\(entry.name)").map { "\(entry.name)/\($0)" } : [entry.name]
    }
  }

  /// Creates a new folder for one run. Other users cannot access the folder.
  package static func makeTemporaryFolder(_ environment: [String: String]) throws(FixtureError) -> String {
    let parent = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array("\(parent)/reactor-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw FixtureError("no folder can be made in '\(parent)': \(WholeFile.AccessError(errno).message)")
    }
    return WholeFile.resolvingLinks(
      in: String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }
}
