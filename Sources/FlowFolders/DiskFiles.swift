package import FlowSpec
internal import Storage

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Reads files and folders; writes nothing.
package enum DiskFiles {
  /// The kind of a file.
  package enum Kind {
    case file
    case folder
    /// A pipe, a device or a socket.
    case other
  }

  /// The kind of the file at a path; nil when no file exists there.
  ///
  /// - Parameter isNamed: whether a person named the path; only then is a symbolic link followed
  package static func kind(of path: String, isNamed: Bool) throws(SourceReadError) -> Kind? {
    var status = stat()
    guard isNamed ? stat(path, &status) == 0 : lstat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw SourceReadError(WholeFile.AccessError(errno).message)
    }
    switch status.st_mode & S_IFMT {
    case S_IFLNK: throw SourceReadError("it is a symbolic link, and links are not followed")
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// The bytes of a file of the project. When the file is larger than `limit`, `limit` + 1 bytes are returned.
  package static func bytes(of path: String, limit: Int) throws(SourceReadError) -> [UInt8] {
    do throws(WholeFile.AccessError) {
      guard let found = try WholeFile.read(path, limit: limit) else { throw WholeFile.AccessError(ENOENT) }
      return found.bytes
    } catch {
      throw SourceReadError(error.message)
    }
  }

  /// The bytes of a file that a person named, and the mode of the file (its permission bits).
  package static func bytesAndMode(named path: String, limit: Int) throws(SourceReadError) -> (
    bytes: [UInt8], mode: UInt32
  ) {
    do throws(WholeFile.AccessError) {
      guard let found = try WholeFile.read(named: path, limit: limit) else { throw WholeFile.AccessError(ENOENT) }
      return found
    } catch {
      throw SourceReadError(error.message)
    }
  }

  /// The names of the files and folders directly in a folder; nil when the folder does not exist.
  package static func names(in folder: String, isNamed: Bool = false) throws(SourceReadError) -> [String]? {
    do throws(WholeFile.AccessError) { return try WholeFile.names(in: folder, isNamed: isNamed) } catch {
      throw SourceReadError(error.message)
    }
  }

  /// The working folder; empty when it is unknown.
  package static var workingFolder: String {
    guard let path = getcwd(nil, 0) else { return "" }
    defer { free(path) }
    return String(cString: path)
  }
}
