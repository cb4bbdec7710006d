public import ReactorCore

extension StoredFile {
  /// Reads a file from its beginning; holds one chunk at a time.
  public struct Reader: Sendable {
    /// The offset of the next chunk in bytes.
    public private(set) var offset: Int64 = 0
    private let file: StoredFile
    private let chunkSize: Int

    init(_ file: StoredFile, chunkSize: Int) {
      self.file = file
      self.chunkSize = chunkSize
    }

    /// Returns the next bytes; nil at the end of the file.
    ///
    /// A chunk has the chunk size unless the file ends.
    public mutating func next() async throws(ReactorError) -> [UInt8]? {
      if Task.isCancelled { throw .cancelled }
      let bytes = try await file.bytes(from: offset, count: chunkSize)
      offset += Int64(bytes.count)
      return bytes.isEmpty ? nil : bytes
    }
  }
}
