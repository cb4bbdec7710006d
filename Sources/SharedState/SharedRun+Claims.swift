package import BatchRunner
internal import Databases
internal import JSONSyntax
internal import ReactorCore

extension SharedRun {
  /// Renews the claims until this process leaves.
  func renewContinually() async {
    while !Task.isCancelled {
      do { try await delay.wait(settings.lease / 3) } catch { return }
      _ = await renew(for: settings.lease / 2)
    }
  }

  /// Renews the claims, and finds out which ones other processes have taken.
  ///
  /// - Parameter patience: how long the database is asked again
  /// - Returns: why the database did not respond; nil if it did
  func renew(for patience: Duration) async -> SQLError? {
    let (known, before) = (claims, claimCount)
    let sent = stopwatch.reading()
    let rows: [StateRow]
    do throws(SQLError) {
      rows = try await database.run(StateStatements.renew, [id, member.id, settings.lease.text], for: patience)
    } catch {
      return error
    }
    var held: [Int: Int64] = [:]
    for row in rows {
      if let unit = row.index(0) { held[unit] = row.integer(1) }
    }
    for (unit, claim) in known where claims[unit]?.fence == claim.fence {
      if held[unit] == claim.fence {
        claims[unit]?.safeUntil = sent + settings.lease
      } else {
        lose(unit)
      }
    }
    // The response to an earlier claim was lost with its connection. One that is still on its way is not lost.
    guard claiming == 0, claimCount == before else { return nil }
    for (unit, fence) in held where claims[unit] == nil && known[unit] == nil { await giveBack(unit, fence) }
    return nil
  }

  private func lose(_ unit: Int) {
    guard let claim = claims.removeValue(forKey: unit), !claim.open.isEmpty else { return }
    lost.formUnion(claim.open)
    loss.yield(claim.open.sorted())
  }

  /// Notes that a flow begins here, also one that was lost before and has come back.
  package func begin(_ flow: String) {
    guard let unit = division.unitOf[flow], claims[unit]?.open.contains(flow) ?? false else { return }
    lost.remove(flow)
  }

  /// Gives a flow with its unit to other processes, because it was cancelled here.
  package func giveUp(_ flow: String) async {
    // What has ended of the unit has ended.
    await store()
    guard let unit = division.unitOf[flow], let claim = claims[unit] else { return }
    lose(unit)
    await giveBack(unit, claim.fence)
  }

  /// Leaves a unit to other processes: this one stores no further end of its flows.
  func abandon(_ unit: Int) {
    if let claim = claims.removeValue(forKey: unit) { lost.formUnion(claim.open) }
  }

  /// Gives back a unit of which this process knows nothing.
  private func giveBack(_ unit: Int, _ fence: Int64) async {
    guard claims[unit] == nil else { return }
    _ = try? await database.run(
      StateStatements.giveBack, [id, member.id, String(unit), String(fence)], for: .zero)
  }

  /// Claims units; returns their flows that have to run here.
  func claimUnits(_ count: Int) async throws(SQLError) -> [String] {
    claiming += 1
    claimCount += 1
    defer { claiming -= 1 }
    let sent = stopwatch.reading()
    let rows = try await freeUnits(claimPace.count(for: count, jobs: settings.jobs))
    var flows: [String] = []
    var empty: [(unit: Int, fence: Int64)] = []
    for row in rows {
      guard let number = row.index(0), division.units.indices.contains(number), let fence = row.integer(1) else {
        continue
      }
      let open = opened(division.units[number], ended: row.text(3) ?? "[]")
      guard !open.isEmpty else {
        empty.append((number, fence))
        continue
      }
      claims[number] = Claim(fence: fence, open: Set(open), safeUntil: sent + settings.lease)
      flows += open
    }
    for (unit, fence) in empty { try await close(unit, fence) }
    return flows
  }

  /// Claims units in the database; returns their rows.
  private func freeUnits(_ count: Int) async throws(SQLError) -> [StateRow] {
    for depth in search.depths(at: stopwatch.reading(), lease: settings.lease) {
      let behind = search.begin(depth, at: stopwatch.reading())
      let rows = try await database.run(
        StateStatements.claim,
        [
          id, member.id, settings.lease.text, String(count), String(behind.order), String(behind.unit),
          String(depth.rawValue),
        ], for: settings.lease)
      var fresh: [(unit: Int, weight: Int64)] = []
      for row in rows where row.integer(1) == 1 { fresh.append((row.index(0) ?? -1, row.integer(2) ?? 0)) }
      search.end(depth, fresh: fresh, isEmpty: rows.isEmpty)
      if !rows.isEmpty { return rows }
    }
    return []
  }

  /// Ends a unit of which all flows have ended.
  ///
  /// A process that ran an ancestor once more, for a flow that had not ended, has died after the end of that flow.
  private func close(_ unit: Int, _ fence: Int64) async throws(SQLError) {
    _ = try await database.run(
      StateStatements.close, [id, member.id, String(unit), String(fence)], for: settings.lease)
  }

  /// The flows of a unit that have to run: those that have not ended in the run, and their ancestors, whose records they
  /// need.
  private func opened(_ unit: RunUnit, ended: String) -> [String] {
    var ids: Set<String> = []
    if case .array(let list)? = try? JSONValue(parsing: Array(ended.utf8)) { ids = Set(list.compactMap(\.string)) }
    var needed: Set<String> = []
    // Children come after their parents, so one pass backwards finds all ancestors.
    for flow in unit.flows.reversed() where needed.contains(flow) || !ids.contains(flow) {
      needed.insert(flow)
      needed.formUnion(division.parents[flow] ?? [])
    }
    return unit.flows.filter(needed.contains)
  }
}

extension SharedRun: FlowClaims {
  package var lead: Int { claimPace.lead(jobs: settings.jobs) }

  package func claim(_ count: Int) async -> FlowClaim {
    await store()
    guard failure == nil else { return .over }
    do throws(SQLError) {
      let flows = try await claimUnits(count)
      if !flows.isEmpty {
        pause = Self.shortestPause
        return .flows(flows)
      }
      let rows = try await database.run(StateStatements.remainder, [id], for: settings.lease)
      guard rows.first?.isTrue(0) ?? false else { return .over }
      beginHelping()
      // Idle processes together ask ten times a second, but each at least once in a third of the lease.
      let processes = rows.first?.index(1) ?? 1
      let longest = max(Self.longestPause, min(.milliseconds(100) * processes, settings.lease / 3))
      // So the end of the run is noticed after at most a quarter more than this process has waited.
      defer { pause = min(pause * 5 / 4, longest) }
      // The end of what this process runs is perhaps the end of the run.
      let open = claims.values.reduce(0) { $0 + $1.open.count }
      let own = open > 0 ? claimPace.time(for: open, jobs: settings.jobs) : nil
      return .later(min(pause, own ?? pause))
    } catch {
      failure = StateError(error)
      return .over
    }
  }
}
