#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Reads and writes the files of fixtures: small files of this program that are always replaced as a whole.
package enum FixtureFiles {
  /// The maximum size in bytes of a file that is read.
  static let largest = 256 << 20
  /// The ending of the names of files that are not complete yet.
  static let unfinished = ".reactor-tmp"

  /// Returns the bytes of a file; nil when the file does not exist.
  package static func read(_ path: String) throws(FixtureError) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw FixtureError("'\(path)' cannot be read: \(reason())")
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw FixtureError("'\(path)' is not a regular file")
    }
    guard status.st_size <= largest else { throw FixtureError("'\(path)' is larger than 256 MiB") }
    let size = Int(status.st_size)
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let taken = systemRead(file, buffer.baseAddress.map { $0 + count }, size - count)
        if taken < 0, errno == EINTR { continue }
        if taken < 0 { failure = errno }
        guard taken > 0 else { return }
        count += taken
      }
    }
    guard failure == 0 else { throw FixtureError("'\(path)' cannot be read: \(reason(failure))") }
    return bytes
  }

  /// Returns the first bytes of a file. Nil when the file cannot be opened.
  static func beginning(of path: String, _ count: Int) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, taken in
      taken = max(0, systemRead(file, buffer.baseAddress, count))
    }
  }

  /// Replaces a file and creates its folders. A file that already has the same bytes is not changed.
  ///
  /// - Returns: whether anything changed
  @discardableResult
  package static func write(_ bytes: [UInt8], to path: String) throws(FixtureError) -> Bool {
    if try read(path) == bytes {
      removeTemporary(for: path)
      return false
    }
    try makeFolders(above: path)
    let (temporary, file) = try openTemporary(for: path)
    // Closing the file releases its lock, so the file must already be renamed or removed at that time.
    defer { close(file) }
    var written = 0
    var failure: Int32 = 0
    while written < bytes.count, failure == 0 {
      let count = bytes.withUnsafeBytes {
        systemWrite(file, $0.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count >= 0 { written += count } else if errno != EINTR { failure = errno }
    }
    if failure == 0, fsync(file) != 0 { failure = errno }
    if failure == 0, rename(temporary, path) != 0 { failure = errno }
    guard failure == 0 else {
      unlink(temporary)
      throw FixtureError("'\(path)' cannot be written: \(reason(failure))")
    }
    return true
  }

  /// Creates an empty hidden file in the target's folder, locked for this process.
  ///
  /// The file's name is always the same. The next write therefore replaces the file of a killed process, and a later
  /// process with the same process id is not blocked by it.
  private static func openTemporary(for target: String) throws(FixtureError) -> (path: String, file: Int32) {
    let path = temporary(for: target)
    for _ in 0..<500 {
      let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
      guard file >= 0 else { throw FixtureError("'\(target)' cannot be written: \(reason())") }
      var (opened, named) = (stat(), stat())
      if flock(file, LOCK_EX | LOCK_NB) == 0, fstat(file, &opened) == 0, lstat(path, &named) == 0,
        opened.st_ino == named.st_ino, opened.st_dev == named.st_dev, opened.st_mode & S_IFMT == S_IFREG,
        ftruncate(file, 0) == 0
      {
        return (path, file)
      }
      // Another process is writing the same file, or has just renamed it to the target.
      close(file)
      usleep(10_000)
    }
    throw FixtureError("'\(target)' cannot be written: another process is writing it")
  }

  /// Removes the temporary file that a killed process left, unless another process is writing it.
  private static func removeTemporary(for target: String) {
    let path = temporary(for: target)
    let file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return }
    defer { close(file) }
    var (opened, named) = (stat(), stat())
    guard flock(file, LOCK_EX | LOCK_NB) == 0, fstat(file, &opened) == 0, lstat(path, &named) == 0,
      opened.st_ino == named.st_ino, opened.st_dev == named.st_dev
    else { return }
    unlink(path)
  }

  private static func temporary(for target: String) -> String {
    "\(folder(of: target)).\(name(of: target))\(unfinished)"
  }

  /// Removes a file; does nothing when the file does not exist.
  package static func remove(_ path: String) throws(FixtureError) {
    guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else {
      throw FixtureError("'\(path)' cannot be removed: \(reason())")
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
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var entries: [(String, Bool)] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { start in
        start.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: start.pointee)) {
          String(cString: $0)
        }
      }
      guard name != ".", name != ".." else { continue }
      var status = stat()
      guard lstat("\(path)/\(name)", &status) == 0 else { continue }
      entries.append((name, status.st_mode & S_IFMT == S_IFDIR))
    }
    return entries.sorted { $0.0 < $1.0 }
  }

  /// Returns the relative paths of all files below a folder, sorted.
  package static func files(below path: String) -> [String] {
    entries(of: path).flatMap { entry in
      entry.isFolder ? files(below: "\(path)/\(entry.name)").map { "\(entry.name)/\($0)" } : [entry.name]
    }
  }

  /// Creates a new folder for one run that other users cannot access.
  package static func makeTemporaryFolder(_ environment: [String: String]) throws(FixtureError) -> String {
    let parent = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array("\(parent)/reactor-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw FixtureError("no folder can be made in '\(parent)': \(reason())")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func makeFolders(above path: String) throws(FixtureError) {
    var end = path.startIndex
    while let slash = path[end...].dropFirst().firstIndex(of: "/") {
      end = slash
      let folder = String(path[..<slash])
      guard mkdir(folder, 0o777) == 0 || errno == EEXIST || errno == EISDIR else {
        throw FixtureError("the folder '\(folder)' cannot be made: \(reason())")
      }
    }
  }

  private static func folder(of path: String) -> Substring {
    path.lastIndex(of: "/").map { path[...$0] } ?? ""
  }

  private static func name(of path: String) -> Substring {
    path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
  }

  private static func reason(_ number: Int32 = errno) -> String {
    strerror(number).map { String(cString: $0).lowercased() } ?? "error \(number)"
  }
}

// Wrappers, because the methods of the type above hide the system functions with the same names.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}
