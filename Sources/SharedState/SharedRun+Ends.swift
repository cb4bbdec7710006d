internal import Databases
internal import JSONSyntax

extension SharedRun {
  /// How many ends wait at most before they are stored together.
  private static let mostEnds = 64

  /// Stores the end of a flow, soon, together with others.
  package func end(_ end: FlowEnd) async {
    ends.append(end)
    claimPace.note(end.took)
    // When nothing else runs here, no claim comes that would store the end.
    let open = claims.values.reduce(0) { $0 + $1.open.count }
    if ends.count >= min(open, Self.mostEnds) { await store() }
  }

  /// Stores the ends that wait.
  func store() async {
    while let storing { await storing.value }
    guard !ends.isEmpty else { return }
    let task = Task { await self.storeWaiting() }
    storing = task
    await task.value
  }

  /// Stores the ends that wait, in one statement.
  private func storeWaiting() async {
    defer { storing = nil }
    var sent: [(end: FlowEnd, unit: Int, fence: Int64, isLast: Bool)] = []
    for end in ends {
      guard let unit = division.unitOf[end.flow], let claim = claims[unit], claim.open.contains(end.flow) else {
        continue
      }
      claims[unit]?.open.remove(end.flow)
      sent.append((end, unit, claim.fence, claim.open.count == 1))
    }
    ends = []
    guard !sent.isEmpty else { return }
    let list = JSONValue.array(sent.map { $0.end.json(unit: $0.unit, fence: $0.fence, isLast: $0.isLast) })
    do throws(SQLError) {
      let rows = try await database.run(StateStatements.end, [id, member.id, list.text], for: settings.lease)
      let stored = Set(rows.compactMap { $0.text(0) })
      for (end, unit, fence, _) in sent where !stored.contains(end.flow) {
        // A flow that this process has claimed once more has another end.
        if claims[unit].map({ $0.fence == fence }) ?? true { lost.insert(end.flow) }
      }
    } catch {
      failure = failure ?? StateError(error)
      lost.formUnion(sent.lazy.map(\.end.flow))
      // The end of its last flow would close a unit whose other ends are not stored.
      for (_, unit, _, _) in sent { abandon(unit) }
    }
    for (_, unit, fence, isLast) in sent where isLast && claims[unit]?.fence == fence { claims[unit] = nil }
  }
}
