public import ReactorCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension OutputRoot {
  /// The folder for what does not fit in a stamp, below the root.
  private static let notes = [".reactor", "cursors"]
  /// Larger files are not ours.
  private static let largestNote: Int64 = 256 << 20

  /// Persists bytes under a name in `.reactor/cursors`. They are whole and on the medium when this returns, unless the
  /// root is fast. The caller holds the lock of the path that the name belongs to.
  ///
  /// - Parameter name: digits, letters and dots
  public func keep(_ bytes: [UInt8], as name: String) async throws(ReactorError) {
    try await work.run { () throws(ReactorError) in
      let shown = (Self.notes + [name]).joined(separator: "/")
      guard let folder = try self.folder(below: Self.notes, makes: true) else {
        throw .persistence("cannot make the folder of \(shown)", path: shown)
      }
      let descriptor = folder.descriptor
      let whole = folder.path(of: name)
      let temporary = name + ".tmp"
      do throws(SystemError) {
        let file = try FileDescriptor.open(
          temporary, in: descriptor, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o666)
        try file.write(bytes)
        if self.durability == .durable { try file.sync() }
        try descriptor.rename(temporary, to: name)
        if self.durability == .durable { try descriptor.sync() }
      } catch {
        try? descriptor.remove(temporary)
        throw .file("write", whole, error)
      }
    }
  }

  /// The bytes persisted under a name; nil without any.
  public func kept(_ name: String) async throws(ReactorError) -> [UInt8]? {
    try await work.run { () throws(ReactorError) -> [UInt8]? in
      guard let folder = try self.folder(below: Self.notes, makes: false), let (file, status) = try folder.open(name),
        status.size <= Self.largestNote
      else { return nil }
      var bytes = [UInt8](repeating: 0, count: Int(status.size))
      do throws(SystemError) {
        let count = try file.read(into: &bytes, at: 0)
        bytes.removeLast(bytes.count - count)
        return bytes
      } catch {
        throw .file("read", folder.path(of: name), error)
      }
    }
  }

  /// Removes what is persisted under names with a prefix, except one. What cannot be removed now stays until the next time.
  public func forget(beginningWith prefix: String, except name: String) async {
    try? await work.run { () throws(ReactorError) in
      guard let folder = try self.folder(below: Self.notes, makes: false) else { return }
      for found in folder.descriptor.names(withPrefix: prefix) where found != name {
        try? folder.descriptor.remove(found)
      }
    }
  }
}
