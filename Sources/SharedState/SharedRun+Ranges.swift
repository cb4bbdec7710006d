internal import ByteCodings
internal import Databases
package import FlowRuntime

/// The requests of a flow with many parents, spread over the processes.
extension SharedRun {
  /// Requests a range of a flow's parents; returns the responses.
  package typealias Responder = @Sendable (_ flow: String, _ content: [UInt8]) async -> [UInt8]

  /// Requests ranges of flows that other processes run, as soon as no flow is left to claim.
  package func help(by respond: @escaping Responder) { self.respond = respond }

  package func ranges(of flow: String) async -> (any RangeExchange)? {
    guard let unit = division.unitOf[flow], let claim = claims[unit] else { return nil }
    return SharedRanges(self, flow, unit: unit, fence: claim.fence)
  }

  /// Begins to request ranges of other processes, unless this process does that already.
  func beginHelping() {
    guard helping == nil, let respond else { return }
    helping = Task {
      await self.help(respond)
      self.helping = nil
    }
  }

  private func help(_ respond: Responder) async {
    while !Task.isCancelled, let range = await nextRange() {
      let responses = await respond(range.flow, range.content)
      guard !Task.isCancelled else { return }
      _ = try? await database.run(
        RangeStatements.respond,
        [id, member.id, range.flow, range.number, range.fence, Base64.encode(responses)], for: settings.lease)
    }
  }

  private func nextRange() async -> (flow: String, number: String, fence: String, content: [UInt8])? {
    let rows = try? await database.run(
      RangeStatements.help, [id, member.id, settings.lease.text], for: SharedRanges.patience)
    guard let row = rows?.first, let flow = row.text(0), let number = row.text(1), let fence = row.text(2),
      let content = row.text(3)
    else { return nil }
    return (flow, number, fence, Array(content.utf8))
  }
}
