internal import Expressions
internal import ReactorCore
internal import Records

/// Asks once for each partition, several at once, and joins what comes in the order of the partitions.
///
/// A partition's records go into the result when all of them are there and all partitions before it are done, so that
/// the result is the same for any number at once, and a partition that fails leaves nothing behind.
struct EachPull: Sendable {
  /// A partition's request, or why there is none.
  typealias RequestBuilder = @Sendable (Partition) async throws(ReactorError) -> PartitionRequest
  /// The items of a batch that its response calls refused, of those that were sent.
  typealias Judge = @Sendable (_ responseBytes: [UInt8]?, _ sent: [Int]) throws(ReactorError) -> [ItemFailure]

  private enum Event: Sendable {
    case next(Result<Partition?, ReactorError>)
    case done(Partition, PartitionResult)
  }

  let each: EachPlan
  let pull: Pull
  let environment: FlowEnvironment
  let memory: Memory
  let judge: Judge
  let request: RequestBuilder

  /// Runs all partitions.
  ///
  /// - Returns: what they gave, and what is to be remembered of them
  func run(
    _ source: any PartitionProvider, into sink: any RecordSink
  ) async throws(ReactorError) -> (Pull.Outcome, EachLedger) {
    var progress = Progress()
    pull.instruments.observer(.started(.request))
    await withTaskGroup(of: Event.self) { group in
      askForMore(&progress, source, &group)
      for await event in group {
        switch event {
        case .next(let result): take(result, &progress, &group)
        case .done(let partition, let result):
          progress.underWay -= 1
          progress.results[partition.index] = (partition, result)
          await settle(&progress, into: sink)
        }
        if progress.failure != nil || progress.outcome.isEnd {
          group.cancelAll()
        } else {
          askForMore(&progress, source, &group)
        }
      }
    }
    if let failure = progress.failure { throw failure }
    try await end(&progress, await source.ending(), into: sink)
    return (progress.outcome, progress.ledger)
  }

  // MARK: - Beginning

  /// Looks for the next partition where there is room for one. Those that are done and wait for their turn take room
  /// too, so that one slow partition does not let the others pile up.
  private func askForMore(_ progress: inout Progress, _ source: any PartitionProvider, _ group: inout TaskGroup<Event>)
  {
    guard !progress.isAsking, !progress.isExhausted, progress.underWay < each.concurrency,
      progress.begun - progress.ended < 2 * each.concurrency
    else { return }
    progress.isAsking = true
    group.addTask {
      do throws(ReactorError) {
        return .next(.success(try await source.next()))
      } catch {
        return .next(.failure(error))
      }
    }
  }

  private func take(
    _ result: Result<Partition?, ReactorError>, _ progress: inout Progress, _ group: inout TaskGroup<Event>
  ) {
    progress.isAsking = false
    switch result {
    case .failure(let error):
      progress.failure = progress.failure ?? error
    case .success(nil):
      progress.isExhausted = true
    case .success(.some(let partition)):
      guard progress.failure == nil else { return }
      let buffer = PartitionBuffer(in: environment)
      progress.buffers[partition.index] = buffer
      progress.begun += 1
      progress.underWay += 1
      let pull = self.pull.silent(isReachable: progress.outcome.pages > 0)
      group.addTask { .done(partition, await run(partition, pull, into: buffer)) }
    }
  }

  private func run(_ partition: Partition, _ pull: Pull, into buffer: PartitionBuffer) async -> PartitionResult {
    var result = PartitionResult()
    result.identity = memory.identity?.text(of: partition)
    var mask: URLMask?
    do throws(ReactorError) {
      let request = try await request(partition)
      result.request = request.shown
      result.failures = request.misfits
      mask = request.mask
      result.identity = request.identity ?? result.identity
      // Nothing is sent for items that cannot be.
      result.isUnsent = partition.count == request.misfits.count
      if result.isUnsent { return result }
      let pull = pull.with { pull in
        pull.added = request.added
        if pull.rejected?.tracking != nil { pull.requested.parents = partition.value }
        pull.transform = pull.transform?.with(request.values)
        pull.shownURL = request.shown.url
        pull.holdsResponse = each.batch?.results != nil
      }
      result.outcome = try await pull.runRanges(request.requests, into: buffer)
      let misfits = Set(request.misfits.map(\.item))
      result.failures += try judge(result.outcome.responseBytes, (0..<partition.count).filter { !misfits.contains($0) })
      result.failures.sort { $0.item < $1.item }
      result.outcome.responseBytes = nil
      // A part of what a parent has says nothing about the rest.
      if let key = request.identity, partition.ranges == nil, result.outcome.cut == nil,
        let text = result.outcome.greatest?.text
      {
        result.outcome.cursors = [key: text]
      }
      result.outcome.cut = result.outcome.cut?.of(partition.words, request.shown)
    } catch {
      result.error = mask?.masked(error) ?? error
    }
    return result
  }
}

/// What is asked of the server for one partition.
struct PartitionRequest: Sendable {
  /// One after the other; more than one where a cursor's range is cut into slices.
  var requests: [RangeRequest]
  /// Method, URL and key as they may be shown.
  var shown: ShownRequest
  /// Items that cannot be sent.
  var misfits: [ItemFailure] = []
  /// For errors, when the URL's path holds a secret.
  var mask: URLMask?
  /// What its records get besides their own fields.
  var added: AddedFields?
  /// The parents' records by name.
  var values: [String: ExpressionValue] = [:]
  /// Under what its parents are remembered; nil where nothing is.
  var identity: String?
}

extension Pull {
  /// The same without reports: whoever joins parallel pulls reports them.
  ///
  /// - Parameter isReachable: whether the host was reached and need not be checked again
  fileprivate func silent(isReachable: Bool) -> Pull {
    with { pull in
      pull.instruments.observer = { _ in }
      pull.network = (isReachable ? network.withoutReachabilityCheck() : network).with(pull.instruments)
    }
  }
}
