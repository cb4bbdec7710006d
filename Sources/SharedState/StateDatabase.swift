package import Databases
package import ReactorCore
internal import Storage

/// The PostgreSQL database with the state that several processes share.
///
/// Each call is one statement, so that it is one transaction and can be sent again after the connection was lost.
package actor StateDatabase {
  /// The URL, which contains a password perhaps.
  nonisolated package let url: String
  private let delay: Delay
  private let stopwatch: Stopwatch
  private var session: PostgreSQLSession?
  private var opening: Task<Result<PostgreSQLSession, SQLError>, Never>?

  /// A connection through which nothing comes any more is noticed within 15 seconds.
  private static let liveness = [
    ("tcp_user_timeout", "15000"), ("keepalives_idle", "5"), ("keepalives_interval", "3"), ("keepalives_count", "3"),
  ]

  /// Opens nothing.
  ///
  /// - Parameter url: a connection URI, or a list of `keyword=value`, as libpq reads them
  package init(url: String, delay: Delay = .real, stopwatch: Stopwatch = .continuous) {
    self.url = url
    self.delay = delay
    self.stopwatch = stopwatch
  }

  /// Runs one statement. It is sent again while the database cannot be reached, and after a conflict.
  ///
  /// The cancellation of the calling task does not cancel the statement.
  ///
  /// - Parameter patience: how long the statement is tried again; zero to try it once
  package func run(
    _ sql: String, _ values: [String?] = [], for patience: Duration = .seconds(30)
  ) async throws(SQLError) -> [StateRow] {
    let statement = Task { () async -> Result<[StateRow], SQLError> in
      do throws(SQLError) {
        return .success(try await self.repeatedly(sql, values, patience))
      } catch {
        return .failure(error)
      }
    }
    return try await statement.value.get()
  }

  private func repeatedly(_ sql: String, _ values: [String?], _ patience: Duration) async throws(SQLError)
    -> [StateRow]
  {
    let end = stopwatch.reading() + patience
    var pause = Duration.milliseconds(20)
    while true {
      do throws(SQLError) {
        return try await once(sql, values)
      } catch {
        guard error.kind == .conflict || Self.isOfConnection(error), stopwatch.reading() + pause < end else {
          throw error
        }
        try? await delay.wait(pause)
        pause = min(pause * 2, .seconds(1))
      }
    }
  }

  private func once(_ sql: String, _ values: [String?]) async throws(SQLError) -> [StateRow] {
    let session = try await open()
    do throws(SQLError) {
      return try await session.run(sql, values).map(StateRow.init)
    } catch {
      if Self.isOfConnection(error), self.session === session {
        self.session = nil
        await session.close()
      }
      throw error
    }
  }

  /// Whether another connection may succeed. One to a server that is read-only now may reach its successor.
  private static func isOfConnection(_ error: SQLError) -> Bool {
    error.kind == .connection || error.code == "25006"
  }

  private func open() async throws(SQLError) -> PostgreSQLSession {
    if let session { return session }
    if let opening { return try await opening.value.get() }
    let opening = Task { [url] () async -> Result<PostgreSQLSession, SQLError> in
      do throws(SQLError) {
        let session = try await PostgreSQLSession.open(url, Self.liveness)
        let present = try await session.run(StateStatements.exist)
        if present == [["later"]] {
          throw SQLError(
            .statement, StateVersion.tables.words("'reactor_shared_runs'"), help: StateVersion.tables.help)
        }
        if present != [["all"]] { try await session.run(StateStatements.creation) }
        return .success(session)
      } catch {
        return .failure(error)
      }
    }
    self.opening = opening
    let result = await opening.value
    self.opening = nil
    let session = try result.get()
    self.session = session
    return session
  }

  /// Ends the connection.
  package func close() async {
    let session = session
    self.session = nil
    await session?.close()
  }
}
