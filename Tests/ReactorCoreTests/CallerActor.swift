import Dispatch
import ReactorCore
import Storage

/// A caller with an executor of its own, which can tell whether code runs on it: the main thread in small.
actor CallerActor {
  private final class Executor: SerialExecutor {
    let queue = DispatchQueue(label: "caller")

    init() { queue.setSpecific(key: CallerActor.key, value: true) }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  private static let key = DispatchSpecificKey<Bool>()
  private let executor = Executor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Whether the current code runs on a caller's executor.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }

  /// Whether the caller's own code does: the check of the check.
  var runsOnItself: Bool { CallerActor.isCurrent }

  func fetch<Model: Sendable>(
    _ resource: Resource, with reactor: Reactor<Model>
  ) async throws(ReactorError) -> Fetched<Model> {
    try await reactor.fetch(resource)
  }

  /// Saves a model, loads it and asks whether it has expired.
  func use<Model: Sendable>(_ disk: InDiskPersistence<Model>, _ model: Model, for resource: Resource) async throws {
    _ = try await disk.save(model, for: resource)
    _ = try await disk.load(for: resource)
    _ = await disk.hasExpired(for: resource)
  }

  func response(for resource: Resource, from network: Network) async throws(ReactorError) -> Response {
    try await network.response(for: resource)
  }
}
