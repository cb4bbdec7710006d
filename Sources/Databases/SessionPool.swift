/// A bounded number of connections, opened when they are needed and used again.
actor SessionPool {
  private let limit: Int
  private let connect: @Sendable () async throws(SQLError) -> any SQLSession
  private var idle: [any SQLSession] = []
  private var used = 0
  /// Whether the last attempt to connect failed.
  private(set) var isUnreachable = false
  private var waiting: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []
  private var lastNumber = 0

  init(limit: Int, connect: @escaping @Sendable () async throws(SQLError) -> any SQLSession) {
    self.limit = max(1, limit)
    self.connect = connect
  }

  /// Returns a connection; waits while all are in use.
  func take() async throws(SQLError) -> any SQLSession {
    while used >= limit {
      if Task.isCancelled { throw SQLError(.cancelled, "cancelled") }
      await wait()
    }
    used += 1
    while let session = idle.popLast() {
      // The server may have ended an idle connection, by a restart or a limit of its own.
      if (try? await session.run("SELECT 1")) != nil { return session }
      await session.close()
    }
    do throws(SQLError) {
      let session = try await connect()
      isUnreachable = false
      return session
    } catch {
      isUnreachable = true
      release()
      throw error
    }
  }

  /// Returns a connection to the pool, which hands it out again.
  func give(_ session: any SQLSession) {
    idle.append(session)
    release()
  }

  /// Closes a connection whose state is unknown.
  func drop(_ session: any SQLSession) async {
    await session.close()
    release()
  }

  /// Ends the connections that are not in use.
  func close() async {
    let sessions = idle
    idle = []
    for session in sessions { await session.close() }
  }

  private func release() {
    used -= 1
    if !waiting.isEmpty { waiting.removeFirst().continuation.resume() }
  }

  private func wait() async {
    lastNumber += 1
    let number = lastNumber
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiting.append((number, $0)) }
    } onCancel: {
      Task { await self.stop(waiting: number) }
    }
  }

  private func stop(waiting number: Int) {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
    waiting.remove(at: index).continuation.resume()
  }
}
