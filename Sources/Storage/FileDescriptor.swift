internal import CFileCalls

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An open file or folder; the last reference closes it.
final class FileDescriptor: Sendable {
  let number: Int32

  /// Takes over a descriptor that no other code closes.
  init(owning number: Int32) { self.number = number }

  deinit {
    // fsync reports write errors, so close has no errors left to report.
    _ = close(number)
  }

  /// Opens a file or folder: the name `path` in `folder`, or any path from the working folder when `folder` is nil.
  ///
  /// A symbolic link in the last component is not followed unless `follows` is true.
  static func open(
    _ path: String, in folder: FileDescriptor?, flags: Int32, mode: UInt32 = 0, follows: Bool = false
  ) throws(SystemError) -> FileDescriptor {
    let number = reactor_openat(folder?.number ?? AT_FDCWD, path, follows ? flags : flags | O_NOFOLLOW, mode)
    guard number >= 0 else { throw SystemError(-number) }
    return FileDescriptor(owning: number)
  }

  /// Creates a file without a name in a folder. Nil where the system or the file system does not support that.
  ///
  /// Closing the file deletes it unless it has got a name.
  static func openUnnamed(in folder: FileDescriptor, mode: UInt32) throws(SystemError) -> FileDescriptor? {
    let number = reactor_open_unnamed(folder.number, mode)
    switch -number {
    case EOPNOTSUPP, EISDIR, EINVAL: return nil
    case let code where code > 0: throw SystemError(code)
    default: return FileDescriptor(owning: number)
    }
  }

  /// Gives a name in a folder to a file without a name. Fails when the name already exists.
  func link(as name: String, in folder: FileDescriptor) throws(SystemError) {
    let result = reactor_name_file(number, folder.number, name)
    guard result == 0 else { throw SystemError(-result) }
  }

  /// Returns the status of the open file or folder.
  func status() throws(SystemError) -> FileStatus {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .last }
    return FileStatus(status)
  }

  /// Returns the status of a name in this folder. Nil when the name does not exist.
  ///
  /// A symbolic link is not followed.
  func status(of name: String) throws(SystemError) -> FileStatus? {
    var status = stat()
    guard fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT { return nil }
      throw .last
    }
    return FileStatus(status)
  }

  /// Writes all bytes at the file's position, or at its end when the file was opened for appending.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var rest = bytes
    while let start = rest.baseAddress, !rest.isEmpty {
      #if canImport(Glibc)
        let count = Glibc.write(number, start, rest.count)
      #else
        let count = Darwin.write(number, start, rest.count)
      #endif
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if count == 0 {
        throw SystemError(EIO)  // a non-empty write that writes no byte would repeat for ever
      } else if errno != EINTR {
        throw .last
      }
    }
  }

  /// Fills the buffer from an offset; returns the number of bytes read.
  ///
  /// Fewer bytes than requested are read only at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
    var filled = 0
    while filled < buffer.count, let start = buffer.baseAddress {
      let count = pread(number, start + filled, buffer.count - filled, off_t(offset) + off_t(filled))
      if count > 0 {
        filled += count
      } else if count == 0 {
        break
      } else if errno != EINTR {
        throw .last
      }
    }
    return filled
  }

  /// Writes an array's bytes.
  func write(_ bytes: [UInt8]) throws(SystemError) {
    try bytes.withUnsafeBytes { buffer in Result { () throws(SystemError) in try write(buffer) } }.get()
  }

  /// Fills an array from index `start` on; returns the number of bytes read.
  ///
  /// Fewer bytes than the array has room for are read only at the end of the file.
  func read(into bytes: inout [UInt8], from start: Int = 0, at offset: Int64) throws(SystemError) -> Int {
    // The standard library passes no typed errors through these closures, so the error is passed as a `Result`.
    try bytes.withUnsafeMutableBytes { buffer in
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
      return Result { () throws(SystemError) in try read(into: room, at: offset) }
    }.get()
  }

  /// Starts to write the content to the medium, so that a later `sync` waits for less.
  func beginSync() { reactor_begin_sync(number) }

  /// Waits until the content, or a folder's entries, are on the medium.
  ///
  /// A failure is final: the system may have dropped the data, and a second call would report success.
  func sync() throws(SystemError) {
    let result = reactor_sync(number)
    guard result == 0 else { throw SystemError(-result) }
  }

  /// Sets the permission bits.
  func setMode(_ mode: UInt32) throws(SystemError) {
    guard fchmod(number, mode_t(mode)) == 0 else { throw .last }
  }

  /// Renames a file of this folder; replaces an existing target in one step.
  func rename(_ name: String, to target: String) throws(SystemError) {
    guard renameat(number, name, number, target) == 0 else { throw .last }
  }

  /// Renames a file of this folder into another folder of the same file system; replaces an existing target.
  func move(_ name: String, to target: String, in folder: FileDescriptor) throws(SystemError) {
    guard renameat(number, name, folder.number, target) == 0 else { throw .last }
  }

  /// Removes a file of this folder.
  func remove(_ name: String) throws(SystemError) {
    guard unlinkat(number, name, 0) == 0 else { throw .last }
  }
}
