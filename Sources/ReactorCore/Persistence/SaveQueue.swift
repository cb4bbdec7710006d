/// Runs the saves that flows do not wait for, until its owner drains it.
///
/// Invariant: every added save is either running in a task that this actor holds, or has ended. The error of a save
/// that has ended is in `failures`. The task of a save belongs to the queue, not to the fetch that added the save. It
/// therefore continues after the fetch has ended and is not cancelled with the fetch. The task also keeps the queue
/// alive. The owner of the queue must call `drain` before the process ends. The saves of one resource run one after
/// another, in the order in which they were added. Other saves run concurrently.
public actor SaveQueue {
  /// A deferred save that failed.
  public struct Failure: Sendable, Hashable, CustomStringConvertible {
    /// The flow's name.
    public let name: String
    /// The resource to which the save belongs.
    public let resource: Resource
    /// The error of the save.
    public let error: ReactorError

    /// Builds a failure.
    public init(name: String, resource: Resource, error: ReactorError) {
      self.name = name
      self.resource = resource
      self.error = error
    }

    /// `name: message`
    public var description: String { name.isEmpty ? error.description : "\(name): \(error)" }
  }

  private var running: [Int: Task<Void, Never>] = [:]
  private var last: [String: Int] = [:]
  private var failures: [Int: Failure] = [:]
  private var next = 0

  /// Creates a queue without saves.
  public init() {}

  /// The number of saves that have not ended.
  public var pending: Int { running.count }

  /// Starts a save and returns at once.
  ///
  /// - Parameter name: the flow's name, for the report of a failure.
  /// - Parameter resource: the resource to which the save belongs.
  public func add(
    _ name: String, for resource: Resource, save: @escaping @Sendable () async throws(ReactorError) -> Void
  ) {
    let number = next
    next += 1
    let key = resource.fingerprint(scope: name)
    let previous = last[key].flatMap { running[$0] }
    last[key] = number
    running[number] = Task {
      await previous?.value
      do throws(ReactorError) {
        try ReactorError.checkCancellation()
        try await save()
      } catch {
        failures[number] = Failure(name: name, resource: resource, error: error)
      }
      running[number] = nil
      if last[key] == number { last[key] = nil }
    }
  }

  /// Waits until all saves have ended, including saves that are added in the meantime.
  ///
  /// Returns each failure once, in the order in which the saves were added.
  public func drain() async -> [Failure] {
    while let task = running.values.first { await task.value }
    defer { failures = [:] }
    return failures.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Cancels the saves that have not ended.
  ///
  /// Each such save fails with `.cancelled`, unless it ends first.
  public func cancelAll() {
    for task in running.values { task.cancel() }
  }
}
