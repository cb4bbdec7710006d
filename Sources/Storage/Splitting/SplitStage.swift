internal import ByteCodings
public import ReactorCore
internal import Records
internal import StreamCompression
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The files of a split result that are being written. No file is visible before the manifest is published.
///
///     try await stage.append(frames)                      // any number of times
///     let manifest = try await stage.finish()             // all files are complete
///     _ = try await stage.publish(manifest, by: staged, provenance)
///
/// The number of open files and the memory are bounded, whatever the number of files. Only one task at a time uses it,
/// under the lock of the manifest.
public final class SplitStage: Sendable {
  /// The maximum number of files of a result.
  public static let fileLimit = 10_000
  /// The maximum number of bytes of all files together that are buffered in memory.
  private static let heldBytes = 16 << 20
  /// The number of buffered bytes of one file from which they are written to its staged file.
  private static let pieceBytes = 64 << 10

  /// A staged file.
  struct Part {
    let path: OutputPath
    let name: String
    var buffer: [UInt8]
    var size: Int64 = 0
    var file: FileDescriptor?
    var compressor: Compressor?
    var hash = ContentHash()
    var lastUse = 0
  }

  private struct State {
    var parts: [Part] = []
    var indices: [[UInt8]: Int] = [:]
    var open: Set<Int> = []
    var held = 0
    var uses = 0
    /// The beginning of a frame that continues in the next bytes.
    var rest: [UInt8] = []
    var old: SplitManifest?
    var hasBegun = false
  }

  let root: OutputRoot
  let manifest: OutputPath
  private let head: [UInt8]
  /// The prefix of the names of the staged files; it is different in each run.
  private let run: String
  private let openLimit: Int
  private let state = Mutex(State())

  /// Creates a stage that has no files yet. The caller must hold the lock on the path `manifest`.
  ///
  /// - Parameters:
  ///   - sample: the path of any file of the result; all files have its compression
  ///   - head: the bytes before the first record of each file
  public init(_ manifest: OutputPath, like sample: OutputPath, in root: OutputRoot, head: [UInt8]) {
    self.root = root
    self.manifest = manifest
    self.head = head
    run = Hex.text(UInt64.random(in: 0 ... .max))
    // Each Zstandard compressor uses some megabytes of memory.
    openLimit = sample.compression == .zstd ? 16 : 64
  }

  /// Appends records to their files. Each record is in a frame of `SplitOutput`, which also contains its path.
  public func append(_ frames: [UInt8]) async throws(ReactorError) {
    if Task.isCancelled { throw .cancelled }
    try await root.work.run { () throws(ReactorError) in
      try self.state.withLock { (state: inout State) throws(ReactorError) in
        try self.begin(&state)
        let whole = state.rest.isEmpty ? frames : state.rest + frames
        let end = try whole.withUnsafeBytes { bytes in
          Result { () throws(ReactorError) in
            try SplitFrames.read(bytes) { (path, record) throws(ReactorError) in
              try self.take(path, record, &state)
            }
          }
        }.get()
        state.rest = end < whole.count ? Array(whole[end...]) : []
      }
    }
  }

  /// Ends all files, and makes sure that they can get their final names.
  public func finish() async throws(ReactorError) -> SplitManifest {
    if Task.isCancelled { throw .cancelled }
    return try await root.work.run { () throws(ReactorError) -> SplitManifest in
      try self.state.withLock { (state: inout State) throws(ReactorError) -> SplitManifest in
        try self.begin(&state)
        for index in state.parts.indices {
          try self.flush(index, &state)
          try self.close(index, &state, isLast: true)
        }
        return try self.prepare(state.parts, after: state.old)
      }
    }
  }

  /// Publishes a finished manifest, and then gives the files their final names.
  ///
  /// - Parameter staged: the staged file of the manifest, begun under the lock on the manifest's path
  public func publish(
    _ manifest: SplitManifest, by staged: StagedFile, _ provenance: Provenance
  ) async throws(ReactorError) -> Publication {
    try await staged.write(manifest.encoded())
    let publication = try await staged.publish(provenance, isAnnounced: true)
    try await root.work.run { () throws(ReactorError) in try self.root.settle(manifest, at: self.manifest) }
    return publication
  }

  /// Removes the staged files.
  public func discard() async {
    try? await root.work.run { () throws(ReactorError) in
      self.state.withLock { state in
        guard state.hasBegun else { return }
        state.parts = []
        state.open = []
        self.root.clearParts(of: self.manifest)
      }
    }
  }

  // MARK: - On the threads for files

