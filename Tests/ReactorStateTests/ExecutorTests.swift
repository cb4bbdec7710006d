import Dispatch
import ReactorState
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct ExecutorTests {
  /// Runs jobs on a queue of its own.
  final class QueueExecutor: TaskExecutor {
    private static let key = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "executor")

    init() { queue.setSpecific(key: Self.key, value: true) }

    /// Whether the calling code runs on the queue.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  @Test func `actions, effects, mutations and state changes run on the store's executor`() async {
    let steps = Mutex<[String: Set<Bool>]>([:])
    let note: @Sendable (String) -> Void = { step in
      steps.withLock { _ = $0[step, default: []].insert(QueueExecutor.isCurrent) }
    }
    let hasStarted = Mutex(false)
    let source = AsyncStream<String> { continuation in
      for word in ["x", "y"] { continuation.yield(word) }
      continuation.finish()
    }
    let store = ReactorStore(
      Machine(
        sources: [source],
        changeAction: { action in
          note("transform action")
          return action
        },
        changeMutation: { mutation in
          note("transform mutation")
          return mutation
        },
        changeState: { state in
          // The initial state is transformed by the caller.
          if hasStarted.withLock({ $0 }) { note("transform state") }
          return state
        },
        errorMutation: { _, _ in
          note("error")
          return "error"
        },
        apply: { state, mutation in
          note("reduce \(mutation)")
          state.append(mutation)
        }
      ) { action, _ in
        note("mutate \(action)")
        return .merge(
          .commit("committed"),
          .run { emit in
            note("effect")
            await emit("awaited")
            emit.send("sent")
            throw Failure()
          })
      }, executor: QueueExecutor())
    hasStarted.withLock { $0 = true }
    _ = await store.states.first { $0.count == 2 }
    store.send("1")
    _ = await store.state
    await store.dispatch("2")
    await store.idle()
    await store.finish()
    let seen = steps.withLock { $0 }
    #expect(
      Set(seen.keys) == [
        "transform action", "transform mutation", "transform state", "error", "effect", "mutate 1", "mutate 2",
        "reduce x", "reduce y", "reduce committed", "reduce awaited", "reduce sent", "reduce error",
      ])
    #expect(seen.filter { $0.value != [true] }.isEmpty)
  }
}
