import BatchRunner
import ReactorCore
import Synchronization

/// Flows without a server, for tests of the runner.
enum FakeFlow {
  static func passing(_ id: String, host: String = "http://a:80", records: Int = 1) -> RunnableFlow {
    RunnableFlow(id: id, host: host, timeout: .seconds(30)) { _, _ in
      FetchSummary(source: .persistence, records: records)
    }
  }

  static func throwing(_ id: String, _ error: ReactorError, host: String = "http://a:80") -> RunnableFlow {
    RunnableFlow(id: id, host: host, timeout: .seconds(30)) { _, _ throws(ReactorError) in throw error }
  }

  /// Runs until it is cancelled.
  static func endless(_ id: String, host: String = "http://a:80", started: Gate = Gate()) -> RunnableFlow {
    RunnableFlow(id: id, host: host, timeout: .seconds(30)) { _, _ throws(ReactorError) in
      started.open()
      await Gate().wait()
      throw .cancelled
    }
  }
}

/// Lets tasks wait until it is opened, or until they are cancelled.
final class Gate: Sendable {
  private struct Content {
    var isOpen = false
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var next = 0
    var cancelled: Set<Int> = []
  }

  private let content = Mutex(Content())

  func open() {
    let waiting = content.withLock { content in
      content.isOpen = true
      defer { content.waiting = [:] }
      return Array(content.waiting.values)
    }
    for continuation in waiting { continuation.resume() }
  }

  func wait() async {
    let number = content.withLock { content in
      content.next += 1
      return content.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let goesOn = content.withLock { content in
          if content.isOpen || content.cancelled.contains(number) { return true }
          content.waiting[number] = continuation
          return false
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      let continuation = content.withLock { content in
        content.cancelled.insert(number)
        return content.waiting.removeValue(forKey: number)
      }
      continuation?.resume()
    }
  }
}
