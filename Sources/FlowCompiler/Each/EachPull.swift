internal import Expressions
internal import FlowSpec
internal import ReactorCore
internal import Records

/// Asks once for each partition, several at once, and joins what comes in the order of the partitions.
///
/// A partition's records go into the result when all of them are there and all partitions before it are done, so that the
/// result is the same for any number at once, and a partition that fails leaves nothing behind.
struct EachPull: Sendable {
  /// A partition's request, or why there is none.
  typealias RequestBuilder = @Sendable (Partition) async throws(ReactorError) -> PartitionRequest
  /// The items of a batch that its answer calls refused, of those that were sent.
  typealias Judge = @Sendable (_ answer: [UInt8]?, _ sent: [Int]) throws(ReactorError) -> [ItemFailure]

  private enum Event: Sendable {
    case next(Result<Partition?, ReactorError>)
    case done(Partition, PartitionResult)
  }

  /// What a run is at.
  private struct Progress {
    var outcome = Pull.Outcome()
    /// Partitions begun, and those whose turn is over.
    var begun = 0
    var ended = 0
    var underWay = 0
    var isAsking = false
    var isExhausted = false
    var results: [Int: (partition: Partition, result: PartitionResult)] = [:]
    var buffers: [Int: PartitionBuffer] = [:]
    /// Items whose turn is over, and those of them that failed.
    var items = 0
    var failed = 0
    var firstFailure: ReactorError?
    /// Why the whole flow ends.
    var failure: ReactorError?
  }

  let each: EachDeclaration
  let pull: Pull
  let environment: FlowEnvironment
  let judge: Judge
  let request: RequestBuilder

