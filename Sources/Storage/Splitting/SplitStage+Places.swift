internal import ReactorCore

/// The functions of this extension block. Call them only on the threads of `FileWork`.
extension SplitStage {
  /// Returns the manifest of the staged files. Throws when one of them could not get its final name.
  func prepare(_ staged: [Part], after old: SplitManifest?) throws(ReactorError) -> SplitManifest {
    var result = SplitManifest()
    let parts = try root.parts(of: manifest, makes: false)
    let known = Set((old?.files ?? []).map(\.path))
    for part in staged {
      var name: String? = part.name
      if let parts, try place(part, parts, isOwn: known.contains(part.path)) == .unchanged { name = nil }
      result.files.append(.init(path: part.path, size: part.size, hash: part.hash.value, part: name))
    }
    let present = Set(result.files.map(\.path))
    // Files that earlier results left were removed when this run began.
    result.gone = (old?.files ?? []).filter { !present.contains($0.path) }
      .map { .init(path: $0.path, size: $0.size, hash: $0.hash, part: nil) }
    if root.durability == .durable, let parts {
      do throws(SystemError) { try parts.descriptor.sync() } catch { throw .file("make durable", parts.path, error) }
    }
    return result
  }

  /// Whether a staged file can be moved to its final path, or a file with the same content is already there.
  private enum Place { case free, unchanged }

  private func place(_ part: Part, _ parts: OutputFolder, isOwn: Bool) throws(ReactorError) -> Place {
    guard let folder = try root.folder(below: Array(part.path.folders), makes: true) else { return .free }
    let shown = folder.path(of: part.path.name)
    do {
      let (here, there) = (try parts.descriptor.status(), try folder.descriptor.status())
      guard here.device == there.device else {
        throw ReactorError.persistence(
          "\(folder.path) is on another file system than the root, so its files cannot be published together "
            + "(choose a root inside it)", path: shown)
      }
      guard let (existing, status) = try folder.open(part.path.name) else { return .free }
      if !isOwn, let stamp = try folder.stamp(of: part.path.name), stamp.size == status.size,
        try StoredFile.measure(existing, upTo: status.size, path: shown) == (stamp.size, stamp.hash)
      {
        throw ReactorError.persistence(
          "\(shown) is the result of another flow (choose another path, or move the file away)", path: shown)
      }
      guard let (staged, _) = try parts.open(part.name) else { return .free }
      if status.size == part.size, try existing.equals(staged) {
        // The bytes are there already, perhaps not yet on the medium.
        if root.durability == .durable { try existing.sync() }
        try? parts.descriptor.remove(part.name)
        return .unchanged
      }
      try staged.setMode(status.mode & 0o777)
      return .free
    } catch let error as ReactorError {
      throw error
    } catch let error as SystemError {
      throw .file("write", shown, error)
    } catch {
      throw .persistence("cannot write \(shown): \(error)", path: shown)
    }
  }
}
