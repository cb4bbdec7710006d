internal import CFileCalls

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Reads and replaces small files that have no stamp: reports, recordings, goldens.
///
/// A file is replaced whole or not at all, so no reader sees half of it. Results are published by `TempFile` instead.
package enum WholeFile {
  /// Exchanges two files or folders in one step, so that no reader sees either of them missing.
  ///
  /// - Returns: false where the file system cannot do that; nothing is changed then
  package static func exchange(_ one: String, _ other: String) -> Bool { reactor_exchange(one, other) == 0 }

  /// The reason why a file could not be read or written.
  package struct AccessError: Error, Sendable, Hashable {
    /// In lower case, without a full stop.
    package let message: String

    package init(message: String) { self.message = message }

    /// The error of a system call.
    package init(_ number: Int32) {
      let text = String(cString: strerror(number))
      self.init(message: text.prefix(1).lowercased() + text.dropFirst())
    }
  }

  /// The ending of the names of files that are not complete yet.
  package static let unfinished = ".reactor-tmp"

  /// The bytes of a file and its mode (`st_mode`); nil when the file does not exist.
  ///
  /// When the file is larger than `limit`, `limit` + 1 bytes are returned.
  package static func read(_ path: String, limit: Int) throws(AccessError) -> (bytes: [UInt8], mode: UInt32)? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw AccessError(errno)
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw AccessError(errno) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= limit {
      let count = piece.withUnsafeMutableBytes {
        systemRead(file, $0.baseAddress, min($0.count, limit + 1 - bytes.count))
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw AccessError(errno)
      }
      if count == 0 { break }
      bytes.append(contentsOf: piece[..<count])
    }
    return (bytes, UInt32(status.st_mode))
  }

  /// The names directly in a folder; nil when the folder does not exist.
  package static func names(in folder: String) throws(AccessError) -> [String]? {
    guard let stream = opendir(folder.isEmpty ? "." : folder) else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw AccessError(errno)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw AccessError(errno) }
        return names
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  /// Creates the folders above a path.
  package static func makeFolders(above path: String) throws(AccessError) {
    var end = path.startIndex
    while let slash = path[end...].dropFirst().firstIndex(of: "/") {
      end = slash
      let folder = String(path[..<slash])
      guard mkdir(folder, 0o777) == 0 || errno == EEXIST || errno == EISDIR else {
        throw AccessError(message: "the folder '\(folder)' cannot be made: \(AccessError(errno).message)")
      }
    }
  }

  /// Replaces the content of a file, and creates its folders. The mode of the file stays.
  ///
  /// When the path is a symbolic link, the link stays and its target is replaced. When a process is killed during a
  /// replacement, other processes do not wait for it, and the next replacement removes its hidden file.
  ///
  /// - Parameters:
  ///   - survivesPowerLoss: whether the file is synced, which may take as long as a short run
  ///   - content: is called when no other process can replace the file any more
  package static func replace(
    _ path: String, survivesPowerLoss: Bool = true, _ content: () -> [UInt8]
  ) throws(AccessError) {
    try makeFolders(above: path)
    let target = target(of: path)
    let (temporary, file) = try openTemporary(for: target)
    defer { close(file) }
    do throws(AccessError) {
      var status = stat()
      if stat(target, &status) == 0 { fchmod(file, status.st_mode & 0o777) }
      let bytes = content()
      var written = 0
      while written < bytes.count {
        let count = bytes.withUnsafeBytes { write(file, $0.baseAddress.map { $0 + written }, $0.count - written) }
        if count >= 0 { written += count } else if errno != EINTR { throw AccessError(errno) }
      }
      if survivesPowerLoss, fsync(file) != 0 { throw AccessError(errno) }
      // Closing releases the lock, so the file must be renamed before it is closed.
      guard rename(temporary, target) == 0 else { throw AccessError(errno) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Removes the hidden file of a killed process. A hidden file that another process is writing stays.
  package static func removeLeftover(of path: String) {
    let temporary = temporary(for: target(of: path))
    let file = open(temporary, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return }
    defer { close(file) }
    if locks(file, named: temporary) { unlink(temporary) }
  }

  static func target(of path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func temporary(for target: String) -> String {
    let slash = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
    return "\(target[..<slash]).\(target[slash...])\(unfinished)"
  }

  /// Locks the regular file at a path for this process; returns whether that succeeded.
  ///
  /// It fails when another process has the lock, or when the path now leads to another file.
  static func locks(_ file: Int32, named path: String) -> Bool {
    var (opened, named) = (stat(), stat())
    return flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &opened) == 0 && lstat(path, &named) == 0
      && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev && opened.st_mode & S_IFMT == S_IFREG
  }

  /// Opens an empty hidden file beside the target, locked for this process.
  ///
  /// The name is always the same, so the next replacement removes what a killed process left under it.
  private static func openTemporary(for target: String) throws(AccessError) -> (path: String, file: Int32) {
    let path = temporary(for: target)
    for _ in 0..<500 {
      let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
      guard file >= 0 else { throw AccessError(errno) }
      if locks(file, named: path), ftruncate(file, 0) == 0 { return (path, file) }
      // Another process is writing the same file, or has just renamed it.
      close(file)
      usleep(10_000)
    }
    throw AccessError(message: "another process is writing it")
  }
}

// A method of the type above has the same name and hides the system's function.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}
