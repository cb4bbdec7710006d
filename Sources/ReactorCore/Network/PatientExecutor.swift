internal import DetachedThread
internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Runs tasks on threads that may block, for example on a disk access.
///
/// Swift's default pool has one thread for each processor, and these threads must not block.
///
/// On this executor, a flow's task can make a short file call directly. Threads are started when they are needed, up to
/// a fixed maximum. Long waits, such as an fsync, belong on other threads.
public final class PatientExecutor: TaskExecutor {
  /// The executor of this process: at most one thread for each processor, and two more because some threads wait.
  public static let shared = PatientExecutor(threads: max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) + 2)

  /// Whether the calling thread belongs to such an executor and may block.
  public static var isCurrent: Bool { pthread_getspecific(mark) != nil }

  private static let mark: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  private struct State {
    /// The waiting jobs. The next job is last in `ready`. When `ready` is empty, `arrived` is reversed into it.
    var ready: [UnownedJob] = []
    var arrived: [UnownedJob] = []
    var threads = 0
    /// The number of threads that run a job.
    var busy = 0

    mutating func next() -> UnownedJob? {
      if ready.isEmpty {
        swap(&ready, &arrived)
        ready.reverse()
      }
      return ready.popLast()
    }
  }

  private let maximum: Int
  private let state = Mutex(State())
  /// Counts the waiting jobs.
  private let waiting = DispatchSemaphore(value: 0)

  /// - Parameter threads: the maximum number of threads, at least 1
  init(threads: Int) { maximum = threads }

  /// Adds a job to the end of the queue.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsThread = state.withLock { state in
      state.arrived.append(job)
      let idle = state.threads - state.busy
      guard state.ready.count + state.arrived.count > idle, state.threads < maximum else { return false }
      state.threads += 1
      return true
    }
    waiting.signal()
    if needsThread, !DetachedThread.start({ [self] in work() }) { startFailed() }
  }

  /// Handles a thread that could not be started: the job waits for another thread; without one, it runs on the calling
  /// thread.
  private func startFailed() {
    let isAlone = state.withLock { state in
      state.threads -= 1
      return state.threads == 0
    }
    while isAlone, let job = state.withLock({ $0.next() }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Runs the loop of a thread, which ends with the process.
  private func work() {
    pthread_setspecific(Self.mark, Unmanaged.passUnretained(self).toOpaque())
    while true {
      waiting.wait()
      let job = state.withLock { state in
        let job = state.next()
        if job != nil { state.busy += 1 }
        return job
      }
      guard let job else { continue }
      job.runSynchronously(on: asUnownedTaskExecutor())
      state.withLock { $0.busy -= 1 }
    }
  }
}
