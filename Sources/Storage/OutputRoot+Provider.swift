public import ReactorCore

extension OutputRoot: PersistenceProvider {
  /// Returns a persistence at a path below the root.
  ///
  /// The path's extension must be `.json`; `.gz` or `.zst` may follow. With another one, or with a path that leads out of
  /// the root, `checkSave` and each save throw `.persistence`, so a fetch that must save sends no request.
  public func persistence<Model: Sendable>(
    of parser: Parser<Model>, at path: String, scope: String, expiresAfter: Duration?, wallClock: WallClock
  ) -> any Persistence<Model> {
    do throws(OutputPath.ParsingError) {
      return InDiskPersistence(
        parser: parser, root: self, path: try OutputPath(parsing: path), scope: scope, expiresAfter: expiresAfter,
        wallClock: wallClock)
    } catch {
      return UnusablePersistence(error: .persistence("\(error.description) (\(error.remedy))", path: path))
    }
  }
}

extension PersistenceConfiguration {
  /// Persists results in the file at a path.
  ///
  /// The path is relative to the working folder or absolute; its extension must be `.json`, and `.gz` or `.zst` may
  /// follow.
  ///
  /// - Parameter expiresAfter: how long a result is used; nil for no limit
  public static func enabled(path: String, expiresAfter: Duration? = nil) -> PersistenceConfiguration {
    // The operator chose the absolute path, so links in its folder part are followed. Below that folder none are
    // followed.
    guard path.utf8.first == UInt8(ascii: "/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      return .enabled(path: path, expiresAfter: expiresAfter, in: OutputRoot())
    }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    let name = String(path[path.utf8.index(after: slash)...])
    return .enabled(path: name, expiresAfter: expiresAfter, in: OutputRoot(path: folder))
  }
}

/// A persistence for an unusable path: each load is a miss, and each save throws the error.
private struct UnusablePersistence<Model: Sendable>: Persistence {
  let error: ReactorError

  func load(for resource: Resource) async throws(ReactorError) -> PersistenceRead<Model> {
    .miss(.unreadable(error.message))
  }

  func save(_ model: Model, for resource: Resource) async throws(ReactorError) -> Model { throw error }

  func checkSave(for resource: Resource) async throws(ReactorError) { throw error }
}
