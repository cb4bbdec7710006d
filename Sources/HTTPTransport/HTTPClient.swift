internal import CCurl
internal import ReactorCore
internal import Synchronization

/// The thread that drives libcurl for all connections of a process, with the idle connections to servers.
///
/// Create one client per run and give it to every ``HTTPConnection``. Releasing the last reference shuts the client
/// down.
public final class HTTPClient: Sendable {
  private let mailbox: Mailbox?
  let settings = LastTransferSettings()
  /// The driving thread; nil when it did not start or was joined.
  private let thread: Mutex<OpaquePointer?>

  /// Loads libcurl and starts the driving thread.
  ///
  /// When libcurl is missing, or the system refuses a thread or a pipe, each request fails with that reason.
  public convenience init() { self.init(loadsInBackground: false) }

  /// Does the same as `init()`, but can leave the loading of libcurl to the driving thread.
  ///
  /// - Parameter loadsInBackground: whether the driving thread loads libcurl while requests wait. Loading takes about
  ///   as long as all other work of a short run. Use it only in a process that ends with `_exit`: the termination code
  ///   of a library must not run while the library is still loading.
  public init(loadsInBackground: Bool) {
    if !loadsInBackground { _ = ccurl_load() }
    guard let mailbox = Mailbox() else {
      self.mailbox = nil
      thread = Mutex(nil)
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
    thread = Mutex(pointer)
  }

  /// Runs a driver until the client stops; the driving thread executes this function.
  private static func drive(_ mailbox: Mailbox) {
    if ccurl_load() == 1, let driver = Driver(mailbox: mailbox) { return driver.run() }
    let reason = startFailure
    for case .start(let transfer) in mailbox.shut(reason) {
      transfer.end(transfer.error(reason))
      transfer.settle()
    }
  }

  deinit { shutdown() }

  /// Ends all transfers with an error of kind `cancelled` and closes all connections, without waiting.
  ///
  /// Idempotent; later requests fail.
  public func stop() { mailbox?.post(.stop) }

  /// Ends all transfers with an error of kind `cancelled`, closes all connections and waits for the driving thread.
  ///
  /// Idempotent; later requests fail.
  public func shutdown() {
    stop()
    // Another caller waits for the lock, and thus for the end of the thread too.
    thread.withLock { pointer in
      if let pointer { ccurl_thread_join(pointer) }
      pointer = nil
    }
  }

  /// Why libcurl, or a library it uses, could not be loaded. Nil when libcurl is loaded.
  static var missingLibrary: String? {
    guard ccurl_load() == 0 else { return nil }
    return "libcurl could not be loaded (\(String(cString: ccurl_load_failure()))); install it"
  }

  private static var startFailure: String { missingLibrary ?? "the HTTP client could not be started" }

  /// Starts a request.
  ///
  /// - Parameter position: the request's position in a chain; the next request of the chain may be sent as soon as this
  ///   request's response is complete
  func start(_ request: TransferRequest, _ position: TransfersAhead.Position? = nil) throws(ReactorError) -> Transfer {
    guard let mailbox else { throw .server("\(request.label): \(Self.startFailure)") }
    let transfer = Transfer(request, mailbox: mailbox, position)
    guard start(transfer) else {
      if let reason = mailbox.failure { throw transfer.error(reason) }
      throw ReactorError(.cancelled, "the HTTP client was shut down")
    }
    return transfer
  }

  /// Starts a transfer that was created before; returns false after the shutdown.
  @discardableResult
  func start(_ transfer: Transfer) -> Bool { mailbox?.post(.start(transfer)) ?? false }
}
