public import ReactorCore
internal import Synchronization

/// The folder below which all results are persisted; nothing outside it is read or written.
///
///     let root = OutputRoot()
///     let path = try OutputPath(parsing: "out/users.jsonl")
///     let outcome = try await root.lock(path).publish(bytes, provenance)
///     if let stamp = try await root.stamp(of: path), let file = try await root.open(path), try await file.matches(stamp) { … }
///
/// Building one touches no disk. Folders are opened one component at a time from the root down without following symbolic
/// links, and a few of them are kept open. All blocking calls run on threads of its own.
public final class OutputRoot: Sendable {
  /// The root as given; folders above it may be symbolic links, for the operator chose them.
  public let path: String
  /// How far results have gone when a publication returns.
  public let durability: Durability
  /// Whether folders may be used that every user of the machine can write and that lack the sticky bit. In such a folder
  /// others can replace results, so it has to be asked for.
  public let allowsSharedFolders: Bool
  /// Whether results are for their owner alone: files with mode 0600 in a folder with mode 0700. A file that belongs to
  /// another user, or that others can write, is refused.
  public let isPrivate: Bool

  /// Takes a small result, which is wanted only while the process lives, instead of the disk. False leaves it to the disk.
  public typealias Taker = @Sendable (_ path: OutputPath, _ content: [UInt8]) -> Bool

  let work: FileWork
  let taker: Taker?
  private let folders: Mutex<OpenFolders>

  /// Builds a root.
  ///
  /// - Parameters:
  ///   - path: A folder; made with the first result when it is not there. Default: the working folder.
  ///   - threads: At most this many blocking calls at once.
  ///   - taker: is offered each result of less than `StagedFile.bufferSize` before the disk. Those that it takes have no
  ///     stamp.
  public init(
    path: String = ".", durability: Durability = .durable, allowsSharedFolders: Bool = false,
    isPrivate: Bool = false, threads: Int = 8, taker: Taker? = nil
  ) {
    self.taker = taker
    self.path = path
    self.durability = durability
    self.allowsSharedFolders = allowsSharedFolders
    self.isPrivate = isPrivate
    work = FileWork(threads: threads)
    folders = Mutex(
      OpenFolders(path: path, durability: durability, allowsSharedFolders: allowsSharedFolders, isPrivate: isPrivate))
  }

  /// Takes the right to write a path; makes its folders.
  ///
  /// - Throws: at once when somebody else has it, here or in another process, and when what is under the path could not
  ///   be replaced (a folder, a symbolic link, a device).
  public func lock(_ path: OutputPath) async throws(ReactorError) -> PathLock {
    try await work.run { () throws(ReactorError) in
      let folder = try self.folder(of: path)
      if let lock = try PathLock(path, in: folder, work: self.work, taker: self.taker) { return lock }
      let shown = folder.path(of: path.name)
      throw .persistence(
        "another reactor run is writing \(shown) (wait for its end, or choose another path)", path: shown)
    }
  }

  /// The same; nil when another holder has it.
  public func lockIfFree(_ path: OutputPath) async throws(ReactorError) -> PathLock? {
    try await work.run { () throws(ReactorError) in
      try PathLock(path, in: try self.folder(of: path), work: self.work, taker: self.taker)
    }
  }

  /// Opens what is published under a path; nil without anything. Needs no lock.
  public func open(_ path: OutputPath) async throws(ReactorError) -> StoredFile? {
    try await work.run { () throws(ReactorError) -> StoredFile? in
      guard let folder = try self.folder(of: path, makes: false), let (file, status) = try folder.open(path.name)
      else { return nil }
      return StoredFile(file, size: status.size, path: folder.path(of: path.name), work: self.work)
    }
  }

  /// The last stamp of a path, which counts only for the content that it matches (`StoredFile.matches`).
  public func stamp(of path: OutputPath) async throws(ReactorError) -> Stamp? {
    try await work.run { () throws(ReactorError) -> Stamp? in
      try self.folder(of: path, makes: false)?.stamp(of: path.name)
    }
  }

  /// What is published under a path: whether it exists, its stamp, and whether the content still matches the stamp.
  ///
  /// - Parameter refusal: why a result with this stamp is not wanted; nil when it is. Only a wanted one is opened.
  public func look<Reason: Sendable>(
    at path: OutputPath, refusal: @escaping @Sendable (Stamp) -> Reason?
  ) async throws(ReactorError) -> StoredLookup<Reason> {
    try await work.run { () throws(ReactorError) -> StoredLookup<Reason> in
      guard let folder = try self.folder(of: path, makes: false), try folder.status(of: path.name) != nil else {
        return .absent
      }
      guard let stamp = try folder.stamp(of: path.name) else { return .unknown }
      if let reason = refusal(stamp) { return .refused(reason) }
      guard let (file, status) = try folder.open(path.name) else { return .absent }
      let stored = StoredFile(file, size: status.size, path: folder.path(of: path.name), work: self.work)
      return try stored.holds(stamp) ? .intact(stored, stamp) : .changed
    }
  }

  /// Closes all folders that are not in use. The root can be used again.
  public func close() async {
    // It fails only where the job does.
    try? await work.run { () throws(ReactorError) in self.folders.withLock { $0.closeAll() } }
  }

  /// The folder that a path is written in; made where it is not there.
  private func folder(of path: OutputPath) throws(ReactorError) -> OutputFolder {
    guard let folder = try folder(of: path, makes: true) else {
      throw .persistence("cannot make the folder of \(path)", path: path.text)
    }
    return folder
  }

  private func folder(of path: OutputPath, makes: Bool) throws(ReactorError) -> OutputFolder? {
    try folder(below: Array(path.folders), makes: makes)
  }

  /// The folder with these components below the root; nil when it is not there.
  func folder(below components: [String], makes: Bool) throws(ReactorError) -> OutputFolder? {
    try folders.withLock { (folders: inout OpenFolders) throws(ReactorError) -> OutputFolder? in
      try folders.open(components, makes: makes)
    }
  }
}
