#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The properties of a file, as the system reports them.
struct FileStatus: Sendable, Hashable {
  enum Kind: Sendable, Hashable { case regular, folder, link, other }

  var kind: Kind
  var mode: UInt32
  var size: Int64
  var device: UInt64
  var inode: UInt64
  var links: UInt64
  var user: UInt32
  var group: UInt32
  /// When content, name or owner were last changed, in milliseconds since 1970.
  var changedAt: Int64

  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    mode = UInt32(status.st_mode & 0o7777)
    size = Int64(status.st_size)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
    links = UInt64(status.st_nlink)
    user = status.st_uid
    group = status.st_gid
    #if canImport(Glibc)
      let changed = status.st_ctim
    #else
      let changed = status.st_ctimespec
    #endif
    changedAt = Int64(changed.tv_sec) * 1000 + Int64(changed.tv_nsec) / 1_000_000
  }

  /// Whether both describe the same file.
  func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}
