public import ReactorCore

extension InDiskPersistence {
  /// A persistence of models that a parser maps: each file is the model as one JSON document.
  ///
  /// - Parameters:
  ///   - parser: maps both ways. Its strictness is that of the network's results; its limit bounds the file.
  ///   - path: the file, for one resource at a time
  ///   - scope: what else a result belongs to, such as the base URL
  ///   - expiresAfter: how long a result is used; nil for no limit
  public init(
    parser: Parser<Model>, root: OutputRoot, path: OutputPath, scope: String = "", expiresAfter: Duration? = nil,
    wallClock: WallClock = .system
  ) {
    self.init(
      root: root, path: { _ in path }, key: { $0.digest(scope: scope) }, form: .document(by: parser),
      expiresAfter: expiresAfter, wallClock: wallClock)
  }

  /// The same with a file for each resource in a folder, named by the resource's fingerprint.
  ///
  /// - Throws: why the folder's name cannot be used.
  public init(
    parser: Parser<Model>, root: OutputRoot, folder: String, scope: String = "", expiresAfter: Duration? = nil,
    wallClock: WallClock = .system
  ) throws(OutputPath.Mistake) {
    let sample = try OutputPath(parsing: "\(folder)/resource.json")
    self.init(
      root: root, path: { resource in sample.renamed(resource.fingerprint(scope: scope) + ".json") },
      key: { $0.digest(scope: scope) }, form: .document(by: parser), expiresAfter: expiresAfter, wallClock: wallClock)
  }
}

extension InDiskPersistence.Form {
  /// One JSON document, mapped by a parser.
  static func document(by parser: Parser<Model>) -> Self {
    Self(
      schema: 0,
      read: { (file, _, _) async throws(ReactorError) -> Model in
        // Escapes may make the file of a model longer than the response that it came from.
        let limit = max(parser.limit, 1 << 20) * 2
        guard file.size <= limit else { throw .persistence("the file is larger than \(limit) bytes") }
        let parsed = try parser.parse(try await file.bytes(from: 0, count: Int(file.size)))
        if parsed.report.isWhollyRejected { throw .persistence("none of its records fits") }
        return parsed.model
      },
      publish: { (model, destination) async throws(ReactorError) -> Model in
        let bytes = try parser.encode(model)
        let wait = PathWait(deadline: Stopwatch.continuous.reading() + .seconds(60))
        let lock = try await wait.lock(destination.path, in: destination.root)
        defer { lock.release() }
        _ = try await lock.publish(bytes, destination.provenance)
        return model
      })
  }
}

extension Resource {
  /// The first 64 bits of the fingerprint.
  fileprivate func digest(scope: String) -> UInt64 {
    UInt64(fingerprint(scope: scope).prefix(16), radix: 16) ?? 0
  }
}
