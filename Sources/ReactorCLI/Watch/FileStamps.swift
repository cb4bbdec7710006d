#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What the file system says of some files: it differs after each save.
///
/// A save in place changes the time or the size of a file, and a save under another name changes its inode.
package struct FileStamps: Sendable, Hashable {
  private struct Stamp: Hashable {
    var seconds: Int
    var nanoseconds: Int
    var size: Int
    var inode: UInt64
  }

  private var stamps: [String: Stamp] = [:]

  /// Whether none of the files exists.
  package var isEmpty: Bool { stamps.isEmpty }

  /// Reads the stamps of files and folders; a path without a file has none.
  package init(of paths: Set<String>) {
    for path in paths {
      var status = stat()
      guard stat(path, &status) == 0 else { continue }
      #if canImport(Glibc)
        let time = status.st_mtim
      #else
        let time = status.st_mtimespec
      #endif
      stamps[path] = Stamp(
        seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec), size: Int(status.st_size),
        inode: UInt64(status.st_ino))
    }
  }
}
