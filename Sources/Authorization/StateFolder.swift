internal import ReactorCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The folder `.reactor/auth` below an output root, for its owner's eyes only.
///
/// Its calls block for as long as a small file takes to reach the medium; symbolic links below the root are not followed.
struct StateFolder: Sendable {
  private let root: String
  /// The path for messages.
  let shown: String

  init(root: String) {
    self.root = root.isEmpty ? "." : root
    let prefix = root.isEmpty || root == "." ? "" : root.hasSuffix("/") ? root : root + "/"
    shown = "\(prefix).reactor/auth"
  }

  /// The content of a file; nil when there is none.
  func read(_ name: String, upTo limit: Int) throws(ReactorError) -> [UInt8]? {
    guard let folder = try open(makes: false) else { return nil }
    let file = OpenFile(retrying { openat(folder.number, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) })
    guard file.number >= 0 else {
      if errno == ENOENT { return nil }
      throw failure("read", name)
    }
    var status = stat()
    guard fstat(file.number, &status) == 0 else { throw failure("read", name) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw refusal(name, "is not a regular file") }
    guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
      throw refusal(name, "belongs to another user or can be written by others")
    }
    guard status.st_size <= limit else { throw refusal(name, "is too large to be the one that was written here") }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let start = filled
      let count = bytes.withUnsafeMutableBytes { buffer in
        retrying { systemRead(file.number, buffer.baseAddress.map { $0 + start }, buffer.count - start) }
      }
      guard count >= 0 else { throw failure("read", name) }
      if count == 0 { break }
      filled += count
    }
    return Array(bytes.prefix(filled))
  }

  /// Replaces a file; after an error the old content is untouched.
  func write(_ bytes: [UInt8], to name: String) throws(ReactorError) {
    guard let folder = try open(makes: true) else { throw failure("write", name) }
    // One name is enough: whoever writes has the lock, and what a killed process left is of no use.
    let temporary = ".\(name).tmp"
    unlinkat(folder.number, temporary, 0)
    let file = OpenFile(
      retrying { openat(folder.number, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) })
    guard file.number >= 0 else { throw failure("write", name) }
    do throws(ReactorError) {
      var written = 0
      while written < bytes.count {
        let start = written
        let count = bytes.withUnsafeBytes { buffer in
          retrying { systemWrite(file.number, buffer.baseAddress.map { $0 + start }, buffer.count - start) }
        }
        guard count > 0 else { throw failure("write", name) }
        written += count
      }
      // A failed sync means that the write failed; a second one could lie.
      guard fsync(file.number) == 0, renameat(folder.number, temporary, folder.number, name) == 0 else {
        throw failure("write", name)
      }
    } catch {
      unlinkat(folder.number, temporary, 0)
      throw error
    }
    // Some file systems cannot sync a folder and say so.
    guard fsync(folder.number) == 0 || errno == EINVAL || errno == ENOTSUP else { throw failure("write", name) }
  }

  /// Takes a lock that ends with the process at the latest; nil while somebody else has it.
  func lock(_ name: String) throws(ReactorError) -> StateLock? {
    guard let folder = try open(makes: true) else { throw failure("lock", name) }
    let file = OpenFile(retrying { openat(folder.number, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) })
    guard file.number >= 0 else { throw failure("lock", name) }
    guard retrying({ flock(file.number, LOCK_EX | LOCK_NB) }) == 0 else {
      if errno == EWOULDBLOCK { return nil }
      throw failure("lock", name)
    }
    return StateLock(file)
  }

  private func open(makes: Bool) throws(ReactorError) -> OpenFile? {
    var folder = OpenFile(retrying { systemOpen(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    if folder.number < 0, makes, errno == ENOENT {
      try makeRoot()
      folder = OpenFile(retrying { systemOpen(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    }
    guard folder.number >= 0 else {
      if errno == ENOENT, !makes { return nil }
      throw failure("open", nil)
    }
    for (name, mode) in [(".reactor", mode_t(0o777)), ("auth", mode_t(0o700))] {
      if makes, mkdirat(folder.number, name, mode) == 0, fsync(folder.number) != 0, errno != EINVAL, errno != ENOTSUP {
        throw failure("make", nil)
      }
      let next = OpenFile(
        retrying { openat(folder.number, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW) })
      guard next.number >= 0 else {
        if errno == ENOENT, !makes { return nil }
        throw failure("open", nil)
      }
      folder = next
    }
    return folder
  }

  private func makeRoot() throws(ReactorError) {
    var made = root.hasPrefix("/") ? "" : "."
    for part in root.split(separator: "/") {
      made += "/\(part)"
      guard mkdir(made, 0o777) == 0 || errno == EEXIST else { throw failure("make", nil) }
    }
  }

  private func failure(_ action: String, _ name: String?) -> ReactorError {
    let path = name.map { "\(shown)/\($0)" } ?? shown
    return .persistence("cannot \(action) \(path): \(String(cString: strerror(errno)))", path: path)
  }

  private func refusal(_ name: String, _ reason: String) -> ReactorError {
    .persistence("\(shown)/\(name) \(reason) (remove it, or change that)", path: "\(shown)/\(name)")
  }

  private func retrying<Number: SignedInteger>(_ call: () -> Number) -> Number {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }
}

/// A lock on a file of the state folder; given back by `release`, with the last reference, or with the process.
final class StateLock: Sendable {
  private let file: OpenFile

  fileprivate init(_ file: OpenFile) { self.file = file }

  /// Gives it back.
  func release() { flock(file.number, LOCK_UN) }
}

/// An open file; closed with its last reference.
private final class OpenFile: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { if number >= 0 { close(number) } }
}

// The methods of the type above hide the functions of the same names.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}
