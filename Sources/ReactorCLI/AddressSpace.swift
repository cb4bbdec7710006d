#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The address space that a process may have (`ulimit -v`).
///
/// If a thread cannot get its stack, the system's thread pool waits for ever; if an allocation fails, the process ends.
/// So a limit that is too low for a small run is an error before anything begins.
enum AddressSpace {
  /// The bytes below which runs were seen to hang: with 40 flows it happened at 500 MB, and at 700 MB no more.
  static let minimum: UInt64 = 1 << 30

  /// The error that the limit of this process is; nil when it is high enough.
  static func lack() -> CommandError? {
    var limit = rlimit()
    #if canImport(Glibc)
      let kind = Int32(RLIMIT_AS.rawValue)
    #else
      let kind = RLIMIT_AS
    #endif
    guard getrlimit(kind, &limit) == 0, UInt64(limit.rlim_cur) < minimum else { return nil }
    return CommandError(
      "this process may have only \(UInt64(limit.rlim_cur) >> 20) MiB of address space (ulimit -v); "
        + "reactor needs \(minimum >> 20) MiB",
      help: "raise the limit, for example with 'ulimit -v unlimited'", .notWritten)
  }
}
