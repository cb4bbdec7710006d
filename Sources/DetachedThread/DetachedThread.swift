#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A thread of the system that nobody joins, for work that waits in the kernel and must not hold one of Swift's threads.
package enum DetachedThread {
  private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Has work done by a thread: one of those that wait for some, else a new one.
  ///
  /// - Returns: false where the system gives no thread; the work is then not done
  @discardableResult
  package static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
    ThreadReserve.shared.give(work) || startNew(work)
  }

  /// Starts threads that wait for work: for the start of something during which the system lets nobody start a thread, such
  /// as the mapping of a library.
  ///
  /// - Parameter count: how many shall wait, those that do already included
  package static func keepReady(_ count: Int) { ThreadReserve.shared.fill(to: count) }

  /// Starts a thread that does the work and ends.
  static func startNew(_ work: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(Work(work))
    #if canImport(Glibc)
      var thread = pthread_t()
      let result = pthread_create(
        &thread, nil,
        { argument in
          if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
          return nil
        }, box.toOpaque())
      if result == 0 { pthread_detach(thread) }
    #else
      var thread: pthread_t?
      let result = pthread_create(
        &thread, nil,
        { argument in
          Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
          return nil
        }, box.toOpaque())
      if result == 0, let thread { pthread_detach(thread) }
    #endif
    if result != 0 { box.release() }
    return result == 0
  }
}
