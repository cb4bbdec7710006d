internal import Databases
internal import JSONSyntax

/// What the shared state knows of a run: its flows and its processes. Times are seconds by the clock of the database.
package struct SharedRunRecord: Sendable, Hashable {
  /// A flow that has ended.
  package struct End: Sendable, Hashable {
    package let flow: String
    /// The status word of the reports.
    package let status: String
    package let exit: Int32
    /// The JSON report of a run that had only this flow; empty if it was not asked for.
    package let report: String
  }

  /// A process that takes part, or took part.
  package struct Member: Sendable, Hashable {
    package let id: String
    package let host: String
    package let pid: Int
    /// When the process last gave a sign, in seconds ago.
    package let silence: Double
    package let hasLeft: Bool
    /// How many flows it has ended.
    package let ended: Int
    /// The flows of the units that it holds and that have not ended.
    package var running: [String] = []
    /// The flows of other processes of which it requests parents.
    package var helped: [String] = []
  }

  package let id: String
  /// When the run began, in seconds since 1970.
  package let began: Int64
  /// How long the run has taken until now, or until its end.
  package let duration: Double
  /// The number of all flows.
  package let flows: Int
  package let tool: String
  /// Whether all flows have ended.
  package let isEnded: Bool
  package let ends: [End]
  package let members: [Member]

  /// The number of flows with a status.
  package func count(_ status: String) -> Int { ends.count { $0.status == status } }

  /// Reads what is known of a run; nil if there is no such run.
  ///
  /// - Parameter withReports: whether the reports of the flows are read, too
  package static func read(
    _ run: String, in database: StateDatabase, withReports: Bool
  ) async throws(StateError) -> SharedRunRecord? {
    do throws(SQLError) {
      let patience = Duration.seconds(5)
      guard let head = try await database.run(StateStatements.head, [run], for: patience).first else { return nil }
      let members = try await members(of: run, in: database, patience)
      let ends = try await database.run(StateStatements.ends, [run, withReports ? "true" : "false"], for: patience)
      return SharedRunRecord(
        id: run, began: head.integer(0) ?? 0, duration: head.number(1) ?? 0, flows: head.index(2) ?? 0,
        tool: head.text(3) ?? "", isEnded: head.isTrue(4), ends: ends.compactMap { End($0) }, members: members)
    } catch {
      throw StateError(error)
    }
  }

  private static func members(
    of run: String, in database: StateDatabase, _ patience: Duration
  ) async throws(SQLError) -> [Member] {
    var running: [String: [String]] = [:]
    for row in try await database.run(StateStatements.running, [run], for: patience) {
      guard let process = row.text(0),
        case .array(let flows)? = try? JSONValue(parsing: Array((row.text(1) ?? "[]").utf8))
      else { continue }
      running[process, default: []] += flows.compactMap(\.string)
    }
    var requested: [String: [String]] = [:]
    for row in try await database.run(RangeStatements.requested, [run], for: patience) {
      if let process = row.text(0), let flow = row.text(1) { requested[process, default: []].append(flow) }
    }
    return try await database.run(StateStatements.members, [run], for: patience).compactMap { row in
      guard let id = row.text(0) else { return nil }
      return Member(
        id: id, host: row.text(1) ?? "", pid: row.index(2) ?? 0, silence: row.number(3) ?? 0, hasLeft: row.isTrue(4),
        ended: row.index(5) ?? 0, running: running[id] ?? [],
        helped: (requested[id] ?? []).filter { !(running[id] ?? []).contains($0) })
    }
  }

  /// The lines of the history, the oldest first: those of a run, and those of all other runs.
  package static func history(
    of run: String, in database: StateDatabase
  ) async throws(StateError) -> (own: [String], earlier: [String]) {
    do throws(SQLError) {
      var lines: (own: [String], earlier: [String]) = ([], [])
      for row in try await database.run(StateStatements.lines, for: .seconds(5)) {
        guard let line = row.text(0) else { continue }
        if row.text(1) == run { lines.own.append(line) } else { lines.earlier.append(line) }
      }
      return lines
    } catch {
      throw StateError(error)
    }
  }

  /// The lines of the history, the oldest first.
  ///
  /// - Parameter run: the run that goes on; then only the last line of each flow before this run is read
  package static func history(
    in database: StateDatabase, before run: String? = nil
  ) async throws(StateError) -> [String] {
    do throws(SQLError) {
      let rows =
        if let run { try await database.run(StateStatements.lastLines, [run], for: .seconds(5)) } else {
          try await database.run(StateStatements.lines, for: .seconds(5))
        }
      return rows.compactMap { $0.text(0) }
    } catch {
      throw StateError(error)
    }
  }
}

extension SharedRunRecord.End {
  fileprivate init?(_ row: StateRow) {
    guard let flow = row.text(0), let status = row.text(1), let exit = row.integer(2) else { return nil }
    self.init(flow: flow, status: status, exit: Int32(truncatingIfNeeded: exit), report: row.text(3) ?? "")
  }
}
