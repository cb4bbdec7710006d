/// Waits: before a retry, for a rate limit, or between the polls of a job.
///
/// In a replay, waits take no time.
public struct Delay: Sendable {
  /// Returns after the duration; throws `.cancelled` when the task is cancelled first.
  public let wait: @Sendable (Duration) async throws(ReactorError) -> Void

  /// Creates a delay from a function that waits.
  public init(_ wait: @escaping @Sendable (Duration) async throws(ReactorError) -> Void) { self.wait = wait }

  /// A delay in real time, by the system's continuous clock.
  public static let real = Delay { (duration) async throws(ReactorError) in
    guard duration > .zero else { return }
    do {
      try await Task.sleep(for: duration, clock: .continuous)
    } catch {
      throw .cancelled
    }
  }
}
