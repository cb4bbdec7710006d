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
  /// The smallest safe limit of the address space, in bytes. Below it a run can hang: runs of 40 flows hung at 500 MB, and
  /// did not hang at 700 MB.
  static let minimum: UInt64 = 1 << 30

  /// Returns an error when the address space of this process is too small, and nil when it is large enough.
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
