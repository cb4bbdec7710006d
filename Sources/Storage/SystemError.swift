#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Why a call to the system failed: its errno.
struct SystemError: Error, Sendable, Hashable {
  var code: Int32

  init(_ code: Int32) { self.code = code }

  /// The error of the call just made.
  static var last: SystemError { SystemError(errno) }
}
