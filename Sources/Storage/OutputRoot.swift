public import ReactorCore
internal import Synchronization

/// The folder below which all results are persisted. Files outside it are never read or written.
///
///     let root = OutputRoot()
///     let path = try OutputPath(parsing: "out/users.jsonl")
///     let outcome = try await root.lock(path).publish(bytes, provenance)
///     if let stamp = try await root.stamp(of: path), let file = try await root.open(path), try await file.matches(stamp) { … }
///
/// Creating a root does not access the disk. Folders are opened component by component from the root down, and symbolic
/// links are not followed. Some folders stay open for reuse. All blocking calls run on the root's own threads.
public final class OutputRoot: Sendable {
  /// The root's path as given. Symbolic links in it are followed, because the operator chose the path.
  public let path: String
  /// Which failures a result survives once its publication returns.
  public let durability: Durability
  /// Whether folders that every user of the machine can write, without the sticky bit, are allowed.
  ///
  /// In such a folder other users can replace results, so the caller must allow it explicitly.
  public let allowsSharedFolders: Bool
  /// Whether only the owner may access results: files have mode 0600 and their folder has mode 0700.
  ///
  /// A file that belongs to another user, or that other users can write, is refused.
  public let isPrivate: Bool

  /// Takes over a small result that is needed only while the process runs, and returns true: it is not written to disk.
  ///
  /// If the function returns false, the result is written to disk.
  public typealias Taker = @Sendable (_ path: OutputPath, _ content: [UInt8]) -> Bool

  let work: FileWork
  let taker: Taker?
  private let folders: Mutex<OpenFolders>

  /// Creates a root.
  ///
  /// - Parameters:
  ///   - path: the folder; the first result creates it when it does not exist. The default is the working folder.
  ///   - threads: the maximum number of concurrent blocking calls
  ///   - taker: is called with each result of less than `StagedFile.bufferSize` bytes before the disk is used. A result
  ///     that it accepts has no stamp.
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

  /// Locks a path for writing and creates its folders.
  ///
  /// - Throws: immediately when another holder has the lock, in this process or in another one; also when the path is a
  ///   folder, a symbolic link or a device, which could not be replaced
  public func lock(_ path: OutputPath) async throws(ReactorError) -> PathLock {
    try await work.run { () throws(ReactorError) in
      let folder = try self.folder(of: path)
      if let lock = try PathLock(path, in: folder, work: self.work, taker: self.taker) { return lock }
      let shown = folder.path(of: path.name)
      throw .beingWritten(shown)
    }
  }

  /// Locks a path for writing like `lock(_:)`; returns nil when another holder has the lock.
  public func lockIfFree(_ path: OutputPath) async throws(ReactorError) -> PathLock? {
    try await work.run { () throws(ReactorError) in
      try PathLock(path, in: try self.folder(of: path), work: self.work, taker: self.taker)
    }
  }

  /// Opens the published file of a path. Nil when there is none. Needs no lock.
  public func open(_ path: OutputPath) async throws(ReactorError) -> StoredFile? {
    try await work.run { () throws(ReactorError) -> StoredFile? in
      guard let folder = try self.folder(of: path, makes: false), let (file, status) = try folder.open(path.name)
      else { return nil }
      return StoredFile(file, size: status.size, at: path, in: folder, work: self.work)
    }
  }

  /// When the file of a path was last changed, in milliseconds since 1970. Nil when there is none.
  ///
  /// This is the time of the last change of its content, its name or its owner, which no program can set back.
  package func changeTime(of path: OutputPath) async throws(ReactorError) -> Int64? {
    try await work.run { () throws(ReactorError) -> Int64? in
      try self.folder(of: path, makes: false)?.status(of: path.name)?.changedAt
    }
  }

  /// Returns the last stamp of a path. It is valid only for content that matches it (`StoredFile.matches`).
  public func stamp(of path: OutputPath) async throws(ReactorError) -> Stamp? {
    try await work.run { () throws(ReactorError) -> Stamp? in
      try self.folder(of: path, makes: false)?.stamp(of: path.name)
    }
  }

  /// Looks up the published file of a path, its stamp, and whether its content still matches the stamp.
  ///
  /// - Parameter refusal: returns why a result with this stamp is not wanted, or nil when it is wanted. Only a wanted
  ///   result is opened.
  public func lookUp<Reason: Sendable>(
    _ path: OutputPath, refusal: @escaping @Sendable (Stamp) -> Reason?
  ) async throws(ReactorError) -> StoredLookup<Reason> {
    try await work.run { () throws(ReactorError) -> StoredLookup<Reason> in
      guard let folder = try self.folder(of: path, makes: false), try folder.status(of: path.name) != nil else {
        return .absent
      }
      guard let stamp = try folder.stamp(of: path.name) else { return .unknown }
      if let reason = refusal(stamp) { return .refused(reason) }
      guard let (file, status) = try folder.open(path.name) else { return .absent }
      let stored = StoredFile(file, size: status.size, at: path, in: folder, work: self.work)
      guard try stored.holds(stamp) else { return .changed }
      // A result whose compression this machine cannot undo must not be found, or its readers would fail.
      try path.loadCompression()
      return .intact(stored, stamp)
    }
  }

  /// Closes all folders that are not in use. The root can be used again.
  public func close() async {
    // `run` throws only when the job throws, and this job does not.
    try? await work.run { () throws(ReactorError) in self.folders.withLock { $0.closeAll() } }
  }

  /// Returns the folder of a path; creates it when it does not exist.
  private func folder(of path: OutputPath) throws(ReactorError) -> OutputFolder {
    guard let folder = try folder(of: path, makes: true) else {
      throw .persistence("cannot create the folder of \(path)", path: path.text)
    }
    return folder
  }

  private func folder(of path: OutputPath, makes: Bool) throws(ReactorError) -> OutputFolder? {
    try folder(below: Array(path.folders), makes: makes)
  }

  /// Returns the folder with these components below the root. Nil when it does not exist.
  ///
  /// Creates the folder when `makes` is true.
  func folder(below components: [String], makes: Bool) throws(ReactorError) -> OutputFolder? {
    try folders.withLock { (folders: inout OpenFolders) throws(ReactorError) -> OutputFolder? in
      try folders.open(components, makes: makes)
    }
  }
}

extension ReactorError {
  /// The error of a path that another run has locked.
  static func beingWritten(_ path: String) -> ReactorError {
    var error = ReactorError.persistence("another reactor run is writing \(path)", path: path)
    error.help = "wait until it has ended and run again, or run with --if-running wait or skip; nothing was changed"
    error.isOtherRun = true
    return error
  }
}
