#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file that is replaced whole or not at all.
///
/// The new content is written to a temporary file beside it and synced, then renamed over it, then the folder is
/// synced. An existing file's mode is kept. A symbolic link in its place is refused, not followed.
struct DurableFile {
  let path: String

  /// Whether something is there that can be read as this file.
  var exists: Bool {
    var status = stat()
    return lstat(path, &status) == 0 && isRegular(status)
  }

  /// The content; nil when there is no such file.
  func read(upTo limit: Int) throws(ReactorError) -> [UInt8]? {
    // Not blocking: opening a named pipe would wait for its writer.
    let descriptor = retrying { open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: return nil
      case ELOOP: throw failure("is a symbolic link")
      default: throw failure("cannot be opened: \(reason())")
      }
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("cannot be read: \(reason())") }
    guard isRegular(status) else { throw failure("is not a regular file") }
    guard status.st_size <= limit else { throw failure("is larger than \(limit) bytes") }
    var bytes: [UInt8] = []
    let size = Int(status.st_size)
    var problem: String?
    bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size, let base = buffer.baseAddress {
        let got = retrying { systemRead(descriptor, base + count, size - count) }
        if got < 0 { problem = reason() }
        if got <= 0 { break }
        count += got
      }
    }
    if let problem { throw failure("cannot be read: \(problem)") }
    return bytes
  }

  /// Replaces the content, with the parent folders made as needed; after an error the old content is untouched.
  func write(_ bytes: [UInt8]) throws(ReactorError) {
    var existing = stat()
    let exists = lstat(path, &existing) == 0
    if exists, !isRegular(existing) { throw failure("cannot be replaced: it is not a regular file") }
    let folder = DurableFile.parent(of: path)
    try makeFolder(folder)
    let (descriptor, temporary) = try openTemporary(in: folder, mode: exists ? existing.st_mode & 0o7777 : nil)
    do throws(ReactorError) {
      do throws(ReactorError) {
        try fill(descriptor, with: bytes)
      } catch {
        close(descriptor)
        throw error
      }
      guard close(descriptor) == 0 else { throw failure("cannot be written: \(reason())") }
      try ReactorError.checkCancellation()
      guard rename(temporary, path) == 0 else { throw failure("cannot be replaced: \(reason())") }
    } catch {
      unlink(temporary)
      throw error
    }
    try sync(folder)
  }

  private func fill(_ descriptor: Int32, with bytes: [UInt8]) throws(ReactorError) {
    var offset = 0
    while offset < bytes.count {
      let written = bytes.withUnsafeBytes { buffer in
        retrying { systemWrite(descriptor, buffer.baseAddress.map { $0 + offset }, buffer.count - offset) }
      }
      guard written > 0 else { throw failure("cannot be written: \(reason())") }
      offset += written
    }
    // A failed sync means that the write failed; a second one could lie.
    guard fsync(descriptor) == 0 else { throw failure("cannot be written to the disk: \(reason())") }
  }

  private func openTemporary(in folder: String, mode: mode_t?) throws(ReactorError) -> (Int32, String) {
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.index(after: $0)...]) } ?? path
    for attempt in 0..<10_000 {
      let temporary = "\(folder)/.\(name.prefix(60)).\(getpid()).\(attempt).tmp"
      let descriptor = retrying {
        open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode.map { $0 & 0o600 } ?? 0o666)
      }
      if descriptor < 0, errno == EEXIST { continue }
      guard descriptor >= 0 else { throw failure("cannot be written: \(reason())") }
      if let mode, fchmod(descriptor, mode) != 0 {
        let error = failure("cannot be given its mode: \(reason())")
        close(descriptor)
        unlink(temporary)
        throw error
      }
      return (descriptor, temporary)
    }
    throw failure("cannot be written: too many temporary files beside it")
  }

  private func makeFolder(_ folder: String) throws(ReactorError) {
    var status = stat()
    if stat(folder, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw failure("cannot be written: \(folder) is not a folder") }
      return
    }
    let parent = DurableFile.parent(of: folder)
    if parent != folder { try makeFolder(parent) }
    guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
      throw failure("cannot be written: the folder \(folder) cannot be made: \(reason())")
    }
    try sync(parent)
  }

  private func sync(_ folder: String) throws(ReactorError) {
    let descriptor = retrying { open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw failure("cannot be written to the disk: \(reason())") }
    defer { close(descriptor) }
    // Some file systems cannot sync a folder and say so; there is nothing better to do on them.
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
      throw failure("cannot be written to the disk: \(reason())")
    }
  }

  /// The folder of a path; `.` and `/` are their own.
  static func parent(of path: String) -> String {
    var rest = path[...]
    while rest.count > 1, rest.last == "/" { rest = rest.dropLast() }
    guard let slash = rest.lastIndex(of: "/") else { return "." }
    return slash == rest.startIndex ? "/" : String(rest[..<slash])
  }

  private func isRegular(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFREG }

  private func failure(_ message: String) -> ReactorError { .persistence("the file \(message)", path: path) }

  private func reason() -> String { String(cString: strerror(errno)) }

  private func retrying<Number: SignedInteger>(_ call: () -> Number) -> Number {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }
}

// The methods of the type above hide the functions of the same names.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}
