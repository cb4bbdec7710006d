public import ReactorCore

internal import Synchronization

/// A reachability that answers as told and counts the questions.
public final class StubReachability: Reachability {
  private let answer: Bool
  private let questions = Mutex(0)

  /// How often it was asked.
  public var checks: Int { questions.withLock { $0 } }

  /// Answers always alike.
  public init(_ isReachable: Bool) { answer = isReachable }

  /// Counts the question and answers.
  public func isReachable(_ resource: Resource) async -> Bool {
    questions.withLock { $0 += 1 }
    return answer
  }
}
