public import ReactorCore
internal import Records

extension InDiskPersistence {
  /// Creates a persistence for models that a parser maps. Each file contains the model as one JSON document.
  ///
  /// - Parameters:
  ///   - parser: maps models in both directions. It applies the same strictness as to responses; its limit also bounds
  ///     the file's size.
  ///   - path: the file, which contains the result of one resource at a time; each save fails if its format is not JSON
  ///   - scope: a further text that identifies a result, such as the base URL
  ///   - expiresAfter: how long a result is used; nil for no limit
  public init(
    parser: Parser<Model>, root: OutputRoot, path: OutputPath, scope: String = "", expiresAfter: Duration? = nil,
    wallClock: WallClock = .system
  ) {
    self.init(
      root: root, path: { _ in path }, key: { $0.digest(scope: scope) }, form: .document(by: parser),
      expiresAfter: expiresAfter, wallClock: wallClock)
  }

  /// Creates a persistence with one file per resource in a folder. The resource's fingerprint is the file's name.
  ///
  /// The other parameters are those of the initialiser with a path.
  ///
  /// - Throws: the reason why the folder's name cannot be used
  public init(
    parser: Parser<Model>, root: OutputRoot, folder: String, scope: String = "", expiresAfter: Duration? = nil,
    wallClock: WallClock = .system
  ) throws(OutputPath.ParsingError) {
    let sample = try OutputPath(parsing: "\(folder)/resource.json")
    self.init(
      root: root, path: { resource in sample.renamed(resource.fingerprint(scope: scope) + ".json") },
      key: { $0.digest(scope: scope) }, form: .document(by: parser), expiresAfter: expiresAfter, wallClock: wallClock)
  }
}

extension InDiskPersistence.Form {
  /// The format of one JSON document, mapped by a parser.
  static func document(by parser: Parser<Model>) -> Self {
    var form = Self(
      schema: 0,
      read: { (file, _, _) async throws(ReactorError) -> Model in
        // Escapes can make the file longer than the response from which the model was parsed.
        let limit = max(parser.limit, 1 << 20) * 2
        let bytes = try await file.beginning(limit + 1)
        guard bytes.count <= limit else { throw .persistence("the file is larger than \(limit) bytes") }
        let parsed = try parser.parse(bytes)
        if parsed.report.isWhollyRejected { throw .persistence("none of its records matches the schema") }
        return parsed.model
      },
      publish: { (model, destination) async throws(ReactorError) -> Model in
        try destination.path.requireDocument()
        let bytes = try parser.encode(model)
        let wait = PathWait(deadline: Stopwatch.continuous.reading() + .seconds(60))
        let lock = try await wait.lock(destination.path, in: destination.root)
        defer { lock.release() }
        _ = try await lock.publish(bytes, destination.provenance)
        return model
      })
    form.check = { (path, root) async throws(ReactorError) in
      try path.requireDocument()
      // The path may be locked now and free at the time of the save, so a lock is not an error here.
      try await root.lockIfFree(path)?.release()
    }
    return form
  }
}

extension OutputPath {
  /// Throws unless the extension names the format of one JSON document.
  fileprivate func requireDocument() throws(ReactorError) {
    guard format != .json else { return }
    var error = ReactorError.persistence(
      "the extension of '\(text)' names another format than JSON, and a model is stored as one JSON document",
      path: text)
    error.help = "end the path with .json, .json.gz or .json.zst"
    throw error
  }
}

extension Resource {
  /// The first 64 bits of the fingerprint that identifies this resource within a scope.
  package func digest(scope: String) -> UInt64 {
    UInt64(fingerprint(scope: scope).prefix(16), radix: 16) ?? 0
  }
}
