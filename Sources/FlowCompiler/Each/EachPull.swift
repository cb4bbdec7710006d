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
  typealias RequestBuilder = @Sendable (Partition) throws(ReactorError) -> PartitionRequest

  private enum Event: Sendable {
    case next(Result<Partition?, ReactorError>)
    case done(Partition, Result<Pull.Outcome, ReactorError>)
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
    var results: [Int: (partition: Partition, result: Result<Pull.Outcome, ReactorError>)] = [:]
    var buffers: [Int: PartitionBuffer] = [:]
    var failed = 0
    var firstFailure: ReactorError?
    /// Why the whole flow ends.
    var failure: ReactorError?
  }

  let each: EachDeclaration
  let pull: Pull
  let environment: FlowEnvironment
  let request: RequestBuilder

  /// Runs all partitions.
  func run(_ source: PartitionSource, into sink: any PartSink) async throws(ReactorError) -> Pull.Outcome {
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
  private func askForMore(_ progress: inout Progress, _ source: PartitionSource, _ group: inout TaskGroup<Event>) {
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
      var pull = self.pull.silent
      if progress.outcome.pages > 0 { pull.network = pull.network.withoutReachabilityCheck() }
      let own = pull
      group.addTask {
        do throws(ReactorError) {
          return .done(partition, .success(try await run(partition, own, into: buffer)))
        } catch {
          return .done(partition, .failure(error))
        }
      }
    }
  }

  private func run(
    _ partition: Partition, _ pull: Pull, into buffer: PartitionBuffer
  ) async throws(ReactorError) -> Pull.Outcome {
    let request = try request(partition)
    do throws(ReactorError) {
      var pull = pull
      pull.added = request.added
      pull.transform = pull.transform?.with(request.values)
      pull.shownURL = request.shown.firstIndex(of: " ").map { String(request.shown[$0...].dropFirst()) }
      var outcome = try await pull.run(request.requests, into: buffer)
      if let key = request.cursorKey, outcome.cut == nil, let text = outcome.greatest?.text {
        outcome.cursors = [key: text]
      }
      return outcome
    } catch {
      guard error.kind != .cancelled else { throw error }
      var error = request.mask?.masked(error) ?? error
      error.message = "\(request.shown): \(error.message)"
      throw error
    }
  }

  // MARK: - Ending

  /// Takes up the results whose turn has come.
  private func settle(_ progress: inout Progress, into sink: any PartSink) async {
    while progress.failure == nil, !progress.outcome.isEnd,
      let (partition, result) = progress.results.removeValue(forKey: progress.ended)
    {
      let buffer = progress.buffers.removeValue(forKey: progress.ended)
      progress.ended += 1
      switch result {
      case .success(let outcome):
        do throws(ReactorError) {
          try await buffer?.pour(into: sink)
        } catch {
          progress.failure = error
          return
        }
        progress.outcome.add(outcome)
      case .failure(let error):
        take(error, of: partition, &progress)
      }
      pull.instruments.observer(.received(bytes: progress.outcome.bytes))
      pull.instruments.observer(
        .paged(pages: progress.outcome.pages, records: progress.outcome.report.kept))
    }
  }

  private func take(_ error: ReactorError, of partition: Partition, _ progress: inout Progress) {
    // What concerns all partitions is not to be met once for each.
    guard each.onError == .skip, error.kind != .cancelled, error.kind != .noConnectivity else {
      var error = error
      if error.kind != .cancelled { error.message = "\(partition.words): \(error.message)" }
      progress.failure = error
      return
    }
    progress.failed += 1
    progress.firstFailure = progress.firstFailure ?? error
    progress.outcome.report.skip("\(partition.words): \(error.message)", pointer: "")
  }

  /// Says that partitions are missing; throws when all are.
  private func conclude(_ progress: inout Progress, _ first: ReactorError) throws(ReactorError) {
    var error = first
    if progress.failed == progress.ended {
      error.message =
        progress.failed == 1 ? first.message : "all \(progress.failed) partitions failed; the first: \(first.message)"
      throw error
    }
    error.message = "\(progress.failed) of \(progress.ended) partitions failed; the first: \(first.message)"
    progress.outcome.cut = error
    pull.instruments.observer(.cutShort(error))
  }
}

/// What is asked of the server for one partition.
struct PartitionRequest: Sendable {
  /// One after the other; more than one where a cursor's range is cut into slices.
  var requests: [RangeRequest]
  /// Method and URL as they may be shown.
  var shown: String
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
    var silent = self
    silent.instruments.observer = { _ in }
    silent.network = network.with(silent.instruments)
    return silent
  }
}
