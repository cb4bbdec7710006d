/// Runs the saves that flows do not wait for, until its owner drains it.
///
/// Invariant: every save that was added is either running in a task this actor holds, or has ended with its failure, if
/// any, in `failures`. A save's task belongs to the queue and not to the fetch that added it, so that it outlives that
/// fetch and is not cancelled with it; the task keeps the queue alive. The queue's owner must call `drain` before the
/// process ends. Saves of one resource run one after another in the order added; others run side by side.
public actor SaveQueue {
  /// A deferred save that failed.
  public struct Failure: Sendable, Hashable, CustomStringConvertible {
    /// The flow's name.
    public let name: String
    /// What the save belongs to.
    public let resource: Resource
    /// Why it failed.
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

  /// A queue without saves.
  public init() {}

  /// Saves that have not ended.
  public var pending: Int { running.count }

  /// Takes a save and returns at once.
  ///
  /// - Parameter name: the flow's name, for the report of a failure.
  /// - Parameter resource: what the save belongs to.
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

  /// Waits until every save has ended, those added meanwhile included; gives the failures in the order of adding, once.
  public func drain() async -> [Failure] {
    while let task = running.values.first { await task.value }
    defer { failures = [:] }
    return failures.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Cancels the saves that have not ended; each becomes a failure of the kind `.cancelled`, unless it ends first.
  public func cancelAll() {
    for task in running.values { task.cancel() }
  }
}
