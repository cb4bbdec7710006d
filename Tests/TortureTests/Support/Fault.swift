import Foundation
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A call that fails with an error, the Nth time it touches the results, once or from then on.
struct Fault: CustomStringConvertible {
  /// What an error is called by the tracer and in messages.
  struct Cause {
    var name: String
    var number: Int32
    /// Words of which a message that names the cause has them.
    var words: String

    static let all = [
      Cause(name: "ENOSPC", number: ENOSPC, words: "no space left"),
      Cause(name: "EIO", number: EIO, words: "input/output"),
      Cause(name: "EACCES", number: EACCES, words: "permission denied"),
      Cause(name: "EROFS", number: EROFS, words: "read-only"), Cause(name: "EDQUOT", number: EDQUOT, words: "quota"),
      Cause(name: "EMFILE", number: EMFILE, words: "too many open files"),
      Cause(name: "EINTR", number: EINTR, words: "nterrupted"), Cause(name: "ENOMEM", number: ENOMEM, words: "memory"),
    ]
  }

  /// Which calls are tampered with.
  enum Call: String, CaseIterable {
    case openat
    case newfstatat
    case pread64
    case write
    case fsync
    case linkat
    case renameat
    case unlinkat
    case fchmod
    case mkdirat
    case fcntl

    /// Whether the system may interrupt it before it did anything; the program then has to call again.
    var isInterruptible: Bool {
      self == .openat || self == .write || self == .pread64 || self == .fsync || self == .fcntl
    }
  }

  var call: Call
  var cause: Cause
  var number: Int
  var isLasting: Bool

  var description: String { "\(call) fails with \(cause.name) at \(number)\(isLasting ? " and from then on" : "")" }

  /// Words that the error of a flow must have: one of them.
  var words: [String] {
    // For a lock, POSIX lets EACCES say that another process has it.
    call == .fcntl && cause.name == "EACCES" ? ["another reactor run is writing", "in use"] : [cause.words]
  }

  /// The paths on which the tracer counts the call; all paths when empty.
  func paths(_ bench: Bench) -> [String] {
    let folders = ["", "/out", "/out/deep", "/out/deep/er"].map { bench.root.path + $0 }
    let kept = folders.map { $0 + "/.reactor.stamps" }
    let locks = folders.map { $0 + "/.reactor.lock" }
    let files = bench.items.map { bench.url($0).path }
    return switch call {
    case .openat, .newfstatat: folders + files + kept + locks
    case .pread64: files + kept
    case .fcntl: locks
    case .write, .fsync, .linkat, .renameat, .unlinkat, .fchmod, .mkdirat: []
    }
  }
}
