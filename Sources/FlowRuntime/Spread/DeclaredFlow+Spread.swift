internal import FlowModel
internal import ReactorCore
internal import Records

extension DeclaredFlow {
  /// Requests a range of parents for the process that runs the flow.
  ///
  /// - Parameter content: what `RangeExchange.offer` has sent
  /// - Returns: the responses; empty if the content cannot be read. What is missing is requested by the other process.
  @concurrent public func responses(to content: [UInt8]) async -> [UInt8] {
    guard let range = PartitionRange(json: content) else { return [] }
    return await gather(range).bytes
  }

  /// Requests a range, and keeps the responses.
  ///
  /// The records are read only to find further pages.
  func gather(_ range: PartitionRange) async -> GatheredResponses {
    let gathered = GatheredResponses()
    let instruments = instruments { _ in }
    guard let each = plan.each, let network = try? network(instruments) else { return gathered }
    var part = RunPart(
      flow: self,
      network: network.through {
        GatheringConnection(connection: $0, gathered: gathered, mayBeStored: self.mayBeStored)
      },
      instruments: instruments, receiver: MemoryReceiver(plan.records.schema.plan, holds: false), earlier: nil)
    part.known = CursorState(parents: range.positions)
    let run = plan.cursor.map { cursor in
      CursorRun(cursor: cursor, now: range.now, since: plan.since, state: CursorState(parents: range.positions))
    }
    let parents = ParentRequests(each: each, flow: self, part: part, run: run)
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

  /// Whether a response contains no secret in its URL and headers.
  private func mayBeStored(_ response: SharedResponse) -> Bool {
    let text = ([response.url] + response.headers.fields.map(\.value)).joined(separator: "\n")
    return !environment.secrets.contains { $0.utf8.count >= KnownSecrets.shortest && text.contains($0) }
  }
}

extension ParentRequests {
  /// The partitions, spread over the processes of the run if that is possible.
  ///
  /// Requests that change something at the server are sent by one process. So are those of jobs and downloads, whose
  /// responses are large, and those of a retry.
  func spread(_ partitions: any PartitionProvider) async -> any PartitionProvider {
    let (plan, environment) = (flow.plan, flow.environment)
    guard let membership = environment.membership, environment.transportOverride == nil, plan.isReading,
      plan.job == nil, plan.firstRun?.job == nil, plan.download == nil, !plan.isRetrying,
      let exchange = await membership.ranges(of: flow.id)
    else { return partitions }
    return SpreadPartitions(partitions, over: exchange, delay: environment.delay) { number, partitions in
      await self.range(number, partitions)
    } gather: { range in
      await flow.gather(range)
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
