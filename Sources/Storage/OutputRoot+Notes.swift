public import ReactorCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension OutputRoot {
  /// A folder below `.reactor` for small files that belong to flows.
  public enum NoteFolder: String, Sendable {
    /// Cursor data that is too large for the stamp of a result.
    case cursors
    /// Jobs that servers run for flows and that have not ended.
    case jobs
    /// The newest single-use refresh tokens. They are published under a lock, and only listed and removed as notes.
    case auth
    /// What receivers of notices were told.
    case notices

    fileprivate var components: [String] { [".reactor", rawValue] }
    /// The permissions of the files. Only the owner can read jobs and tokens: a server gave them to one user.
    fileprivate var mode: UInt32 { self == .cursors ? 0o666 : 0o600 }
  }

  /// The maximum size in bytes; larger files were not written by this program.
  private static let largestNote: Int64 = 256 << 20

  /// Persists bytes under a name in a folder of notes.
  ///
  /// When the function returns, the bytes are complete and on the medium; with a root of durability `fast` they may not
  /// yet be on the medium. Two callers must not use one name at the same time: the later one may leave bytes that
  /// cannot be read.
  ///
  /// - Parameter name: a file name of digits, letters and dots
  public func saveNote(_ bytes: [UInt8], as name: String, in notes: NoteFolder = .cursors) async throws(ReactorError) {
    try await work.run { () throws(ReactorError) in
      let shown = (notes.components + [name]).joined(separator: "/")
      guard let folder = try self.folder(below: notes.components, makes: true) else {
        throw .persistence("cannot create the folder of \(shown)", path: shown)
      }
      let descriptor = folder.descriptor
      let whole = folder.path(of: name)
      let temporary = name + ".tmp"
      do throws(SystemError) {
        let file = try FileDescriptor.open(
          temporary, in: descriptor, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: notes.mode)
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
  public func note(_ name: String, in notes: NoteFolder = .cursors) async throws(ReactorError) -> [UInt8]? {
    try await work.run { () throws(ReactorError) -> [UInt8]? in
      guard let folder = try self.folder(below: notes.components, makes: false),
        let (file, status) = try folder.open(name),
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

  /// The names of all completely written files that begin with a prefix, in no particular order.
  public func noteNames(withPrefix prefix: String, in notes: NoteFolder) async throws(ReactorError) -> [String] {
    try await work.run { () throws(ReactorError) -> [String] in
      guard let folder = try self.folder(below: notes.components, makes: false) else { return [] }
      return folder.descriptor.names(withPrefix: prefix).filter { !$0.hasSuffix(".tmp") }
    }
  }

  /// Removes a file. No error is reported: a file that cannot be removed remains.
  public func removeNote(_ name: String, in notes: NoteFolder) async {
    try? await work.run { () throws(ReactorError) in
      guard let folder = try self.folder(below: notes.components, makes: false) else { return }
      try? folder.descriptor.remove(name)
      if self.durability == .durable { try? folder.descriptor.sync() }
    }
  }

  /// Removes all files whose names begin with a prefix, except one.
  ///
  /// A file that cannot be removed remains until the next call.
  public func removeNotes(withPrefix prefix: String, except name: String) async {
    try? await work.run { () throws(ReactorError) in
      guard let folder = try self.folder(below: NoteFolder.cursors.components, makes: false) else { return }
      for found in folder.descriptor.names(withPrefix: prefix) where found != name {
        try? folder.descriptor.remove(found)
      }
    }
  }
}
