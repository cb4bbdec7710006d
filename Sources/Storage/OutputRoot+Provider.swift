public import ReactorCore

extension OutputRoot: PersistenceProvider {
  /// A persistence at a path below the root, whose extension is `.json`.
  public func persistence<Model: Sendable>(
    of parser: Parser<Model>, at path: String, scope: String, expiresAfter: Duration?, wallClock: WallClock
  ) -> any Persistence<Model> {
    do throws(OutputPath.Mistake) {
      return InDiskPersistence(
        parser: parser, root: self, path: try OutputPath(parsing: path), scope: scope, expiresAfter: expiresAfter,
        wallClock: wallClock)
    } catch {
      return UnusablePersistence(error: .persistence("\(error.description) (\(error.remedy))", path: path))
    }
  }
}

extension PersistenceConfiguration {
  /// In the file at a path, relative to the working folder or absolute; its extension is `.json`.
  ///
  /// - Parameter expiresAfter: how long a result is used; nil for no limit.
  public static func enabled(path: String, expiresAfter: Duration? = nil) -> PersistenceConfiguration {
    // An absolute path is the operator's choice; below its folder nothing is followed.
    guard path.utf8.first == UInt8(ascii: "/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      return .enabled(path: path, expiresAfter: expiresAfter, in: OutputRoot())
    }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    let name = String(path[path.utf8.index(after: slash)...])
    return .enabled(path: name, expiresAfter: expiresAfter, in: OutputRoot(path: folder))
  }
}

/// A persistence at a path that cannot be used: it finds nothing and fails each save.
private struct UnusablePersistence<Model: Sendable>: Persistence {
  let error: ReactorError

  func load(for resource: Resource) async throws(ReactorError) -> PersistenceRead<Model> {
    .miss(.unreadable(error.message))
  }

  func save(_ model: Model, for resource: Resource) async throws(ReactorError) -> Model { throw error }
}
