#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Writes report files. A file is replaced whole or not at all, so no reader sees half of a report.
///
/// A pipe or a device is written to directly. If the reader accepts no bytes for some seconds, writing ends with an
/// error. So a report without a reader does not keep the run from ending.
package enum ReportFile {
  /// The milliseconds for which a pipe or a device may accept no bytes.
  private static let patience: Int32 = 3000

  /// The reason why a report could not be written.
  package struct InvalidReport: Error, Sendable, Hashable {
    /// In lower case, without a full stop.
    package let message: String
  }

  /// Writes a file, and creates its folders.
  ///
  /// - Parameter survivesPowerLoss: whether the file is synced, which may take as long as a short run
  package static func write(_ bytes: [UInt8], to path: String, survivesPowerLoss: Bool = true) throws(InvalidReport) {
    var status = stat()
    if stat(path, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFREG: try replace(path, survivesPowerLoss) { bytes }
      case S_IFDIR: throw InvalidReport(message: "it is a folder")
      default: try pour(bytes, into: path)
      }
    } else {
      try makeFolders(for: path)
      try replace(path, survivesPowerLoss) { bytes }
    }
  }

  /// Replaces the content of a file, and creates its folders.
  ///
  /// Concurrent updates, also by other processes, see each other's content. When a process is
  /// killed during an update, other processes do not wait for it.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of bytes that are read
  ///   - change: makes the new content from the old one; gets nil when the file cannot be read
  package static func update(
    _ path: String, limit: Int, survivesPowerLoss: Bool = true, _ change: ([UInt8]?) -> [UInt8]
  ) throws(InvalidReport) {
    try makeFolders(for: path)
    try replace(path, survivesPowerLoss) { change(try? DiskFiles.bytes(of: path, limit: limit)) }
  }

  /// Appends to a file, up to `limit` bytes in total; `make` gets the number of bytes that are left.
  package static func append(to path: String, limit: Int, _ make: (Int) -> [UInt8]) throws(InvalidReport) {
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o666)
    guard file >= 0 else { throw InvalidReport(message: DiskFiles.reason(errno)) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw InvalidReport(message: DiskFiles.reason(errno)) }
    try write(make(max(limit - Int(clamping: status.st_size), 0)), to: file)
  }

  /// Creates the folders above a path.
  package static func makeFolders(for path: String) throws(InvalidReport) {
    var end = path.startIndex
    while let slash = path[end...].dropFirst().firstIndex(of: "/") {
      end = slash
      let folder = String(path[..<slash])
      guard mkdir(folder, 0o777) == 0 || errno == EEXIST || errno == EISDIR else {
        throw InvalidReport(message: "the folder '\(folder)' cannot be made: \(DiskFiles.reason(errno))")
      }
    }
  }

  /// Removes the temporary file of a killed run. A temporary file that another run is writing stays.
  package static func removeLeftover(of path: String) {
    let temporary = temporary(for: target(of: path))
    let file = open(temporary, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return }
    defer { close(file) }
    if locks(file, named: temporary) { unlink(temporary) }
  }

  /// - Parameter content: is called when no other process can replace the file any more
  private static func replace(_ path: String, _ survivesPowerLoss: Bool, _ content: () -> [UInt8]) throws(InvalidReport)
  {
    let target = target(of: path)
    let (temporary, file) = try openTemporary(for: target)
    defer { close(file) }
    do throws(InvalidReport) {
      var status = stat()
      if stat(target, &status) == 0 { fchmod(file, status.st_mode & 0o777) }
      try write(content(), to: file)
      if survivesPowerLoss, fsync(file) != 0 { throw InvalidReport(message: DiskFiles.reason(errno)) }
      // Closing releases the lock, so the file must be renamed before it is closed.
      guard rename(temporary, target) == 0 else { throw InvalidReport(message: DiskFiles.reason(errno)) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// The file to replace. When the path is a symbolic link, the link stays and its target is replaced.
  private static func target(of path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func temporary(for target: String) -> String {
    let slash = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
    return "\(target[..<slash]).\(target[slash...]).reactor-tmp"
  }

  /// Locks the regular file at a path for this process; returns whether that succeeded.
  ///
  /// It fails when another process has the lock, or when the path now leads to another file.
  private static func locks(_ file: Int32, named path: String) -> Bool {
    var (opened, named) = (stat(), stat())
    return flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &opened) == 0 && lstat(path, &named) == 0
      && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev && opened.st_mode & S_IFMT == S_IFREG
  }

  /// Opens an empty hidden file beside the target, locked for this process.
  ///
  /// The name is always the same, so the next report removes what a killed run left under it.
  private static func openTemporary(for target: String) throws(InvalidReport) -> (path: String, file: Int32) {
    let path = temporary(for: target)
    for _ in 0..<500 {
      let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
      guard file >= 0 else { throw InvalidReport(message: DiskFiles.reason(errno)) }
      if locks(file, named: path), ftruncate(file, 0) == 0 { return (path, file) }
      // Another run is writing the same report, or has just renamed it.
      close(file)
      usleep(10_000)
    }
    throw InvalidReport(message: "another run is writing it")
  }

  private static func pour(_ bytes: [UInt8], into path: String) throws(InvalidReport) {
    let file = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { throw InvalidReport(message: errno == ENXIO ? "nobody reads it" : DiskFiles.reason(errno)) }
    defer { close(file) }
    try write(bytes, to: file)
  }

  private static func write(_ bytes: [UInt8], to file: Int32) throws(InvalidReport) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { systemWrite(file, $0.baseAddress.map { $0 + written }, $0.count - written) }
      if count >= 0 {
        written += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var wait = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        if poll(&wait, 1, patience) == 0 { throw InvalidReport(message: "its reader takes no more") }
      case EPIPE: throw InvalidReport(message: "its reader went away")
      case let number: throw InvalidReport(message: DiskFiles.reason(number))
      }
    }
  }
}

// A method of `ReportFile` has the same name and hides the system's `write`.
private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}
