internal import FlowSpec

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Reads files and folders; writes nothing.
enum DiskFiles {
  /// The kind of the file to which a path leads, after symbolic links.
  enum Kind {
    case file
    case folder(identity: [UInt64])
    /// A pipe, a device or a socket.
    case other
  }

  /// The kind of the file at a path; nil when no file exists there.
  static func kind(of path: String) throws(SourceReadError) -> Kind? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw SourceReadError(reason(errno))
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder(identity: [UInt64(status.st_dev), UInt64(status.st_ino)])
    default: return .other
    }
  }

  /// The bytes of a file. When the file is larger than `limit`, `limit` + 1 bytes are returned.
  static func bytes(of path: String, limit: Int) throws(SourceReadError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw SourceReadError(reason(errno)) }
    defer { close(file) }
    return try bytes(from: file, limit: limit)
  }

  /// Like `bytes(of:limit:)`, and also returns the mode of the file.
  static func bytesAndMode(of path: String, limit: Int) throws(SourceReadError) -> (bytes: [UInt8], mode: UInt32) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw SourceReadError(reason(errno)) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw SourceReadError(reason(errno)) }
    return (try bytes(from: file, limit: limit), UInt32(status.st_mode))
  }

  /// The names directly in a folder; nil when the folder does not exist.
  static func names(in folder: String) throws(SourceReadError) -> [String]? {
    guard let stream = opendir(folder.isEmpty ? "." : folder) else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw SourceReadError(reason(errno))
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw SourceReadError(reason(errno)) }
        return names
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  /// The working folder; empty when it is unknown.
  static var workingFolder: String {
    guard let path = getcwd(nil, 0) else { return "" }
    defer { free(path) }
    return String(cString: path)
  }

  /// The message of a system error, in lower case.
  static func reason(_ number: Int32) -> String {
    let text = String(cString: strerror(number))
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  private static func bytes(from file: Int32, limit: Int) throws(SourceReadError) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= limit {
      let count = piece.withUnsafeMutableBytes { read(file, $0.baseAddress, min($0.count, limit + 1 - bytes.count)) }
      if count < 0 {
        if errno == EINTR { continue }
        throw SourceReadError(reason(errno))
      }
      if count == 0 { break }
      bytes.append(contentsOf: piece[..<count])
    }
    return bytes
  }
}
