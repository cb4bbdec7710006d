internal import Boxes
internal import Expressions
internal import FlowModel
internal import ReactorCore
internal import Records

/// Requests the partitions, several at the same time. Joins the records in the order of the partitions.
///
/// A partition's records go into the result after the partition is complete and all partitions before it were
/// processed. So the result does not depend on the concurrency, and a failed partition leaves no records in it.
struct EachPull: Sendable {
  private enum Event: Sendable {
    case next(Result<Partition?, ReactorError>)
    indirect case done(Partition, PartitionResult)
  }

  @Boxed private(set) var parents: ParentRequests
  @Boxed private(set) var pull: Pull
  let memory: Memory

  var each: Each<ParentSource> { parents.each }

  /// Runs all partitions.
  ///
  /// - Returns: the joined outcome, and what the next run needs to know of the parents
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

  // MARK: - Starting partitions

  /// Starts to fetch the next partition if the limit of partitions in progress is not reached.
  ///
  /// A finished partition that waits for its turn counts too. So finished partitions do not accumulate while a slow one
  /// is in progress.
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
      let buffer = PartitionBuffer(in: pull.flow.environment)
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
      let request = try await parents.request(partition)
      result.request = request.shown
      result.failures = request.misfits
      mask = request.mask
      result.identity = request.identity ?? result.identity
      // If none of the items of a partition can be sent, no request is sent.
      result.isUnsent = partition.count == request.misfits.count
      if result.isUnsent { return result }
      let pull = pull.with { pull in
        pull.flow = request.flow ?? pull.flow
        pull.item = partition.words
        pull.added = request.added
        if pull.rejected?.tracking != nil { pull.requested.parents = partition.value }
        pull.values = request.values
        pull.shownURL = request.shown.url
        pull.holdsResponse = each.batch?.results != nil
        if let gathered = partition.gathered {
          pull.network = pull.network.withoutReachabilityCheck().through {
            GatheredConnection(connection: $0, gathered: gathered)
          }
        }
      }
      let sink: any RecordSink = memory.labelsRows ? ParentLabel(buffer, result.identity) : buffer
      result.outcome = try await pull.runRanges(request.requests, into: sink)
      if each.keepsEmpty != nil, result.outcome.hasNoRecords, let resource = request.requests.first?.resource {
        result.outcome.report.append(try await pull.readParentAlone(resource, into: sink))
      }
      let misfits = Set(request.misfits.map(\.item))
      result.failures += try parents.refusals(
        result.outcome.responseBytes, of: (0..<partition.count).filter { !misfits.contains($0) })
      result.failures.sort { $0.item < $1.item }
      result.outcome.responseBytes = nil
      // The cursor advances only if all records of the parent were read: unread records could have smaller values.
      if let key = request.identity, partition.ranges == nil,
        let text = request.reached(result.outcome, pull.plan.positionMode)
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

/// The requests that one partition sends to the server.
struct PartitionRequest: Sendable {
  /// The variant of the flow that sends the request for a first run (`DeclaredFlow.inFirstRun`); nil if these parents
  /// get the usual request.
  var flow: DeclaredFlow?
  /// The requests, sent one after the other. A cursor range that is cut into slices gives several requests.
  var requests: [RangeRequest]
  /// Method, URL and idempotency key, with secrets masked.
  var shown: ShownRequest
  /// The items that cannot be sent, with the reasons.
  var misfits: [ItemFailure] = []
  /// Masks the URL in errors; nil when the URL's path contains no secret.
  var mask: URLMask?
  /// The fields that are added to each record; nil without such fields.
  var added: AddedFields?
  /// The parents' records, by the name of the parent.
  var values: [String: ExpressionValue] = [:]
  /// The identity under which the parents are remembered; nil when they are not remembered.
  var identity: String?
  /// The cursor with its state and start for this run; nil for a flow without a cursor.
  var run: CursorRun?

  /// The value of the cursor up to which the parent's records were read; nil when none is known.
  func reached(_ outcome: Pull.Outcome, _ mode: PersistenceMode) -> String? { run?.reached(outcome, mode) }
}

extension Pull {
  /// The same pull without reports of its progress. The caller reports the progress of all parallel pulls together.
  ///
  /// - Parameter isReachable: whether the host was reached already, so that no further check is needed
  fileprivate func silent(isReachable: Bool) -> Pull {
    with { pull in
      let observer = pull.instruments.observer
      pull.instruments.observer = { event in if case .warned = event { observer(event) } }
      pull.network = (isReachable ? network.withoutReachabilityCheck() : network).with(pull.instruments)
    }
  }
}
