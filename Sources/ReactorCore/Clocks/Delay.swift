/// Waits: before retries, for a rate limit, between polls of a job.
///
/// The waits of a replay take no time.
public struct Delay: Sendable {
  /// Returns when the time has passed; throws `.cancelled` when the task is cancelled first.
  public let wait: @Sendable (Duration) async throws(ReactorError) -> Void

  /// A delay by any means.
  public init(_ wait: @escaping @Sendable (Duration) async throws(ReactorError) -> Void) { self.wait = wait }

  /// Real time, by the system's continuous clock.
  public static let real = Delay { (duration) async throws(ReactorError) in
    guard duration > .zero else { return }
    do {
      try await Task.sleep(for: duration, clock: .continuous)
    } catch {
      throw .cancelled
    }
  }
}
