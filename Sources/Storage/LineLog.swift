#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file of lines to which several processes append, such as the history of runs.
///
/// No link is followed. Lines are appended in one piece. After a crash the last line may be incomplete. The next line
/// still begins on a new line.
package enum LineLog {
  /// Appends lines, and creates the file and its folders.
  ///
  /// - Parameters:
  ///   - lines: complete lines
  ///   - limit: the size in bytes from which the file is trimmed
  ///   - trim: is called with the content of the whole file, and returns the lines to keep
  /// - Throws: when the file cannot be written, also when other processes keep it locked for some seconds
  package static func append(
    _ lines: [UInt8], to path: String, limit: Int, trim: ([UInt8]) -> [UInt8]
  ) throws(WholeFile.AccessError) {
    for _ in 0..<500 {
      guard let target = try UnlinkedName(path, makes: true),
        let file = try target.open(O_RDWR | O_APPEND | O_CREAT, mode: 0o666)
      else { throw WholeFile.AccessError(ENOENT) }
      // The lock is lost when another process has replaced the file, so the file is opened again.
      if WholeFile.locks(file, named: target.name, in: target.folder) {
        try append(lines, to: file.number)
        try keepSmall(file.number, at: path, limit: limit, trim)
        return
      }
      usleep(10_000)
    }
    throw WholeFile.AccessError(message: "another process is writing this file")
  }

  private static func append(_ lines: [UInt8], to file: Int32) throws(WholeFile.AccessError) {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw WholeFile.AccessError(errno) }
    var last = UInt8(ascii: "\n")
    let isTorn = status.st_size > 0 && pread(file, &last, 1, status.st_size - 1) == 1 && last != UInt8(ascii: "\n")
    let bytes = isTorn ? [UInt8(ascii: "\n")] + lines : lines
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { write(file, $0.baseAddress.map { $0 + written }, $0.count - written) }
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        let error = WholeFile.AccessError(errno)
        // On a full disk, half of a line must not stay.
        _ = ftruncate(file, status.st_size)
        throw error
      }
    }
  }

  private static func keepSmall(
    _ file: Int32, at path: String, limit: Int, _ trim: ([UInt8]) -> [UInt8]
  ) throws(WholeFile.AccessError) {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_size > limit,
      let whole = try WholeFile.read(path, limit: Int(status.st_size))
    else { return }
    // The lock of the old file is held until the new one has replaced it.
    try WholeFile.replace(path, survivesPowerLoss: false) { trim(whole.bytes) }
  }
}
