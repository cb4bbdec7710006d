internal import CCurl
internal import ReactorCore
internal import Synchronization

/// The shared machinery of all connections of a process: one thread that drives libcurl, and its idle connections.
///
/// Make one per run and give it to every ``HTTPConnection``. Freeing the last reference shuts it down.
public final class HTTPClient: Sendable {
  private let mailbox: Mailbox?
  let settings = LastTransferSettings()
  private let thread: Mutex<ThreadEnd>

  /// The thread to join. `@unchecked Sendable`: the pointer is only used to join, once, by the caller that takes it out.
  private struct ThreadEnd: @unchecked Sendable {
    var pointer: OpaquePointer?
  }

  /// Loads libcurl and starts the driving thread. Where there is no library, or the system refuses a thread or a pipe,
  /// each request fails with that reason.
  public convenience init() { self.init(loadsInBackground: false) }

  /// As `init()`.
  ///
  /// - Parameter loadsInBackground: whether the driving thread loads libcurl, and requests wait for it. Loading takes
  ///   as long as everything else that a short run does. Only for a process that ends by `_exit`: the end of a library
  ///   must not run beside its beginning.
  public init(loadsInBackground: Bool) {
    if !loadsInBackground { _ = ccurl_load() }
    guard let mailbox = Mailbox() else {
      self.mailbox = nil
      thread = Mutex(ThreadEnd(pointer: nil))
      return
    }
    let context = Unmanaged.passRetained(mailbox)
    let pointer = ccurl_thread_start(
      { context in
        guard let context else { return }
        HTTPClient.drive(Unmanaged<Mailbox>.fromOpaque(context).takeRetainedValue())
      }, context.toOpaque())
    if pointer == nil { context.release() }
    self.mailbox = pointer == nil ? nil : mailbox
    thread = Mutex(ThreadEnd(pointer: pointer))
  }

  /// The driving thread's life.
  private static func drive(_ mailbox: Mailbox) {
    if ccurl_load() == 1, let driver = Driver(mailbox: mailbox) { return driver.run() }
    let reason = startFailure
    for case .start(let transfer) in mailbox.shut(reason) {
      transfer.end(transfer.error(reason))
      transfer.settle()
    }
  }

  deinit { shutdown() }

  /// Ends all transfers with an error of kind `cancelled` and closes all connections, without waiting until it is done.
  ///
  /// Idempotent; later requests fail.
  public func stop() { mailbox?.post(.stop) }

  /// Ends all transfers with an error of kind `cancelled`, closes all connections and waits for the driving thread.
  ///
  /// Idempotent; later requests fail.
  public func shutdown() {
    let end = thread.withLock { end in
      defer { end.pointer = nil }
      return end
    }
    guard let pointer = end.pointer else { return }
    stop()
    ccurl_thread_join(pointer)
  }

  /// Why there is no library, or what stands on it; nil where libcurl is there.
  static var missingLibrary: String? {
    guard ccurl_load() == 0 else { return nil }
    return "libcurl could not be loaded (\(String(cString: ccurl_load_failure()))); install it"
  }

  private static var startFailure: String { missingLibrary ?? "the HTTP client could not be started" }

  /// Starts a request.
  ///
  /// - Parameter position: in a chain, of which it may send the next request once its response is whole
  func start(_ request: TransferRequest, _ position: TransfersAhead.Position? = nil) throws(ReactorError) -> Transfer {
    guard let mailbox else { throw .server("\(request.label): \(Self.startFailure)") }
    let transfer = Transfer(request, mailbox: mailbox, position)
    guard start(transfer) else {
      if let reason = mailbox.failure { throw transfer.error(reason) }
      throw ReactorError(.cancelled, "the HTTP client was shut down")
    }
    return transfer
  }

  /// Starts a transfer that was made before; false after the shutdown.
  @discardableResult
  func start(_ transfer: Transfer) -> Bool { mailbox?.post(.start(transfer)) ?? false }
}
