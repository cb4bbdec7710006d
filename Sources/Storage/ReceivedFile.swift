package import ReactorCore

/// A file that is stored as a server sends it. It is not visible before it is complete.
///
///     let file = try await ReceivedFile(at: path, in: root)
///     try await file.write(bytes)                 // any number of times
///     try await file.publish(at: milliseconds)    // or `discard`
///
/// A file under the path is replaced only if its stamp shows that it was stored in this way. The stamp is on the medium
/// before the file gets its name, so a killed run leaves no file that later runs refuse.
package struct ReceivedFile: Sendable {
  /// The `resource` in the stamps of received files. The stamps of results have the hash of their request instead.
  private static let mark = ContentHash.of("a file as it was received".utf8)

  private let lock: PathLock
  private let staged: StagedFile

  /// Takes the lock of a path, and creates its folders.
  ///
  /// - Throws: immediately when another holder has the lock; when the path has a file that was not downloaded
  package init(at path: OutputPath, in root: OutputRoot) async throws(ReactorError) {
    lock = try await root.work.run { () throws(ReactorError) -> PathLock in
      guard let folder = try root.folder(below: Array(path.folders), makes: true) else {
        throw .persistence("cannot create the folder of \(path)", path: path.text)
      }
      let shown = folder.path(of: path.name)
      guard let lock = try PathLock(path, in: folder, work: root.work) else {
        throw .beingWritten(shown)
      }
      guard !lock.isVacant, try folder.stamp(of: path.name)?.provenance.resource != Self.mark else { return lock }
      lock.release()
      throw .persistence(
        "\(shown) exists, but no download has stored it (move it away, or choose another path)", path: shown)
    }
    staged = lock.stage()
  }

  /// Appends bytes.
  package func write(_ bytes: [UInt8]) async throws(ReactorError) { try await staged.write(bytes) }

  /// Gives the file its final name. An existing file with the same content remains.
  ///
  /// - Parameter time: the time of the download, in milliseconds since 1970 UTC
  package func publish(at time: Int64) async throws(ReactorError) {
    defer { lock.release() }
    _ = try await staged.publish(
      Provenance(writtenAt: time, resource: Self.mark, schema: 0, recordCount: 0), isAnnounced: true)
  }

  /// Discards the bytes that were written.
  package func discard() async {
    await staged.discard()
    lock.release()
  }
}
