internal import ReactorCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The functions of this extension block. Call them only on the threads of `FileWork`.
extension OutputRoot {
  /// The folder of the staged files of a result, in the same file system as the root.
  func parts(of manifest: OutputPath, makes: Bool) throws(ReactorError) -> OutputFolder? {
    try folder(below: [".reactor", "parts", manifest.name], makes: makes)
  }

  /// The manifest under a path; nil when there is none, or none that can be read.
  ///
  /// - Throws: also for a manifest of a later version
  func oldManifest(at path: OutputPath) throws(ReactorError) -> SplitManifest? {
    guard let folder = try folder(below: Array(path.folders), makes: false),
      let (file, status) = try folder.open(path.name)
    else { return nil }
    let stored = StoredFile(file, size: status.size, at: path, in: folder, work: work)
    guard let bytes = try? stored.chunk(at: 0, count: Int(clamping: status.size)) else { return nil }
    try SplitManifest.check(bytes, at: path.text)
    return try? SplitManifest(parsing: bytes, at: path.text)
  }

  /// Opens a file of a result, or its staged file while that does not have its final name yet; nil when neither exists.
  func open(_ file: SplitManifest.File, of manifest: OutputPath) throws(ReactorError) -> StoredFile? {
    if let part = file.part, let parts = try parts(of: manifest, makes: false),
      let (found, status) = try parts.open(part)
    {
      return StoredFile(
        found, size: status.size, path: parts.path(of: part), compression: file.path.compression, work: work)
    }
    guard let folder = try folder(below: Array(file.path.folders), makes: false),
      let (found, status) = try folder.open(file.path.name)
    else { return nil }
    return StoredFile(found, size: status.size, at: file.path, in: folder, work: work)
  }

  /// Gives the staged files of a published manifest their final names, and removes files that are not part of the
  /// result.
  ///
  /// If a run was killed while it did this, the next call does the rest. The caller holds the lock of the manifest.
  func settle(_ manifest: SplitManifest, at path: OutputPath) throws(ReactorError) {
    if let parts = try parts(of: path, makes: false) {
      var folders: [[String]: OutputFolder] = [:]
      for file in manifest.files {
        guard let part = file.part, try parts.status(of: part) != nil,
          let folder = try folder(below: Array(file.path.folders), makes: true)
        else { continue }
        do throws(SystemError) {
          try parts.descriptor.move(part, to: file.path.name, in: folder.descriptor)
        } catch {
          throw .unsettled(file.path, error)
        }
        // Only a few folders are kept open: a result may have thousands, each with its descriptors.
        if folders.count >= 16 { try sync(&folders) }
        folders[Array(file.path.folders)] = folder
      }
      try sync(&folders)
    }
    for file in manifest.gone { try remove(file) }
    clearParts(of: path)
  }

  /// Removes all staged files of a result.
  func clearParts(of path: OutputPath) {
    guard let parts = try? parts(of: path, makes: false) else { return }
    // A file that cannot be removed is removed by a later run.
    for name in parts.descriptor.names(withPrefix: "") where name != "." && name != ".." {
      try? parts.descriptor.remove(name)
    }
    if let above = try? folder(below: [".reactor", "parts"], makes: false) {
      _ = unlinkat(above.descriptor.number, path.name, AT_REMOVEDIR)
    }
  }

  private func sync(_ folders: inout [[String]: OutputFolder]) throws(ReactorError) {
    defer { folders = [:] }
    guard durability == .durable else { return }
    for folder in folders.values {
      do throws(SystemError) { try folder.descriptor.sync() } catch { throw .file("make durable", folder.path, error) }
    }
  }

  /// Removes a file of an earlier result, unless another program or flow has changed it since.
  private func remove(_ file: SplitManifest.File) throws(ReactorError) {
    guard let folder = try folder(below: Array(file.path.folders), makes: false),
      let (found, status) = try folder.open(file.path.name), status.size == file.size
    else { return }
    let shown = folder.path(of: file.path.name)
    guard try StoredFile.measure(found, upTo: status.size, path: shown) == (file.size, file.hash) else { return }
    do throws(SystemError) {
      try folder.descriptor.remove(file.path.name)
    } catch {
      throw .unsettled(file.path, error)
    }
  }
}

extension ReactorError {
  fileprivate static func unsettled(_ path: OutputPath, _ error: SystemError) -> ReactorError {
    var failure = file("move the staged file to", path.text, error)
    failure.message += "; the result is saved, and the next run moves its files to their final paths"
    return failure
  }
}
