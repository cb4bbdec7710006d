/// How time is waited for: the one place where retries and rate limits sleep.
public struct Pause: Sendable {
  /// Returns after the time; throws at once when the task is cancelled.
  public let wait: @Sendable (Duration) async throws -> Void

  /// A way to wait.
  public init(_ wait: @escaping @Sendable (Duration) async throws -> Void) { self.wait = wait }

  /// Waits by the system's continuous clock.
  public static var continuous: Pause { Pause { try await Task.sleep(for: $0, clock: .continuous) } }
}
