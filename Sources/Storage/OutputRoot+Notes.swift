public import ReactorCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension OutputRoot {
  /// The folder below the root for data that is too large for a stamp.
  private static let notes = [".reactor", "cursors"]
  /// The maximum size in bytes; larger files were not written by this program.
  private static let largestNote: Int64 = 256 << 20

  /// Persists bytes under a name in `.reactor/cursors`.
  ///
  /// When the function returns, the bytes are complete and on the medium; with a root of durability `fast` they may not
  /// yet be on the medium. The caller must hold the lock of the path to which the name belongs.
  ///
  /// - Parameter name: a file name of digits, letters and dots
  public func saveNote(_ bytes: [UInt8], as name: String) async throws(ReactorError) {
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

  /// Returns the bytes persisted under a name; nil when there are none.
  public func note(_ name: String) async throws(ReactorError) -> [UInt8]? {
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

  /// Removes all files whose names begin with a prefix, except one.
  ///
  /// A file that cannot be removed remains until the next call.
  public func removeNotes(withPrefix prefix: String, except name: String) async {
    try? await work.run { () throws(ReactorError) in
      guard let folder = try self.folder(below: Self.notes, makes: false) else { return }
      for found in folder.descriptor.names(withPrefix: prefix) where found != name {
        try? folder.descriptor.remove(found)
      }
    }
  }
}
