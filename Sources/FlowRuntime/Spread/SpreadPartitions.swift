internal import ReactorCore

/// The partitions of a flow, of which other processes request some.
///
/// The first partitions are requested here, one by one, so a flow with few parents asks nobody. Further ones are offered
/// in ranges. In the order of the ranges, this process requests each range that no other process has, and uses the
/// responses of the others. While it waits for one, it requests a later one.
actor SpreadPartitions: PartitionProvider {
  /// How many partitions are requested here before the first range.
  static let alone = 100
  /// How many ranges are offered at most and not used.
  private static let ahead = 32
  /// The maximum size of the responses that are gathered here before their turn, in bytes.
  private static let heldBytes = 64 << 20
  private static let longestPause = Duration.milliseconds(100)

  private let source: any PartitionProvider
  private let exchange: any RangeExchange
  private let scope: String
  private let delay: Delay
  private let range: @Sendable (Int, [Partition]) async -> PartitionRange
  private let gather: @Sendable (PartitionRange) async -> GatheredResponses

  private var given = 0
  /// The partitions of the current range that were not returned.
  private var current: ArraySlice<Partition> = []
  /// The ranges that were offered and whose turn has not come.
  private var offered: ArraySlice<PartitionRange> = []
  private var reading: Task<Void, Never>?
  /// How the source has ended; nil before its end.
  private var sourceEnd: Result<Void, ReactorError>?
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var hasOffered = false
  /// Whether other processes are no help.
  private var isAlone = false
  /// Whether no further partition is wanted.
  private var isStopped = false
  /// The range that this process requests before its turn.
  private var early: (number: Int, task: Task<Void, Never>)?
  /// The responses of ranges that this process has requested before their turn.
  private var gathered: [Int: GatheredResponses] = [:]
  /// The responses of other processes of which it is not known yet whether they are of use.
  private var untried: [GatheredResponses] = []

  /// Spreads the partitions of a source.
  ///
  /// - Parameters:
  ///   - scope: what responses depend on besides their requests
  ///   - range: makes a range from its number and partitions
  ///   - gather: requests a range
  init(
    _ source: any PartitionProvider, over exchange: any RangeExchange, scope: String, delay: Delay,
    range: @escaping @Sendable (Int, [Partition]) async -> PartitionRange,
    gather: @escaping @Sendable (PartitionRange) async -> GatheredResponses
  ) {
    self.source = source
    self.exchange = exchange
    self.scope = scope
    self.delay = delay
    self.range = range
    self.gather = gather
  }

  func next() async throws(ReactorError) -> Partition? {
    if given < Self.alone {
      guard let partition = try await source.next() else { return nil }
      given += 1
      return partition
    }
    if let partition = current.popFirst() { return partition }
    guard let range = try await nextRange() else { return nil }
    let responses = await responses(to: range)
    current = range.partitions[...]
    if let responses { for index in current.indices { current[index].gathered = responses } }
    return current.popFirst()
  }

  func ending() async -> PartitionEnding { await source.ending() }

  func close() async {
    guard reading != nil else { return await source.close() }
    stop()
    await reading?.value
    await early?.task.value
    if hasOffered { await exchange.end() }
    await source.close()
  }

  private func stop() {
    isStopped = true
    reading?.cancel()
    early?.task.cancel()
    wake()
  }

  // MARK: - Offering

  private func nextRange() async throws(ReactorError) -> PartitionRange? {
    if reading == nil { reading = Task { await self.read() } }
    while offered.isEmpty, sourceEnd == nil, !isStopped {
      await withTaskCancellationHandler {
        await wait()
      } onCancel: {
        Task { await self.stop() }
      }
    }
    try ReactorError.checkCancellation()
    guard let range = offered.popFirst() else {
      try sourceEnd?.get()
      return nil
    }
    wake()
    return range
  }

  /// Reads partitions and offers them in ranges, until the end of the source.
  private func read() async {
    var number = 0
    var partitions: [Partition] = []
    do throws(ReactorError) {
      while !isStopped {
        let partition = try await source.next()
        if let partition { partitions.append(partition) }
        if partitions.count == PartitionRange.size || (partition == nil && !partitions.isEmpty) {
          let range = await range(number, partitions)
          if !isAlone {
            hasOffered = true
            await exchange.offer(number, range.json)
          }
          offered.append(range)
          wake()
          (number, partitions) = (number + 1, [])
        }
        guard partition != nil else { break }
        while offered.count >= Self.ahead, !isStopped { await wait() }
      }
      sourceEnd = .success(())
    } catch {
      sourceEnd = .failure(error)
    }
    wake()
  }

  private func wait() async { await withCheckedContinuation { waiters.append($0) } }

  private func wake() {
    let woken = waiters
    waiters = []
    for waiter in woken { waiter.resume() }
  }

  // MARK: - Responses

  /// The responses to a range; nil if it is requested here, now.
  private func responses(to range: PartitionRange) async -> GatheredResponses? {
    await judge()
    var pause = Duration.milliseconds(5)
    while !Task.isCancelled {
      if let early, early.number == range.number { await early.task.value }
      if let responses = gathered.removeValue(forKey: range.number) { return responses }
      if isAlone { return nil }
      switch await exchange.claim(range.number) {
      case .own: return nil
      case .responses(let bytes):
        let responses = GatheredResponses(bytes, scope: scope) ?? GatheredResponses(scope: scope)
        untried.append(responses)
        return responses
      case .elsewhere:
        if await requestsEarly(after: range.number) { continue }
        do { try await delay.wait(pause) } catch { return nil }
        pause = min(pause * 2, Self.longestPause)
      }
    }
    return nil
  }

  /// Asks no other process any more if what they pass on is of no use: they would request it in vain.
  private func judge() async {
    guard !isAlone else { return }
    if untried.contains(where: \.isUseless) {
      isAlone = true
      await exchange.end()
    }
    untried.removeAll { $0.isUsed }
  }

  /// Begins to request a later range, unless one is being requested; whether it has begun.
  private func requestsEarly(after number: Int) async -> Bool {
    guard early == nil, gathered.values.reduce(0, { $0 + $1.size }) < Self.heldBytes,
      let free = await exchange.claimFree(from: number + 1), let range = offered.first(where: { $0.number == free })
    else { return false }
    early = (
      free,
      Task {
        let responses = await gather(range)
        gathered[free] = responses
        early = nil
      }
    )
    return true
  }
}
