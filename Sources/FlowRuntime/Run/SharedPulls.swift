internal import ReactorCore
internal import Records
internal import Synchronization

/// The pulls of a flow that are in progress. Simultaneous fetches of one resource share a pull.
final class SharedPulls: Sendable {
  /// Identifies the result of a pull.
  struct Key: Hashable {
    /// The identity of the resource's result.
    let resource: UInt64
    /// Whether the records are held in memory, because the caller persists them itself.
    let isHeld: Bool
  }

  private final class Entry: Sendable {
    let work = SharedWork<Fetched<RecordSet>>()
    private let observers = Mutex<[FlowObserver]>([])

    func add(_ observer: @escaping FlowObserver) { observers.withLock { $0.append(observer) } }

    func report(_ event: FlowEvent) {
      for observer in observers.withLock({ $0 }) { observer(event) }
    }
  }

  private let entries = Mutex<[Key: Entry]>([:])

  /// Returns the outcome of the pull in progress; starts one when there is none.
  ///
  /// - Parameters:
  ///   - observer: called with the events of the pull from now on
  ///   - pull: the pull to start; reports its events to the observer that is passed to it
  func fetch(
    _ key: Key, observer: @escaping FlowObserver,
    by pull: @escaping @Sendable (@escaping FlowObserver) async throws(ReactorError) -> Fetched<RecordSet>
  ) async throws(ReactorError) -> Fetched<RecordSet> {
    let entry = entries.withLock { entries in
      let entry = entries[key] ?? Entry()
      entries[key] = entry
      entry.add(observer)
      return entry
    }
    return try await entry.work.value { [self] in
      let result: Result<Fetched<RecordSet>, ReactorError>
      do throws(ReactorError) {
        result = .success(try await pull { entry.report($0) })
      } catch {
        result = .failure(error)
      }
      // A later fetch starts another pull.
      entries.withLock { entries in
        if entries[key] === entry { entries[key] = nil }
      }
      return result
    }
  }
}
