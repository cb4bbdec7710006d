public import ReactorCore
internal import StreamCompression

/// A published file that is open for reading: one version of the file, whatever is published meanwhile.
///
/// The file is read by system calls and not by a memory map. If another program shortens the file, it ends early; with
/// a memory map, SIGBUS would end the process.
public final class StoredFile: Sendable {
  /// The path from the working folder, for messages.
  public let path: String
  /// The size in bytes when the file was opened.
  public let size: Int64

  /// How the content is compressed; nil when it is not. `content()` decompresses it; all other functions read the
  /// stored bytes.
  let compression: CompressionFormat?
  let work: FileWork
  private let file: FileDescriptor

  init(_ file: FileDescriptor, size: Int64, path: String, compression: CompressionFormat? = nil, work: FileWork) {
    self.file = file
    self.size = size
    self.path = path
    self.compression = compression
    self.work = work
  }

  convenience init(
    _ file: FileDescriptor, size: Int64, at path: OutputPath, in folder: OutputFolder, work: FileWork
  ) {
    self.init(
      file, size: size, path: folder.path(of: path.name), compression: path.compression, work: work)
  }

  /// Returns the bytes from an offset on, at most `count`; fewer or none only at the end of the file.
  public func bytes(from offset: Int64, count: Int) async throws(ReactorError) -> [UInt8] {
    try await work.run { () throws(ReactorError) in try self.chunk(at: offset, count: count) }
  }

  /// Returns size and hash of the present content, in bounded memory.
  public func fingerprint() async throws(ReactorError) -> (size: Int64, hash: UInt64) {
    try await work.run { () throws(ReactorError) in try self.measure(upTo: .max) }
  }

  /// Whether the content matches a stamp.
  public func matches(_ stamp: Stamp) async throws(ReactorError) -> Bool {
    guard size == stamp.size else { return false }
    return try await fingerprint() == (stamp.size, stamp.hash)
  }

  /// Whether the content matches a stamp. Call it on a thread that may block.
  ///
  /// Bytes that were added after the file was opened are not read.
  func holds(_ stamp: Stamp) throws(ReactorError) -> Bool {
    guard size == stamp.size else { return false }
    return try measure(upTo: size) == (stamp.size, stamp.hash)
  }

  /// Returns size and hash of the content. Call it on a thread that may block.
  func measured() throws(ReactorError) -> (size: Int64, hash: UInt64) { try measure(upTo: size) }

  private func measure(upTo end: Int64) throws(ReactorError) -> (size: Int64, hash: UInt64) {
    try StoredFile.measure(file, upTo: end, sized: size, path: path)
  }

  /// Returns size and hash of a file's bytes up to `end`; call it on a thread that may block.
  static func measure(
    _ file: FileDescriptor, upTo end: Int64, sized size: Int64 = 1 << 18, path: String
  ) throws(ReactorError) -> (size: Int64, hash: UInt64) {
    var hash = ContentHash()
    var buffer = [UInt8](repeating: 0, count: Int(clamping: min(1 << 18, max(1, size))))
    do {
      while hash.count < end {
        let wanted = Int(clamping: min(Int64(buffer.count), end - hash.count))
        buffer.removeLast(buffer.count - wanted)
        let count = try file.read(into: &buffer, at: hash.count)
        buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        if count < wanted { break }
      }
    } catch {
      throw .file("read", path, error)
    }
    return (hash.count, hash.value)
  }

  /// Returns a reader that begins at the start of the file and reads chunk by chunk.
  public func reader(chunkSize: Int = 1 << 18) -> Reader { Reader(self, chunkSize: max(1, chunkSize)) }

  /// Returns bytes as they are stored. Call it on a thread that may block.
  func chunk(at offset: Int64, count: Int) throws(ReactorError) -> [UInt8] {
    let wanted = Int(clamping: min(max(0, size - offset), Int64(max(0, count))))
    guard wanted > 0, offset >= 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: wanted)
    do {
      let filled = try file.read(into: &bytes, at: offset)
      bytes.removeLast(wanted - filled)
    } catch {
      throw .file("read", path, error)
    }
    return bytes
  }
}
