public import ReactorCore
internal import Synchronization

/// The records of a split result, file by file. One file is open at a time.
///
/// Each file is checked against the manifest while it is read: files of another publication are an error, not a mixture
/// of two results.
public final class SplitContent: ByteSource {
  private struct State {
    var next = 0
    var content: StoredFile.Content?
    var toDrop = 0
  }

  private let root: OutputRoot
  private let path: OutputPath
  private let manifest: SplitManifest
  private let head: [UInt8]
  private let state = Mutex(State())

  /// Creates a source of all records.
  ///
  /// - Parameter head: the bytes before the first record of each file; they are returned only once, for the first file
  public init(_ manifest: SplitManifest, at path: OutputPath, in root: OutputRoot, head: [UInt8]) {
    self.manifest = manifest
    self.path = path
    self.root = root
    self.head = head
  }

  /// Returns the next bytes; nil after the last file.
  public func next() async throws(ReactorError) -> [UInt8]? {
    while let content = try await content() {
      guard var bytes = try await content.next() else {
        state.withLock { $0.content = nil }
        continue
      }
      let dropped = state.withLock { state in
        let count = min(state.toDrop, bytes.count)
        state.toDrop -= count
        return count
      }
      if dropped > 0 { bytes.removeFirst(dropped) }
      if !bytes.isEmpty { return bytes }
    }
    return nil
  }

  /// Does nothing: reading ends when no more bytes are requested.
  public func cancel() {}

  private func content() async throws(ReactorError) -> StoredFile.Content? {
    let (known, next) = state.withLock { ($0.content, $0.next) }
    if let known { return known }
    guard next < manifest.files.count else { return nil }
    let file = manifest.files[next]
    let opened = try await root.work.run { () throws(ReactorError) -> StoredFile? in
      try self.root.open(file, of: self.path)
    }
    guard let opened, opened.size == file.size else { throw .changed(file) }
    let content = StoredFile.Content(opened, expecting: file)
    state.withLock { state in
      state.content = content
      state.toDrop = next == 0 ? 0 : head.count
      state.next = next + 1
    }
    return content
  }
}

extension OutputRoot {
  /// Reads the manifest of a split result, and checks that all files have the content that it lists.
  ///
  /// Files that a killed run has not given their final names get them now, unless another run is doing this now.
  public func verifiedManifest(_ file: StoredFile, at path: OutputPath) async throws(ReactorError) -> SplitManifest {
    let manifest: SplitManifest = try await work.run { () throws(ReactorError) -> SplitManifest in
      let manifest = try SplitManifest(
        parsing: try file.chunk(at: 0, count: Int(clamping: file.size)), at: file.path)
      for part in manifest.files {
        try part.path.loadCompression()
        guard let opened = try self.open(part, of: path), opened.size == part.size,
          try opened.measured() == (part.size, part.hash)
        else { throw .changed(part) }
      }
      return manifest
    }
    if try await isUnsettled(manifest, at: path), let lock = try? await lockIfFree(path) {
      defer { lock.release() }
      // Another run may have published another result since.
      try? await work.run { () throws(ReactorError) in
        if let present = try self.oldManifest(at: path) { try self.settle(present, at: path) }
      }
    }
    return manifest
  }

  private func isUnsettled(_ manifest: SplitManifest, at path: OutputPath) async throws(ReactorError) -> Bool {
    guard manifest.files.contains(where: { $0.part != nil }) || !manifest.gone.isEmpty else { return false }
    return try await work.run { () throws(ReactorError) -> Bool in try self.parts(of: path, makes: false) != nil }
  }
}

extension ReactorError {
  static func changed(_ file: SplitManifest.File) -> ReactorError {
    .persistence("\(file.path) was changed after it was written", path: file.path.text)
  }
}
