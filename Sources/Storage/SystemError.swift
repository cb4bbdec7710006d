#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The errno value of a failed system call.
struct SystemError: Error, Sendable, Hashable {
  var code: Int32

  init(_ code: Int32) { self.code = code }

  /// The error of the most recent system call.
  static var last: SystemError { SystemError(errno) }
}
