package import ReactorCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension OutputRoot {
  /// The absolute path of a file below the root that another library opens, without symbolic links.
  ///
  /// - Parameters:
  ///   - components: the folders from the root down, then the file name
  ///   - makes: whether missing folders are created; if false, the result is nil when a folder does not exist
  package func absolutePath(of components: [String], makes: Bool) async throws(ReactorError) -> String? {
    try await work.run { () throws(ReactorError) -> String? in
      guard let folder = try self.folder(below: Array(components.dropLast()), makes: makes),
        let root = realpath(self.path.isEmpty ? "." : self.path, nil)
      else { return nil }
      defer { free(root) }
      let path = ([String(cString: root)] + components).joined(separator: "/")
      if makes { return path }
      return try folder.status(of: components.last ?? "") == nil ? nil : path
    }
  }
}
