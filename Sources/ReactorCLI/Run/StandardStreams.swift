#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The three streams that a process is started with.
enum StandardStreams {
  /// Takes the place of each stream that the caller has closed (`reactor run >&-`), so that no file, socket or event queue
  /// of this process gets its number and then the report's text. Must be called before anything is opened.
  ///
  /// Opened for reading only: what is written there fails, and the exit code says that it was lost.
  static func occupy() {
    while true {
      let number = open("/dev/null", O_RDONLY)
      if number > STDERR_FILENO { _ = close(number) }
      guard (0...STDERR_FILENO).contains(number) else { return }
    }
  }
}
