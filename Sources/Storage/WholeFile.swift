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
    /// The reason, in lower case and without a full stop.
    package let message: String

    package init(message: String) { self.message = message }

    /// Creates the error of a failed system call from its errno value.
    package init(_ number: Int32) {
      let text = String(cString: strerror(number))
      self.init(message: text.prefix(1).lowercased() + text.dropFirst())
    }
  }

  /// The suffix of the names of files that are not complete yet.
  package static let unfinished = ".reactor-tmp"

  /// The bytes of a regular file of the project, and its `st_mode`; nil when it does not exist. No link is followed.
  ///
  /// When the file is larger than `limit`, `limit` + 1 bytes are returned.
  package static func read(_ path: String, limit: Int) throws(AccessError) -> (bytes: [UInt8], mode: UInt32)? {
    guard let file = try UnlinkedName(path)?.open(O_RDONLY) else { return nil }
    return try read(file.number, limit: limit)
  }

  /// Whether a file of the project has these bytes. The file is compared piece by piece, and is never whole in memory.
  package static func holds(_ path: String, _ bytes: [UInt8]) throws(AccessError) -> Bool {
    guard var pieces = try FilePieces(path), pieces.size == bytes.count else { return false }
    var position = 0
    while let piece = try pieces.next() {
      guard position + piece.count <= bytes.count, piece[...] == bytes[position..<position + piece.count] else {
        return false
      }
      position += piece.count
    }
    return position == bytes.count
  }

  /// The bytes of a file that a person named, which may be a link, a pipe or a device; nil when it does not exist.
  ///
  /// When the file is larger than `limit`, `limit` + 1 bytes are returned.
  package static func read(named path: String, limit: Int) throws(AccessError) -> (bytes: [UInt8], mode: UInt32)? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw AccessError(errno)
    }
    defer { close(file) }
    return try read(file, limit: limit)
  }

  private static func read(_ file: Int32, limit: Int) throws(AccessError) -> (bytes: [UInt8], mode: UInt32) {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw AccessError(errno) }
    var bytes: [UInt8] = []
    // An array that grows would take twice the size for a moment.
    bytes.reserveCapacity(min(limit, Int(clamping: status.st_size)) + 1)
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
  ///
  /// - Parameter isNamed: whether a person named the folder, so that links above it are followed
  package static func names(in folder: String, isNamed: Bool = false) throws(AccessError) -> [String]? {
    let stream: OpaquePointer?
    if isNamed {
      stream = opendir(folder.isEmpty ? "." : folder)
      if stream == nil {
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw AccessError(errno)
      }
    } else {
      guard let opened = try UnlinkedName.folder(folder) else { return nil }
      let copy = fcntl(opened.number, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { throw AccessError(errno) }
      stream = fdopendir(copy)
      if stream == nil {
        close(copy)
        throw AccessError(errno)
      }
      // The copy shares the position of the folder that was opened.
      if let stream { rewinddir(stream) }
    }
    guard let stream else { return nil }
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

  /// Replaces the content of a file, and creates its folders. No link is followed.
  ///
  /// When a process is killed during a replacement, other processes do not wait for it, and the next replacement
  /// removes its hidden file.
  ///
  /// - Parameters:
  ///   - mode: the permissions of the file; nil keeps those that it has
  ///   - survivesPowerLoss: whether the file is synced, which may take as long as a short run
  ///   - content: is called once this process has the exclusive right to replace the file; the file stays when it throws
  package static func replace(
    _ path: String, mode: UInt32? = nil, survivesPowerLoss: Bool = true, _ content: () throws(AccessError) -> [UInt8]
  ) throws(AccessError) {
    guard let target = try UnlinkedName(path, makes: true) else { throw AccessError(ENOENT) }
    var status: FileStatus?
    do throws(SystemError) { status = try target.folder.status(of: target.name) } catch {
      throw AccessError(error.code)
    }
    if let status, status.kind != .regular {
      throw status.kind == .link ? link(path) : irregular(path)
    }
    let temporary = temporary(for: target.name)
    let file = try openTemporary(temporary, in: target.folder)
    do throws(AccessError) {
      if let mode = mode ?? status?.mode { fchmod(file.number, mode_t(mode & 0o777)) }
      let bytes = try content()
      do throws(SystemError) {
        let failure = bytes.withUnsafeBytes { (bytes) -> SystemError? in
          do throws(SystemError) { try file.write(bytes) } catch { return error }
          return nil
        }
        if let failure { throw failure }
        if survivesPowerLoss { try file.sync() }
      } catch {
        throw AccessError(error.code)
      }
      // Closing releases the lock, so the file must be renamed before it is closed.
      guard renameat(target.folder.number, temporary, target.folder.number, target.name) == 0 else {
        throw AccessError(errno)
      }
    } catch {
      unlinkat(target.folder.number, temporary, 0)
      throw error
    }
  }

  /// Removes the hidden file of a killed process. A hidden file that another process is writing stays.
  package static func removeLeftover(of path: String) {
    guard let target = (try? UnlinkedName(path)) ?? nil else { return }
    let temporary = temporary(for: target.name)
    let flags = O_WRONLY | O_NONBLOCK
    guard let file = try? FileDescriptor.open(temporary, in: target.folder, flags: flags) else { return }
    if locks(file, named: temporary, in: target.folder) { unlinkat(target.folder.number, temporary, 0) }
  }

  private static func temporary(for name: String) -> String { ".\(name)\(unfinished)" }

  /// Locks a regular file with a name in a folder for this process; returns whether that succeeded.
  ///
  /// It fails when another process has the lock, or when another file has the name now.
  static func locks(_ file: FileDescriptor, named name: String, in folder: FileDescriptor) -> Bool {
    guard flock(file.number, LOCK_EX | LOCK_NB) == 0, let opened = try? file.status(), opened.kind == .regular,
      let named = try? folder.status(of: name)
    else { return false }
    return opened.isSameFile(as: named)
  }

  /// Opens an empty hidden file beside the target, locked for this process.
  ///
  /// The name is always the same, so the next replacement removes what a killed process left under it.
  private static func openTemporary(
    _ name: String, in folder: FileDescriptor
  ) throws(AccessError) -> FileDescriptor {
    for _ in 0..<500 {
      let file: FileDescriptor
      do throws(SystemError) {
        file = try FileDescriptor.open(name, in: folder, flags: O_WRONLY | O_CREAT | O_NONBLOCK, mode: 0o666)
      } catch {
        throw AccessError(error.code)
      }
      if locks(file, named: name, in: folder), ftruncate(file.number, 0) == 0 { return file }
      // Another process is writing the same file, or has just renamed it.
      usleep(10_000)
    }
    throw AccessError(message: "another process is writing this file")
  }
}

// A method of the type above has the same name and hides the system's function.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}
