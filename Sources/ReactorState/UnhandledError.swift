#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What becomes of an error that nobody wants.
public enum UnhandledError {
  /// Tells standard error, in a line that holds no control characters.
  public static func write(_ error: any Error, _ action: some Sendable) {
    let text = "unhandled error of \(type(of: action)): \(error)".unicodeScalars.prefix(500)
      .map { $0.properties.generalCategory == .control || $0.properties.generalCategory == .format ? " " : "\($0)" }
      .joined()
    let bytes = Array((text + "\n").utf8)
    bytes.withUnsafeBytes { buffer in
      // Nothing more can be done where standard error is gone.
      #if canImport(Glibc)
        _ = Glibc.write(STDERR_FILENO, buffer.baseAddress, buffer.count)
      #else
        _ = Darwin.write(STDERR_FILENO, buffer.baseAddress, buffer.count)
      #endif
    }
  }
}
