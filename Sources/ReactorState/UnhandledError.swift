#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The default handler of errors for which a reactor has no mutation.
public enum UnhandledError {
  /// Writes one line without control characters to standard error.
  public static func write(_ error: any Error, _ action: some Sendable) {
    let text = "unhandled error of \(type(of: action)): \(error)".unicodeScalars.prefix(500)
      .map { $0.properties.generalCategory == .control || $0.properties.generalCategory == .format ? " " : "\($0)" }
      .joined()
    let bytes = Array((text + "\n").utf8)
    bytes.withUnsafeBytes { buffer in
      // An error of this call is ignored, because there is no other output for it.
      #if canImport(Glibc)
        _ = Glibc.write(STDERR_FILENO, buffer.baseAddress, buffer.count)
      #else
        _ = Darwin.write(STDERR_FILENO, buffer.baseAddress, buffer.count)
      #endif
    }
  }
}
