#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The three streams that a process is started with.
enum StandardStreams {
  /// Opens `/dev/null` for each stream that the caller has closed (`reactor run >&-`). Call it before anything is opened.
  ///
  /// Otherwise a file or socket would get the number of the stream, and then the text of the report. It is opened for
  /// reading only: writing fails, and the exit code says so.
  static func occupy() {
    while true {
      let number = open("/dev/null", O_RDONLY)
      if number > STDERR_FILENO { _ = close(number) }
      guard (0...STDERR_FILENO).contains(number) else { return }
    }
  }
}
