internal import ReactorCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension ReactorError {
  /// The error of a failed file call, such as `cannot write out/x.jsonl: no space left on the file system (free some,
  /// …)`.
  static func file(_ action: String, _ path: String, _ error: SystemError) -> ReactorError {
    let (cause, remedy) = SystemError.words(error.code)
    return .persistence("cannot \(action) \(path): \(cause)" + (remedy.map { " (\($0))" } ?? ""), path: path)
  }

  /// The error when a path exists but is not a file or folder as required.
  static func wrongKind(_ kind: FileStatus.Kind, at path: String, wanted: FileStatus.Kind) -> ReactorError {
    let found =
      switch kind {
      case .link: "a symbolic link, which is not followed (put a real \(wanted == .folder ? "folder" : "file") there)"
      case .folder: "a folder, not a file (choose another name)"
      case .regular: "a file, not a folder (choose another name)"
      case .other: "a device, pipe or socket (choose another name)"
      }
    return .persistence("\(path) is \(found)", path: path)
  }
}

extension SystemError {
  /// Returns the cause in words, and advice to the operator if there is any.
  fileprivate static func words(_ code: Int32) -> (cause: String, remedy: String?) {
    switch code {
    case ENOSPC: ("no space left on the file system", "free some space there, or choose another root")
    case EDQUOT: ("the disk quota is used up", "free some space, or ask for a larger quota")
    case EFBIG: ("the file would be larger than allowed", "raise the file size limit, see ulimit -f")
    case EROFS: ("the file system is read-only", "choose a root on a writable file system")
    case EACCES: ("permission denied", "give this user write access to the folder, or choose another root")
    case EPERM: ("operation not permitted", "the file may be immutable or belong to another user")
    case EMFILE: ("too many open files", "raise the limit, see ulimit -n, or lower --jobs")
    case ENFILE: ("too many open files on this machine", nil)
    case ENAMETOOLONG: ("the name is too long for this file system", "choose a shorter name")
    case EISDIR: ("a folder has that name", "choose another name")
    case ENOTDIR: ("a part of the path is not a folder", nil)
    case ELOOP: ("a part of the path is a symbolic link, which is not followed", nil)
    case ENOENT: ("no such file or folder", "was the folder removed during the run?")
    case EIO: ("input/output error", "the disk may be failing; see the system's log")
    case ENOLCK, EOPNOTSUPP, EINVAL: ("the file system does not support this", "choose a root on a local file system")
    case EBUSY: ("in use by the system", nil)
    case ENOMEM: ("out of memory", nil)
    default: (String(cString: strerror(code)), nil)
    }
  }
}