  /// Finishes the publication of a killed run, or removes its staged files if it has published no manifest.
  private func begin(_ state: inout State) throws(ReactorError) {
    guard !state.hasBegun else { return }
    state.old = try root.oldManifest(at: manifest)
    if let old = state.old { try root.settle(old, at: manifest) } else { root.clearParts(of: manifest) }
    state.hasBegun = true
  }

  private func take(
    _ path: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, _ state: inout State
  ) throws(ReactorError) {
    let index = try index(of: Array(path), &state)
    state.parts[index].buffer += record
    state.held += record.count
    if state.parts[index].buffer.count >= Self.pieceBytes { try flush(index, &state) }
    guard state.held >= Self.heldBytes else { return }
    for index in state.parts.indices { try flush(index, &state) }
  }

  private func index(of key: [UInt8], _ state: inout State) throws(ReactorError) -> Int {
    if let known = state.indices[key] { return known }
    let text = String(decoding: key, as: UTF8.self)
    let path: OutputPath
    do throws(OutputPath.ParsingError) {
      path = try OutputPath(parsing: text)
    } catch {
      throw .persistence("a record's path '\(text)' cannot be used: \(error.description) (\(error.remedy))", path: text)
    }
    // Two spellings of one path are one file.
    let normal = Array(path.text.utf8)
    if let known = state.indices[normal] {
      state.indices[key] = known
      return known
    }
    guard state.parts.count < Self.fileLimit else {
      throw .persistence(
        "the result would have more than \(Self.fileLimit) files (choose a path with fewer values, such as a month)",
        path: manifest.text)
    }
    state.indices[normal] = state.parts.count
    state.indices[key] = state.parts.count
    state.parts.append(Part(path: path, name: "\(run)-\(state.parts.count)", buffer: head))
    state.held += head.count
    return state.parts.count - 1
  }

  /// Writes the buffered bytes of a file.
  private func flush(_ index: Int, _ state: inout State) throws(ReactorError) {
    guard !state.parts[index].buffer.isEmpty else { return }
    try open(index, &state)
    let bytes = state.parts[index].buffer
    state.parts[index].buffer = []
    state.held -= bytes.count
    guard let compressor = state.parts[index].compressor else { return try write(bytes, to: index, &state) }
    let path = state.parts[index].path
    try write(
      try path.compressing { () throws(CompressionError) in try compressor.compress(bytes[...]) }, to: index, &state)
  }

  private func write(_ bytes: [UInt8], to index: Int, _ state: inout State) throws(ReactorError) {
    do throws(SystemError) {
      try state.parts[index].file?.write(bytes)
    } catch {
      throw .file("write", state.parts[index].path.text, error)
    }
    bytes.withUnsafeBytes { state.parts[index].hash.update($0) }
    state.parts[index].size += Int64(bytes.count)
  }

  /// Opens a file to add to it. When too many files are open, the one that was not used for the longest time is closed.
  ///
  /// - Parameter adds: whether more bytes follow; a compressed file then begins another member
  private func open(_ index: Int, _ state: inout State, adds: Bool = true) throws(ReactorError) {
    state.uses += 1
    state.parts[index].lastUse = state.uses
    guard state.parts[index].file == nil else { return }
    if state.open.count >= openLimit,
      let oldest = state.open.min(by: { state.parts[$0].lastUse < state.parts[$1].lastUse })
    {
      try close(oldest, &state, isLast: false)
    }
    guard let folder = try root.parts(of: manifest, makes: true) else {
      throw .persistence("cannot create the folder of the staged files of \(manifest)", path: manifest.text)
    }
    let (path, name) = (state.parts[index].path, state.parts[index].name)
    do throws(SystemError) {
      state.parts[index].file = try FileDescriptor.open(
        name, in: folder.descriptor, flags: O_WRONLY | O_APPEND | O_CREAT, mode: root.isPrivate ? 0o600 : 0o666)
    } catch {
      throw .file("write", path.text, error)
    }
    if adds, let format = path.compression {
      state.parts[index].compressor = try path.compressing { () throws(CompressionError) in try Compressor(format) }
    }
    state.open.insert(index)
  }

  /// Closes a file; a compressed file gets the end of its member; another member may follow later.
  private func close(_ index: Int, _ state: inout State, isLast: Bool) throws(ReactorError) {
    let isDurable = isLast && root.durability == .durable
    if isDurable { try open(index, &state, adds: false) }
    let path = state.parts[index].path
    if let compressor = state.parts[index].compressor {
      state.parts[index].compressor = nil
      let end = try path.compressing { () throws(CompressionError) in try compressor.finish([]) }
      try write(end, to: index, &state)
    }
    if isDurable {
      do throws(SystemError) {
        try state.parts[index].file?.sync()
      } catch {
        throw .file("make durable", path.text, error)
      }
    }
    state.parts[index].file = nil
    state.open.remove(index)
  }
}
