package import Storage

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Writes report files, each whole or not at all.
///
/// Links are followed only below /dev, where they lead to the streams of the process. A pipe or a device is written to
/// directly. If its reader accepts no bytes for some seconds, writing ends with an error. So a report without a reader
/// does not keep the run from ending.
package enum ReportFile {
  /// The milliseconds for which a pipe or a device may accept no bytes.
  private static let patience: Int32 = 3000

  /// Writes a file, and creates its folders.
  package static func write(_ bytes: [UInt8], to path: String) throws(WholeFile.AccessError) {
    if isDevice(path) { return try pour(bytes, into: path) }
    var status = stat()
    if lstat(path, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFDIR: throw WholeFile.AccessError(message: "the path is a folder")
      case S_IFREG, S_IFLNK: try WholeFile.replace(path) { bytes }
      default: try pour(bytes, into: path)
      }
    } else {
      try WholeFile.replace(path) { bytes }
    }
  }

  /// Whether a path names a device or a stream of the process, as `/dev/stdout` does.
  static func isDevice(_ path: String) -> Bool { path.hasPrefix("/dev/") }

  /// Appends to a file, up to `limit` bytes in total; `make` gets the number of bytes that are left.
  package static func append(to path: String, limit: Int, _ make: (Int) -> [UInt8]) throws(WholeFile.AccessError) {
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0o666)
    guard file >= 0 else { throw WholeFile.AccessError(errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw WholeFile.AccessError(errno) }
    try write(make(max(limit - Int(clamping: status.st_size), 0)), to: file)
  }

  private static func pour(_ bytes: [UInt8], into path: String) throws(WholeFile.AccessError) {
    let file = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (isDevice(path) ? 0 : O_NOFOLLOW))
    guard file >= 0 else {
      throw errno == ENXIO ? WholeFile.AccessError(message: "no program reads it") : WholeFile.AccessError(errno)
    }
    defer { close(file) }
    try write(bytes, to: file)
  }

  private static func write(_ bytes: [UInt8], to file: Int32) throws(WholeFile.AccessError) {
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
        if poll(&wait, 1, patience) == 0 { throw WholeFile.AccessError(message: "its reader stopped reading") }
      case EPIPE: throw WholeFile.AccessError(message: "its reader went away")
      case let number: throw WholeFile.AccessError(number)
      }
    }
  }
}

// A method of `ReportFile` has the same name and hides the system's `write`.
private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}
