internal import Databases
internal import FlowModel
internal import ReactorCore
internal import Storage
internal import Synchronization

extension FlowEnvironment {
  /// The database of a store. All flows of the run share it.
  func database(of store: Store<String>) -> Database {
    databases.withLock { databases in
      if let known = databases[store] { return known }
      let database = newDatabase(store)
      databases[store] = database
      return database
    }
  }

  private func newDatabase(_ store: Store<String>) -> Database {
    let root = root
    switch store.location {
    case .sqlite(let path):
      let components = path.split(separator: "/").map(String.init)
      // SQLite has one writer at a time, so a second connection would only wait for the first.
      return Database(
        name: store.name, dialect: store.dialect, connections: 1, delay: patience.delay,
        exists: { () throws(ReactorError) in try await root.absolutePath(of: components, makes: false) != nil }
      ) { () throws(SQLError) in
        do throws(ReactorError) {
          let path = try await root.absolutePath(of: components, makes: true)
          return try await Self.open(path ?? "", store, root)
        } catch {
          throw SQLError(.statement, error.message, help: error.help)
        }
      }
    case .postgres(let url, _):
      return Database(
        name: store.name, dialect: store.dialect, connections: store.connections, delay: patience.delay
      ) { () throws(SQLError) in try await PostgreSQLSession.open(url) }
    }
  }

  private static func open(
    _ path: String, _ store: Store<String>, _ root: OutputRoot
  ) async throws(ReactorError) -> SQLiteSession {
    do throws(SQLError) {
      return try await SQLiteSession.open(
        path, lockTimeout: Int32(clamping: store.lockTimeout), isDurable: root.durability == .durable)
    } catch {
      var failure = ReactorError.persistence("'\(path)' cannot be opened: \(error.message)")
      failure.help = error.help
      throw failure
    }
  }
}
