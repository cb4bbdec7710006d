#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A name in an open folder that was reached without symbolic links.
///
/// Every file of a project is opened by such a name: a repository may contain links to anywhere, and a link that is
/// made while the program runs cannot lead it elsewhere either. A path that a person names may contain links; they are
/// resolved first (`WholeFile.resolvingFolders`).
struct UnlinkedName {
  let folder: FileDescriptor
  let name: String

  /// Opens the folder of a path; nil when it does not exist.
  ///
  /// - Parameter makes: whether folders that do not exist are created
  init?(_ path: String, makes: Bool = false) throws(WholeFile.AccessError) {
    var parts = Self.parts(of: path)
    name = parts.popLast() ?? "."
    guard let folder = try Self.open(parts[...], isAbsolute: path.utf8.first == UInt8(ascii: "/"), makes: makes) else {
      return nil
    }
    self.folder = folder
  }

  /// Opens the folder at a path; nil when it does not exist.
  static func folder(_ path: String) throws(WholeFile.AccessError) -> FileDescriptor? {
    try open(parts(of: path)[...], isAbsolute: path.utf8.first == UInt8(ascii: "/"), makes: false)
  }

  private static func parts(of path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }
  }

  private static func open(
    _ parts: ArraySlice<String>, isAbsolute: Bool, makes: Bool
  ) throws(WholeFile.AccessError) -> FileDescriptor? {
    var current: FileDescriptor
    do throws(SystemError) {
      current = try FileDescriptor.open(isAbsolute ? "/" : ".", in: nil, flags: O_RDONLY | O_DIRECTORY)
    } catch {
      throw WholeFile.AccessError(error.code)
    }
    for (index, part) in parts.enumerated() {
      let shown = (isAbsolute ? "/" : "") + parts.prefix(index + 1).joined(separator: "/")
      if makes, mkdirat(current.number, part, 0o777) != 0, errno != EEXIST, errno != EISDIR {
        // Without write access here, or on a read-only file system, an existing folder is sufficient.
        let code = errno
        if (try? current.status(of: part)) ?? nil == nil {
          throw WholeFile.AccessError(
            message: "the folder '\(shown)' cannot be created: \(WholeFile.AccessError(code).message)")
        }
      }
      do throws(SystemError) {
        let follows = isAbsolute && isKernelLink(parts, index)
        current = try FileDescriptor.open(part, in: current, flags: O_RDONLY | O_DIRECTORY, follows: follows)
      } catch {
        if let status = (try? current.status(of: part)) ?? nil, status.kind == .link { throw WholeFile.link(shown) }
        if makes, error.code == ENOTDIR {
          throw WholeFile.AccessError(message: "'\(shown)' is not a folder")
        }
        if error.code == ENOENT || error.code == ENOTDIR { return nil }
        throw WholeFile.AccessError(error.code)
      }
    }
    return current
  }

  /// Whether a part of an absolute path is a link that the kernel makes: `/proc/self`, and the folders of a process.
  /// Such links lead to open files, which may have no path, and no other user can create them.
  private static func isKernelLink(_ parts: ArraySlice<String>, _ index: Int) -> Bool {
    guard parts.first == "proc" else { return false }
    switch index {
    case 1: return true
    case 2: return ["cwd", "root"].contains(parts[parts.startIndex + 2])
    case 3: return parts[parts.startIndex + 2] == "fd"
    default: return false
    }
  }

  /// The kind of the file with this name; nil when none exists. A link is not followed.
  func kind() throws(WholeFile.AccessError) -> FileStatus.Kind? {
    do throws(SystemError) { return try folder.status(of: name)?.kind } catch {
      throw WholeFile.AccessError(error.code)
    }
  }

  /// Opens a regular file; nil when it does not exist.
  func open(_ flags: Int32, mode: UInt32 = 0) throws(WholeFile.AccessError) -> FileDescriptor? {
    let file: FileDescriptor
    let kind: FileStatus.Kind
    do throws(SystemError) {
      // A pipe would wait for its other end.
      file = try FileDescriptor.open(name, in: folder, flags: flags | O_NONBLOCK | O_NOCTTY, mode: mode)
      kind = try file.status().kind
    } catch {
      switch error.code {
      case ENOENT: return nil
      case ELOOP: throw WholeFile.link(name)
      case ENXIO: throw WholeFile.irregular(name)
      default: throw WholeFile.AccessError(error.code)
      }
    }
    guard kind == .regular else { throw WholeFile.irregular(name) }
    return file
  }
}

extension WholeFile {
  /// Opens a file or a pipe for writing in place, and creates its folders. No link is followed.
  ///
  /// - Returns: a descriptor that the caller closes; negative, with `errno`, when the file cannot be opened
  package static func openForWriting(_ path: String, flags: Int32) throws(AccessError) -> Int32 {
    guard let target = try UnlinkedName(path, makes: true) else { throw AccessError(ENOENT) }
    if try target.kind() == .link { throw link(path) }
    return openat(target.folder.number, target.name, flags | O_NOFOLLOW, 0o666)
  }

  /// The error when a path is a folder, a pipe or a device instead of a regular file.
  static func irregular(_ path: String) -> AccessError { AccessError(message: "'\(path)' is not a regular file") }

  /// The error when a path is a symbolic link.
  static func link(_ path: String) -> AccessError {
    AccessError(message: "'\(path)' is a symbolic link, and links are not followed")
  }

  /// Returns a path that a person named, with all symbolic links in its folders resolved. The last component is not
  /// resolved.
  package static func resolvingFolders(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return path }
    var end = slash
    // The deepest folder that exists.
    while true {
      let folder = String(path[..<end])
      if let real = realpath(folder, nil) {
        defer { free(real) }
        let whole = String(cString: real)
        return hasLink(folder) ? whole + path[end...] : path
      }
      guard let next = path[..<end].utf8.lastIndex(of: UInt8(ascii: "/")), next > path.startIndex else { return path }
      end = next
    }
  }

  /// Returns the path of a folder that a person named, with links resolved as far as the folders exist.
  package static func resolvingLinks(in folder: String) -> String {
    guard hasLink(folder), let real = realpath(folder, nil) else { return resolvingFolders(of: folder) }
    defer { free(real) }
    return String(cString: real)
  }

  /// The absolute path of a folder, without links; the path itself when the folder does not exist.
  package static func absolute(_ folder: String) -> String {
    guard let real = realpath(folder.isEmpty ? "." : folder, nil) else { return folder }
    defer { free(real) }
    return String(cString: real)
  }

  private static func hasLink(_ folder: String) -> Bool {
    // The target of a kernel link may have no path here, for example in another mount namespace or after its folder was
    // removed.
    if folder.hasPrefix("/proc/") { return false }
    var end = folder.startIndex
    while end < folder.endIndex {
      end = folder[folder.index(after: end)...].firstIndex(of: "/") ?? folder.endIndex
      var status = stat()
      if lstat(String(folder[..<end]), &status) == 0, status.st_mode & S_IFMT == S_IFLNK { return true }
    }
    return false
  }
}
