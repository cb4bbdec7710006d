internal import FlowModel
internal import ReactorCore
internal import Records

/// Sends the requests of a range.
struct RangeGathering: Sendable {
  let flow: DeclaredFlow

  /// Requests a range, and keeps the responses.
  ///
  /// The records are read only to find further pages.
  func gather(_ range: PartitionRange) async -> GatheredResponses {
    let gathered = GatheredResponses(scope: flow.plan.responseScope)
    let (plan, instruments) = (flow.plan, flow.instruments { _ in })
    guard let each = plan.each, let network = try? flow.network(instruments) else { return gathered }
    let part = RunPart(
      flow: flow,
      network: network.through {
        GatheringConnection(connection: $0, gathered: gathered, stored: self.stored)
      },
      instruments: instruments, receiver: MemoryReceiver(plan.records.schema.plan, holds: false), earlier: nil)
    let run = plan.cursor.map { cursor in
      CursorRun(cursor: cursor, now: range.now, since: plan.since, state: CursorState(parents: range.positions))
    }
    let parents = ParentRequests(each: each, flow: flow, part: part, run: run)
    let pull = EachPull(parents: parents, pull: part.pull, memory: EachPull.Memory())
    let partitions = range.partitions.enumerated().map { index, partition in
      var partition = partition
      partition.index = index
      return partition
    }
    // An error is that of a request, which the process that runs the flow sends again.
    _ = try? await pull.run(ListedPartitions(partitions), into: part.receiver)
    return gathered
  }

  /// The response as it may be stored outside of this process; nil if a secret is in its path or headers.
  ///
  /// A query with a secret is left out: the URL is only what relative links begin from.
  private func stored(_ response: SharedResponse) -> SharedResponse? {
    var response = response
    if isSecret(response.url) { response.url = String(response.url.prefix { $0 != "?" }) }
    return isSecret(response.url) || response.headers.fields.contains { isSecret($0.value) } ? nil : response
  }

  private func isSecret(_ text: String) -> Bool { flow.environment.secrets.isIn(text: text) }
}

extension ParentRequests {
  /// The partitions, spread over the processes of the run if that is possible.
  ///
  /// Requests that perhaps change something at the server are sent by one process. So are those of jobs and downloads,
  /// whose responses are large, and those of a retry.
  func spread(_ partitions: any PartitionProvider) async -> any PartitionProvider {
    let (plan, environment) = (flow.plan, flow.environment)
    guard let membership = environment.membership, environment.transportOverride == nil, plan.isReading,
      plan.job == nil, plan.firstRun?.job == nil, plan.download == nil, !plan.isRetrying,
      let exchange = await membership.ranges(of: flow.id)
    else { return partitions }
    return SpreadPartitions(
      partitions, over: exchange, scope: plan.responseScope, delay: environment.delay
    ) { number, partitions in
      await self.range(number, partitions)
    } gather: { range in
      await RangeGathering(flow: flow).gather(range)
    }
  }

  private func range(_ number: Int, _ partitions: [Partition]) async -> PartitionRange {
    var range = PartitionRange(number, partitions)
    guard let run else { return range }
    range.now = run.now
    for partition in partitions {
      // Where it has none, its request fails here as well.
      guard let identity = try? await identity(of: partition) else { continue }
      range.positions[identity] = run.state.parents[identity]
    }
    return range
  }
}
