internal import ReactorCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The open folders of a root; the least recently used folders are closed.
///
/// Each folder is opened once: thousands of flows that write to one folder share its descriptors, locks and stamps.
struct OpenFolders {
  /// The maximum number of open folders.
  ///
  /// Each folder needs up to four descriptors, and a process commonly may open 1,024.
  static let limit = 64

  private struct Entry {
    var folder: OutputFolder
    var status: FileStatus
    var lastUse: UInt64
  }

  private let path: String
  private let durability: Durability
  private let allowsSharedFolders: Bool
  private let isPrivate: Bool
  private var root: FileDescriptor?
  // The keys are bytes, because strings that are equal in Swift can be two names for the system.
  private var entries: [[UInt8]: Entry] = [:]
  private var uses: UInt64 = 0

  init(path: String, durability: Durability, allowsSharedFolders: Bool, isPrivate: Bool) {
    self.path = path.isEmpty ? "." : path
    self.durability = durability
    self.allowsSharedFolders = allowsSharedFolders
    self.isPrivate = isPrivate
  }

  /// Returns the folder with these components below the root. Nil when it does not exist.
  ///
  /// Creates the folder when `makes` is true.
  mutating func open(_ components: [String], makes: Bool) throws(ReactorError) -> OutputFolder? {
    guard let root = try openRoot(makes: makes) else { return nil }
    let text = components.joined(separator: "/")
    let key = Array(text.utf8)
    uses += 1
    if let index = entries.index(forKey: key) {
      let known = entries.values[index]
      // Another program may have moved or removed the folder since. The root itself is always the one that was opened.
      let now = text.isEmpty ? known.status : try? root.status(of: text)
      if now?.isSameFile(as: known.status) == true {
        entries.values[index].lastUse = uses
        return known.folder
      }
      entries.remove(at: index)
    }
    var current = root
    for (index, component) in components.enumerated() {
      let shown = show(components[...index])
      // Only the last folder is private; the folders above it are shared with other state.
      let mode: mode_t? = !makes ? nil : isPrivate && index == components.count - 1 ? 0o700 : 0o777
      guard let next = try descend(from: current, to: component, at: shown, making: mode) else { return nil }
      current = next
    }
    let folder = OutputFolder(current, path: show(components[...]), durability: durability, isPrivate: isPrivate)
    let status: FileStatus
    do { status = try current.status() } catch { throw .file("open", folder.path, error) }
    makeRoom()
    entries[key] = Entry(folder: folder, status: status, lastUse: uses)
    return folder
  }

  /// Releases the root and all folders. A folder in use closes with its last user.
  mutating func closeAll() {
    entries = [:]
    root = nil
  }

  // MARK: -

  private func show(_ components: ArraySlice<String>) -> String {
    let below = components.joined(separator: "/")
    if below.isEmpty { return path }
    if path == "." { return below }
    return path.utf8.last == UInt8(ascii: "/") ? path + below : "\(path)/\(below)"
  }

  private mutating func openRoot(makes: Bool) throws(ReactorError) -> FileDescriptor? {
    if let root { return root }
    var opened = try openRootNow()
    if opened == nil {
      guard makes else { return nil }
      try makeRoot()
      opened = try openRootNow()
    }
    guard let opened else { throw .file("open", path, SystemError(ENOENT)) }
    try check(opened, at: path)
    root = opened
    return opened
  }

  private func openRootNow() throws(ReactorError) -> FileDescriptor? {
    do {
      return try FileDescriptor.open(path, in: nil, flags: O_RDONLY | O_DIRECTORY, follows: true)
    } catch {
      if error.code == ENOENT { return nil }
      throw .file("open", path, error)
    }
  }

  /// Creates the root and its missing parent folders.
  private func makeRoot() throws(ReactorError) {
    var end = path.utf8.startIndex
    while end < path.utf8.endIndex {
      end = path.utf8[path.utf8.index(after: end)...].firstIndex(of: UInt8(ascii: "/")) ?? path.utf8.endIndex
      let part = String(path[..<end])
      guard mkdir(part, 0o777) != 0, errno != EEXIST else { continue }
      let error = SystemError.last
      // Without write permission here, or on a read-only file system, an existing folder is sufficient.
      if access(part, F_OK) != 0 { throw .file("make", part, error) }
    }
  }

  /// Opens one folder in another; creates it when a mode is given.
  private func descend(
    from folder: FileDescriptor, to component: String, at shown: String, making mode: mode_t?
  ) throws(ReactorError) -> FileDescriptor? {
    do {
      var opened = try openFolder(component, in: folder)
      if opened == nil, let mode {
        // Another process may create the folder at the same moment.
        guard mkdirat(folder.number, component, mode) == 0 || errno == EEXIST else { throw SystemError.last }
        if durability == .durable { try folder.sync() }
        opened = try openFolder(component, in: folder)
        if opened == nil { throw SystemError(ENOENT) }
      }
      guard let opened else { return nil }
      try check(opened, at: shown)
      return opened
    } catch let error as ReactorError {
      throw error
    } catch let error as SystemError {
      if error.code == ENOTDIR || error.code == ELOOP, let kind = try? folder.status(of: component)?.kind {
        throw .wrongKind(kind, at: shown, wanted: .folder)
      }
      throw .file(mode == nil ? "open" : "make", shown, error)
    } catch {
      throw .persistence("cannot open \(shown): \(error)", path: shown)
    }
  }

  private func openFolder(_ name: String, in folder: FileDescriptor) throws(SystemError) -> FileDescriptor? {
    do {
      return try FileDescriptor.open(name, in: folder, flags: O_RDONLY | O_DIRECTORY)
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
  }

  /// Refuses a folder in which every user of the machine can replace other users' files.
  private func check(_ folder: FileDescriptor, at shown: String) throws(ReactorError) {
    guard !allowsSharedFolders else { return }
    let mode: UInt32
    do { mode = try folder.status().mode } catch { throw .file("open", shown, error) }
    guard mode & 0o002 == 0 || mode & 0o1000 != 0 else {
      let remedy = "chmod o-w it, or choose another root with --root"
      throw .persistence("every user of this machine can replace files in \(shown) (\(remedy))", path: shown)
    }
  }

  /// Closes the least recently used folder that is not in use, if any.
  private mutating func makeRoom() {
    guard entries.count >= OpenFolders.limit else { return }
    var oldest: (index: Dictionary<[UInt8], Entry>.Index, use: UInt64)?
    var index = entries.startIndex
    while index < entries.endIndex {
      let use = entries.values[index].lastUse
      if use < oldest?.use ?? .max, isKnownUniquelyReferenced(&entries.values[index].folder) { oldest = (index, use) }
      entries.formIndex(after: &index)
    }
    if let oldest { entries.remove(at: oldest.index) }
  }
}
