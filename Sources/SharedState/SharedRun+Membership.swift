package import Databases
internal import FlowRuntime
package import ReactorCore

extension SharedRun: RunMembership {
  nonisolated package var run: String { id }

  /// Throws if this process does not hold the unit of a flow any more, or if that is not known.
  ///
  /// While the claim is surely valid, nothing is sent. Afterwards it is renewed first; so a process that was stopped
  /// for longer than a lease learns here that another one has taken its flow.
  package func check(_ flow: String) async throws(ReactorError) {
    guard let unit = division.unitOf[flow] else { return }
    guard let claim = claims[unit] else { throw .takenOver(flow) }
    if stopwatch.reading() < claim.safeUntil { return }
    if let cause = await renew(for: settings.lease) {
      // The flow has no end here. Otherwise a run whose database was away would have failed flows that nobody runs again.
      failure = failure ?? StateError(cause)
      abandon(unit)
      var error = ReactorError.persistence("the shared state cannot be reached, so it is not known whose flow this is")
      error.help =
        "nothing is published; when the database can be reached, the flow runs again in this or another process"
      throw error
    }
    guard claims[unit]?.fence == claim.fence else { throw .takenOver(flow) }
  }

  package func isRepeated(_ flow: String) async -> Bool {
    division.unitOf[flow].flatMap { claims[$0] }.map { $0.fence > 1 } ?? false
  }

  package func condition(_ flow: String, at url: String) async -> LoadCondition? {
    guard url == database.url, let unit = division.unitOf[flow] else { return nil }
    // Without a claim no row proves anything.
    let fence = claims[unit]?.fence ?? -1
    return LoadCondition(
      StateStatements.proof, [id, String(unit), member.id, String(fence)], otherwise: .takenOver(flow))
  }
}

extension ReactorError {
  /// The error of a flow that another process runs now.
  static func takenOver(_ flow: String) -> ReactorError {
    var error = ReactorError.persistence("another process of the run has taken '\(flow)' over")
    error.help =
      "nothing was published here; this process did not renew its claim in time, for example because it was stopped"
    return error
  }
}
