internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import RunViews
internal import Storage

/// Tells the receivers of `notify` what is new about their flows when a run has ended.
///
/// Nothing here changes the exit code: what a receiver could not be told is a warning, and it is told after the next run.
struct Notifying: RunObserver {
  /// The number of notices for one receiver and run.
  private static let most = 100
  /// The number of receivers that are told at once.
  private static let width = 8

  private let receivers: [NoticeReceiver]
  private let sender: NoticeSender
  private let store: any StateStore
  /// The output root with the history; nil if the shared state has it.
  private let root: String?

  /// Finds the receivers of a run's files; nil without any.
  ///
  /// Values that are missing are warned of now, and not only when there is something to tell.
  init?(_ flows: FlowsToRun, _ inputs: Invocation.Inputs, _ console: Console) {
    sender = NoticeSender(order: flows.order, inputs: inputs)
    receivers = sender.receivers(in: flows.selected.loaded, console).usable
    guard !receivers.isEmpty else { return nil }
    store = flows.order.state ?? LocalStateStore(path: flows.order.root)
    root = flows.order.state == nil ? flows.order.root : nil
  }

  func observe(_ run: EndedRun, _ console: Console) async -> Set<ExitCode> {
    let health = run.after
    let end = RunEnd(
      run: run, health: health, firsts: Set(health.filter { $0.isFirstSuccess(in: run.id) }.map(\.flow)))
    await withTaskGroup(of: Void.self) { group in
      for (index, receiver) in receivers.enumerated() {
        if index >= Self.width { await group.next() }
        group.addTask { await tell(receiver, end, console) }
      }
    }
    return []
  }

  /// The end of a run, as this process sees it.
  private struct RunEnd {
    let run: EndedRun
    let health: [FlowHealth]
    /// The flows that have passed for the first time in this run.
    let firsts: Set<String>
  }

  /// Tells one receiver what is new.
  private func tell(_ receiver: NoticeReceiver, _ end: RunEnd, _ console: Console) async {
    let document = StateDocument(.notices, receiver.id)
    do throws(ReactorError) {
      // Two runs that end at the same time must not both tell it.
      let lock = try await store.lock(
        document, otherwise: "another process is telling receiver '\(receiver.name)' for a minute")
      do throws(ReactorError) {
        let before = try await told(document)
        let after = await deliver(before, to: receiver, end, console)
        if after != before { try await lock.write(after.bytes(version: StateVersion.notices.number)) }
      } catch {
        await lock.release()
        throw error
      }
      await lock.release()
    } catch {
      console.warn(
        "receiver '\(receiver.name)' may be told again, or not at all: \(error.message)",
        help: error.help ?? "give the user of this process the right to write files below '\(sender.order.root)'")
    }
  }

  /// What a receiver was told.
  private func told(_ document: StateDocument) async throws(ReactorError) -> NotifiedStates {
    guard let bytes = try await store.read(document), let json = try? JSONValue(parsing: bytes) else {
      return NotifiedStates()
    }
    try StateVersion.notices.check(json["version"]?.int64, at: store.location(of: document))
    return NotifiedStates(json)
  }

  /// Delivers what is new, and returns what the receiver then knows.
  private func deliver(
    _ before: NotifiedStates, to receiver: NoticeReceiver, _ end: RunEnd, _ console: Console
  ) async -> NotifiedStates {
    let run = end.run
    var told = before
    var news = told.news(of: end.health, receiver.flows, firsts: end.firsts, at: run.ended)
    // Another run may have ended and told its end since this one has read the history. With the lock of the receiver
    // nobody else tells it anything, so what the history says now is the newest.
    if let root, !news.isEmpty || told != before {
      told = before
      let health = FlowHealth.all(in: RunHistory.entries(root: root))
      news = told.news(of: health, receiver.flows, firsts: end.firsts, at: run.ended)
    }
    guard !news.isEmpty else { return told }
    let parts = receiver.declaration.isPerFlow ? news.prefix(Self.most).map { [$0] } : [news]
    do throws(NoticeDelivery.Failure) {
      let delivery = try sender.delivery(to: receiver, console)
      for part in parts {
        let lines = part.flatMap(\.lines)
        guard let notice = Notice(lines, run: run.id, host: NoticeSender.host, time: run.ended) else { continue }
        try await delivery.deliver(notice)
        for news in part { told.take(news) }
      }
    } catch {
      console.warn(
        "receiver '\(receiver.name)' (\(receiver.target)) could not be told: \(error.message)",
        help: "the run and its results are not affected, and the receiver is told after the next run")
    }
    return told
  }
}
