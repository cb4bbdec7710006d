public import ReactorCore
internal import StreamCompression
internal import Synchronization

extension StoredFile {
  /// The content of a file from its start, decompressed if the file is compressed.
  ///
  /// At most one piece of 256 KiB is in memory, whatever the size of the decompressed content. Only one task at a time
  /// may use it.
  public final class Content: ByteSource {
    private struct State {
      var offset: Int64 = 0
      var decompressor: Decompressor?
      var isOver = false
      // The hash of the stored bytes; nil when the content is not checked.
      var hash: ContentHash?
    }

    private let file: StoredFile
    private let expected: SplitManifest.File?
    private let state: Mutex<State>

    /// Creates the content of a file.
    ///
    /// - Parameter expected: the required content of the file; other bytes are an error at the end of the file
    init(_ file: StoredFile, expecting expected: SplitManifest.File? = nil) {
      self.file = file
      self.expected = expected
      state = Mutex(State(hash: expected == nil ? nil : ContentHash()))
    }

    /// Returns the next bytes; nil at the end.
    ///
    /// - Throws: an error when the compressed data is damaged, is truncated, or is followed by other bytes
    public func next() async throws(ReactorError) -> [UInt8]? {
      try await file.work.run { () throws(ReactorError) -> [UInt8]? in
        try self.state.withLock { (state: inout State) throws(ReactorError) -> [UInt8]? in
          guard let format = self.file.compression else { return try self.stored(256 << 10, &state) }
          return state.isOver ? nil : try self.decompressed(format, &state)
        }
      }
    }

    /// Does nothing: reading ends when no more bytes are requested.
    public func cancel() {}

    private func stored(_ count: Int, _ state: inout State) throws(ReactorError) -> [UInt8]? {
      let bytes = try file.chunk(at: state.offset, count: count)
      state.offset += Int64(bytes.count)
      bytes.withUnsafeBytes { state.hash?.update($0) }
      if bytes.isEmpty, let expected, let hash = state.hash, hash.count != expected.size || hash.value != expected.hash
      {
        throw .changed(expected)
      }
      return bytes.isEmpty ? nil : bytes
    }

    private func decompressed(_ format: CompressionFormat, _ state: inout State) throws(ReactorError) -> [UInt8]? {
      let decompressor: Decompressor
      if let known = state.decompressor {
        decompressor = known
      } else {
        decompressor = try decompressing { () throws(CompressionError) in try Decompressor(format) }
      }
      state.decompressor = decompressor
      while true {
        if let piece = try decompressing({ () throws(CompressionError) in try decompressor.next() }) { return piece }
        guard let more = try stored(64 << 10, &state) else {
          try decompressing { () throws(CompressionError) in try decompressor.finish() }
          state.isOver = true
          return nil
        }
        decompressor.feed(more)
      }
    }

    private func decompressing<Value>(
      _ step: () throws(CompressionError) -> Value
    ) throws(ReactorError) -> Value {
      do throws(CompressionError) {
        return try step()
      } catch {
        guard let help = error.help else {
          throw .persistence(
            "\(file.path) is damaged: \(error.message) (put the whole file back, or move it away)", path: file.path)
        }
        throw .persistence("cannot read \(file.path): \(error.message) (\(help))", path: file.path)
      }
    }
  }

  /// The content from the start, decompressed if the file is compressed.
  public func content() -> Content { Content(self) }

  /// The first bytes of the content, decompressed if the file is compressed; fewer only when it is shorter.
  public func beginning(_ count: Int) async throws(ReactorError) -> [UInt8] {
    if compression == nil { return try await bytes(from: 0, count: count) }
    let content = content()
    var bytes: [UInt8] = []
    while bytes.count < count, let piece = try await content.next() { bytes += piece.prefix(count - bytes.count) }
    return bytes
  }

  /// The content as a file in which every offset can be read: this file, or a decompressed copy in a scratch file.
  ///
  /// - Parameter limit: the largest size of a copy in bytes; the result is nil when the content is larger
  public func seekable(in scratch: ScratchFile, upTo limit: Int64) async throws(ReactorError) -> StoredFile? {
    if compression == nil { return self }
    let content = content()
    var size: Int64 = 0
    // Empty content needs a file too.
    try await scratch.append([])
    while let piece = try await content.next() {
      size += Int64(piece.count)
      guard size <= limit else { return nil }
      try await scratch.append(piece)
    }
    return scratch.stored()
  }
}
