#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A detached system thread, for work that blocks in the kernel.
///
/// Such work must not block one of the threads of Swift's pool.
package enum DetachedThread {
  private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread that does the work and then ends.
  ///
  /// - Returns: false when the system cannot start a thread; the work is then not done
  @discardableResult
  package static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
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