  /// Runs all partitions.
  func run(_ source: any PartitionProvider, into sink: any PartSink) async throws(ReactorError) -> Pull.Outcome {
    var progress = Progress()
    pull.instruments.observer(.started(.request))
    await withTaskGroup(of: Event.self) { group in
      askForMore(&progress, source, &group)
      for await event in group {
        switch event {
        case .next(let result): take(result, &progress, &group)
        case .done(let partition, let result):
          progress.underWay -= 1
          progress.results[partition.place] = (partition, result)
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
    if let first = progress.firstFailure { try conclude(&progress, first) }
    return progress.outcome
  }

  // MARK: - Beginning

  /// Looks for the next partition where there is room for one. Those that are done and wait for their turn take room too,
  /// so that one slow partition does not let the others pile up.
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
      progress.buffers[partition.place] = buffer
      progress.begun += 1
      progress.underWay += 1
      // The host was reached: later partitions do not look again.
      var own = pull.silent
      if progress.outcome.pages > 0 { own = own.with { $0.network = $0.network.withoutReachabilityCheck() } }
      let pull = own
      group.addTask { .done(partition, await run(partition, pull, into: buffer)) }
    }
  }

  private func run(_ partition: Partition, _ pull: Pull, into buffer: PartitionBuffer) async -> PartitionResult {
    var result = PartitionResult()
    var mask: URLMask?
    do throws(ReactorError) {
      let request = try await request(partition)
      result.request = request.shown
      result.failures = request.misfits
      mask = request.mask
      // Nothing is sent for items that cannot be.
      if partition.count == request.misfits.count { return result }
      let pull = pull.with { own in
        own.added = request.added
        own.transform = own.transform?.with(request.values)
        own.shownURL = request.shown.url
        own.holdsAnswer = each.batch?.results != nil
      }
      result.outcome = try await pull.runRanges(request.requests, into: buffer)
      let misfits = Set(request.misfits.map(\.item))
      result.failures += try judge(result.outcome.answer, (0..<partition.count).filter { !misfits.contains($0) })
      result.failures.sort { $0.item < $1.item }
      result.outcome.answer = nil
      if let key = request.cursorKey, result.outcome.cut == nil, let text = result.outcome.greatest?.text {
        result.outcome.cursors = [key: text]
      }
    } catch {
      result.error = mask?.masked(error) ?? error
    }
    return result
  }

  // MARK: - Ending

  /// Takes up the results whose turn has come.
  private func settle(_ progress: inout Progress, into sink: any PartSink) async {
    while progress.failure == nil, !progress.outcome.isEnd,
      let (partition, result) = progress.results.removeValue(forKey: progress.ended)
    {
      let buffer = progress.buffers.removeValue(forKey: progress.ended)
      progress.ended += 1
      take(result, of: partition, &progress)
      guard progress.failure == nil else { return }
      if result.error == nil {
        do throws(ReactorError) {
          try await buffer?.pour(into: sink)
          try await pull.letters?.flush()
        } catch {
          progress.failure = error
          return
        }
        progress.outcome.add(result.outcome)
      }
      pull.instruments.observer(.received(bytes: progress.outcome.bytes))
      pull.instruments.observer(
        .paged(pages: progress.outcome.pages, records: progress.outcome.report.kept))
    }
  }

  /// Counts and keeps what came to nothing.
  private func take(_ result: PartitionResult, of partition: Partition, _ progress: inout Progress) {
    if let error = result.error {
      // What concerns all partitions is not to be met once for each.
      guard error.kind != .cancelled, error.kind != .noConnectivity else {
        progress.failure = error.kind == .cancelled ? error : error.of(partition.words, result.request)
        return
      }
      let failure = ItemFailure(item: 0, rule: "request", pointer: "", reason: error.message)
      for item in 0..<partition.count {
        var failure = failure
        failure.item = item
        take(failure, error, of: partition, result, &progress)
      }
    } else {
      for failure in result.failures {
        take(failure, .parser(failure.reason), of: partition, result, &progress)
      }
    }
    pull.letters?.note(tried: partition)
    progress.items += partition.count
  }

  private func take(
    _ failure: ItemFailure, _ error: ReactorError, of partition: Partition, _ result: PartitionResult,
    _ progress: inout Progress
  ) {
    let told = error.of(partition.words(ofItem: failure.item), result.request)
    guard each.onError == .skip else {
      progress.failure = progress.failure ?? told
      return
    }
    pull.letters?.take(
      failure, of: partition, at: progress.items + failure.item,
      result.request ?? ShownRequest(method: pull.declaration.request.method, url: pull.shown.shownURL),
      status: error.status)
    progress.failed += 1
    progress.firstFailure = progress.firstFailure ?? error.of(nil, result.request)
    progress.outcome.report.skip(told.message, pointer: failure.pointer)
  }

  /// Says that items are missing; throws when all are.
  private func conclude(_ progress: inout Progress, _ first: ReactorError) throws(ReactorError) {
    let noun = each.batch == nil ? "partitions" : "records"
    var error = first
    if progress.failed == progress.items {
      error.message =
        progress.failed == 1 ? first.message : "all \(progress.failed) \(noun) failed; the first: \(first.message)"
      pull.letters?.judge()
      if pull.letters == nil { pull.instruments.observer(.pruned(progress.outcome.report)) }
      throw error
    }
    error.message = "\(progress.failed) of \(progress.items) \(noun) failed; the first: \(first.message)"
    progress.outcome.cut = error
    pull.instruments.observer(.cutShort(error))
  }
}

extension ReactorError {
  /// The error with what it is about before it.
  fileprivate func of(_ words: String?, _ request: ShownRequest?) -> ReactorError {
    var error = self
    let parts = [words, request.map { "\($0.method) \($0.url)" }].compactMap { $0 }
    error.message = (parts + [message]).joined(separator: ": ")
    return error
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
  /// Under what its cursor is remembered; nil without one.
  var cursorKey: String?
}

extension Pull {
  /// The same without telling anybody: what many do at once is told by whoever joins it.
  var silent: Pull {
    with { own in
      own.instruments.observer = { _ in }
      own.network = own.network.with(own.instruments)
    }
  }
}
