internal import CCurl
internal import DetachedThread
internal import ReactorCore
internal import Synchronization

/// The shared machinery of all connections of a process: one thread that drives libcurl, and its kept connections.
///
/// Make one per run and give it to every ``HTTPConnection``. Freeing the last reference shuts it down.
public final class HTTPClient: Sendable {
  private let mailbox: Mailbox?
  let bases = LastRequestBase()
  let settings = LastTransferSettings()
  private let thread: Mutex<ThreadEnd>

  /// The thread to join. `@unchecked Sendable`: the pointer is only used to join, once, by whoever takes it out.
  private struct ThreadEnd: @unchecked Sendable {
    var pointer: OpaquePointer?
  }

  /// Has libcurl loaded and set up by a thread of its own, before a client is made: that takes about as long as
  /// everything else that a short run does. Only for a process that ends without its libraries' own ends (`_exit`), which
  /// may come while they are still being set up.
  ///
  /// - Parameter willSetUp: called when it is mapped and not yet set up
  public static func prepare(willSetUp: @escaping @Sendable () -> Void = {}) {
    DetachedThread.start {
      ccurl_map()
      willSetUp()
      _ = ccurl_load()
    }
  }

  /// Loads libcurl and starts the driving thread. Where there is no library, or the system refuses a thread or a pipe,
  /// each request fails with that reason.
  public init() {
    guard ccurl_load() == 1, let mailbox = Mailbox(), let driver = Driver(mailbox: mailbox) else {
      self.mailbox = nil
      thread = Mutex(ThreadEnd(pointer: nil))
      return
    }
    let context = Unmanaged.passRetained(driver)
    let pointer = ccurl_thread_start(
      { context in
        guard let context else { return }
        Unmanaged<Driver>.fromOpaque(context).takeRetainedValue().run()
      }, context.toOpaque())
    if pointer == nil { context.release() }
    self.mailbox = pointer == nil ? nil : mailbox
    thread = Mutex(ThreadEnd(pointer: pointer))
  }

  deinit { shutdown() }

  /// Ends all transfers with an error of kind `cancelled`, closes all connections and waits for the driving thread.
  ///
  /// Idempotent; later requests fail.
  public func shutdown() {
    let end = thread.withLock { end in
      defer { end.pointer = nil }
      return end
    }
    guard let pointer = end.pointer else { return }
    mailbox?.post(.stop)
    ccurl_thread_join(pointer)
  }

  private static var startFailure: String {
    let reason = String(cString: ccurl_load_failure())
    return reason.isEmpty
      ? "the HTTP client could not be started" : "libcurl could not be loaded (\(reason)); install it"
  }

  /// Puts a request on its way.
  ///
  /// - Parameter place: in a chain, of which it may send the next request once its answer is whole
  func start(_ request: TransferRequest, _ place: TransfersAhead.Place? = nil) throws(ReactorError) -> Transfer {
    guard let mailbox else { throw .server("\(request.label): \(Self.startFailure)") }
    let transfer = Transfer(request, mailbox: mailbox, place)
    guard start(transfer) else { throw ReactorError(.cancelled, "the HTTP client was shut down") }
    return transfer
  }

  /// Puts a transfer on its way that was made before; false after the shutdown.
  @discardableResult
  func start(_ transfer: Transfer) -> Bool { mailbox?.post(.start(transfer)) ?? false }
}
