internal import CProcessor
internal import DetachedThread
internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Runs tasks on threads that may wait for a disk, unlike Swift's own, of which there are only as many as processors.
///
/// A batch of flows prefers it (`withTaskExecutorPreference`), so that looking at a persisted result, or writing a piece
/// of a new one, is a plain call in the flow's own task instead of two changes of thread. As many threads as there are
/// processors work; two more help when these seem to wait. Of the idle ones the last to have worked is woken, whose
/// processor still knows the flow's memory, but none that waits where its waker runs: systems often wake a thread where it
/// was (in a virtual machine even if another processor is free), and it would begin when its waker stops. What waits
/// long, such as an fsync, belongs on other threads.
///
/// A job that is put in by one of its own threads is mostly that thread's next one: a task that ends lets the task go on
/// which waits for it, and one that changes to an actor is put in anew. So no other thread is woken for it alone.
/// Whoever puts a job in and then works on, or waits for a disk, says so by `willBeBusy()`.
public final class PatientExecutor: TaskExecutor {
  /// The one of this process. Its threads are started when they are needed and end when they are idle.
  public static let shared = PatientExecutor(processors: max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))

  /// Whether the calling thread is one that may wait.
  public static var isCurrent: Bool { current != nil }

  /// Whose thread the calling one is. The pointer is only compared or used on that thread, which keeps its executor.
  private static var current: PatientExecutor? {
    pthread_getspecific(mark).map { Unmanaged<PatientExecutor>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Nanoseconds without a job being taken, or a thread being woken, after which the working threads are held to be waiting.
  private static let standstill: UInt64 = 2_000_000

  private static let mark: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  private struct State {
    // Jobs come off the end of `ready`; `arrived` is turned over into it when it is empty.
    var ready: [UnownedJob] = []
    var arrived: [UnownedJob] = []
    var threads = 0
    /// Threads that wait for a signal, the last to have worked at the end; without those that have one coming.
    var idle: [Place] = []
    /// When a job was taken or a thread was woken for one last, on Dispatch's clock.
    var lastMoved: UInt64 = 0
    /// Whether the first of the waiting jobs was left to the thread that put it in.
    var isLeft = false

    /// Takes out the thread that is to be woken from a processor; nil when none waits.
    mutating func wakeable(from processor: Int32) -> Place? {
      let place = idle.lastIndex { $0.processor.load(ordering: .relaxed) != processor } ?? idle.indices.last
      return place.map { idle.remove(at: $0) }
    }

    mutating func next() -> UnownedJob? {
      isLeft = false
      if ready.isEmpty {
        swap(&ready, &arrived)
        ready.reverse()
      }
      return ready.popLast()
    }
  }

  private enum Need {
    case nothing, thread
    case signal(Place)
  }

  /// Where one thread waits.
  private final class Place: Sendable {
    let wake = DispatchSemaphore(value: 0)
    /// The processor on which the thread was when it began to wait.
    let processor = Atomic<Int32>(-1)
  }

  private let processors: Int
  /// After what time an idle thread ends.
  private let patience: DispatchTimeInterval
  private let currentProcessor: @Sendable () -> Int32
  private let state = Mutex(State())

  /// - Parameter currentProcessor: tells where the calling thread runs, or always the same
  init(
    processors: Int, patience: DispatchTimeInterval = .seconds(5),
    currentProcessor: @escaping @Sendable () -> Int32 = { reactor_current_processor() }
  ) {
    self.processors = processors
    self.patience = patience
    self.currentProcessor = currentProcessor
  }

  /// Puts a job behind those that wait.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isOwn = Self.current === self
    meet(
      state.withLock { state in
        state.arrived.append(job)
        state.isLeft = isOwn && state.ready.isEmpty && state.arrived.count == 1
        return state.isLeft ? .nothing : need(of: &state)
      })
  }

  /// Says that the calling thread will not be back for its next job soon; another one takes it then.
  ///
  /// To be called before a thread of an executor waits for a disk, or works for long without a suspension. On any other
  /// thread, and when there is no such job, nothing happens.
  public static func willBeBusy() {
    guard let executor = current else { return }
    executor.meet(
      executor.state.withLock { state in
        guard state.isLeft else { return .nothing }
        state.isLeft = false
        return executor.need(of: &state)
      })
  }

  /// Has as many of the system's threads ready as will work, before there is work for them: for the start of something
  /// during which the system lets nobody start a thread, such as the mapping of a library.
  public func keepThreadsReady() { DetachedThread.keepReady(processors) }

  /// Threads that wait for a job.
  var idleThreads: Int { state.withLock { $0.idle.count } }
  /// All threads that there are.
  var threads: Int { state.withLock { $0.threads } }

  /// What a waiting job needs besides those who work.
  private func need(of state: inout State) -> Need {
    let working = state.threads - state.idle.count
    let now = DispatchTime.now().uptimeNanoseconds
    // Whoever works takes the job soon: waking another one for it would cost more than most jobs.
    if working >= processors {
      guard now &- state.lastMoved > Self.standstill, working < processors + 2 else { return .nothing }
    }
    // On its way to a job, which it has not taken yet.
    state.lastMoved = now
    if let place = state.wakeable(from: currentProcessor()) { return .signal(place) }
    state.threads += 1
    return .thread
  }

  private func meet(_ need: Need) {
    switch need {
    case .nothing: break
    case .signal(let place): place.wake.signal()
    case .thread: startThread()
    }
  }

  // MARK: - Threads

  private func startThread() {
    if DetachedThread.start({ [self] in work() }) { return }
    // The system gives no thread. Where there is another one, the job waits for it; else it is done here and now, late
    // rather than never.
    let isAlone = state.withLock { state in
      state.threads -= 1
      return state.threads == 0
    }
    while isAlone, let job = state.withLock({ $0.next() }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// A thread's life.
  private func work() {
    pthread_setspecific(Self.mark, Unmanaged.passUnretained(self).toOpaque())
    let executor = asUnownedTaskExecutor()
    let place = Place()
    while true {
      let job: UnownedJob? = state.withLock { state in
        let job = state.next()
        if job == nil {
          place.processor.store(currentProcessor(), ordering: .relaxed)
          state.idle.append(place)
        } else {
          state.lastMoved = DispatchTime.now().uptimeNanoseconds
        }
        return job
      }
      if let job {
        job.runSynchronously(on: executor)
      } else if !waitForWork(place) {
        // The thread may go on to other work.
        pthread_setspecific(Self.mark, nil)
        return
      }
    }
  }

  /// Waits for a signal; false when none came for so long that the thread is to end.
  private func waitForWork(_ place: Place) -> Bool {
    if place.wake.wait(timeout: .now() + patience) == .success { return true }
    let isOver = state.withLock { state in
      // Not among the idle: it has a signal coming.
      guard let index = state.idle.firstIndex(where: { $0 === place }) else { return false }
      state.idle.remove(at: index)
      state.threads -= 1
      return true
    }
    if !isOver { place.wake.wait() }
    return !isOver
  }
}
