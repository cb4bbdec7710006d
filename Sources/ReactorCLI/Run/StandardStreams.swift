#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The three standard streams with which a process starts.
enum StandardStreams {
  /// Opens `/dev/null` for each stream that the caller has closed (`reactor run >&-`).
  ///
  /// Call this function before any file is opened. Otherwise a file or socket would get the descriptor number of the
  /// closed stream, and the text of the report would be written there. `/dev/null` is opened for reading only, so
  /// writing fails, and the exit code reports the failure.
  static func occupy() {
    while true {
      let number = open("/dev/null", O_RDONLY)
      if number > STDERR_FILENO { _ = close(number) }
      guard (0...STDERR_FILENO).contains(number) else { return }
    }
  }
}
