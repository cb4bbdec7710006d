internal import CCurl
internal import ReactorCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Drives libcurl's multi handle and passes received data to the readers.
///
/// The driver waits for sockets, for the timer and for commands.
///
/// The driving thread creates, runs and frees the driver; other threads reach it through its mailbox only. So the
/// driver is not `Sendable`.
final class Driver {
  private static let maxPooled = 32
  private static let maxIdleConnections = 64

  let mailbox: Mailbox
  private let multi: UnsafeMutableRawPointer
  /// The first entry is the mailbox's pipe; the other entries are libcurl's sockets.
  private var polled: [pollfd]
  private var connections = OpenConnections()
  private var ready: [(socket: Int32, events: Int32)] = []
  /// The time, on the monotonic clock, at which libcurl must be called even without a socket event.
  private var timer: UInt64?
  private var commands: [Mailbox.Command] = []
  private var active: [ObjectIdentifier: Handle] = [:]
  private var pool: [Handle] = []
  private var dirty: [Transfer] = []
  private var settling: [Transfer] = []
  private var hasStartedSuccessor = false
  private var isStopping = false

  /// Creates a driver; nil when libcurl cannot be set up.
  init?(mailbox: Mailbox) {
    guard let multi = ccurl_multi_init() else { return nil }
    self.mailbox = mailbox
    self.multi = multi
    polled = [pollfd(fd: mailbox.readEnd, events: Int16(POLLIN), revents: 0)]
    // One request per connection at a time, with HTTP/2 too. In this libcurl a paused stream stops the other streams of
    // its connection, and no flow may wait for another flow's reader.
    _ = ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.maxIdleConnections)
  }

  /// Runs the driver until the stop command; the body of the driving thread.
  func run() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = ccurl_multi_set_functions(multi, noteSocket, noteTimer, context)
    while true {
      takeCommands()
      if isStopping { break }
      runTimer()
      conclude()
      wait()
    }
    stop()
  }

  /// Lists a transfer with new data or an end, whose reader is woken after all ready sockets were handled.
  func noteDirty(_ transfer: Transfer) { dirty.append(transfer) }

  // MARK: - Commands

  private func takeCommands() {
    mailbox.take(into: &commands)
    // After a stop command, requests that are not yet sent are not sent any more.
    isStopping = isStopping || commands.contains { if case .stop = $0 { true } else { false } }
    if commands.contains(where: { if case .start = $0 { true } else { false } }) { discardUnasked() }
    for command in commands {
      perform(command)
      // The request is sent at once: the server works on it while the next requests are set up.
      if !isStopping, case .start = command { runTimer() }
    }
    commands.removeAll(keepingCapacity: true)
  }

  /// Closes the idle connections that have received data.
  ///
  /// Data that arrives before a request is sent must not be taken for the response to that request.
  private func discardUnasked() {
    var idle = polled.dropFirst().filter { connections.isIdle($0.fd) }
    guard !idle.isEmpty, poll(&idle, nfds_t(idle.count), 0) > 0 else { return }
    for connection in idle where connection.revents != 0 { discard(connection.fd) }
  }

  private func perform(_ command: Mailbox.Command) {
    switch command {
    case .start(let transfer): start(transfer)
    case .resume(let transfer):
      if let handle = transfer.handle { ccurl_easy_pause(handle.easy, CURLPAUSE_CONT) }
    case .abandon(let transfer):
      if let handle = transfer.handle { finish(handle, .cancelled) }
    case .stop: break
    }
  }

  private func start(_ transfer: Transfer) {
    // The transfer was cancelled before it began. Its abandon command finds no handle, so the transfer must not get
    // one.
    guard !transfer.isOver else { return }
    guard transfer.request.deadline > MonotonicClock.now else {
      return finish(transfer, transfer.timedOut())
    }
    guard let handle = pool.popLast() ?? Handle(driver: self), handle.prepare(transfer) else {
      return finish(transfer, transfer.error("the request cannot be set up"))
    }
    transfer.request.span?.begin()
    guard ccurl_multi_add_handle(multi, handle.easy) == CURLM_OK else {
      handle.release()
      return finish(transfer, transfer.error("the request cannot be started"))
    }
    active[ObjectIdentifier(handle)] = handle
  }

  private func finish(_ transfer: Transfer, _ failure: ReactorError?) {
    transfer.end(failure)
    if !transfer.isDirty {
      transfer.isDirty = true
      dirty.append(transfer)
    }
  }

  private func finish(_ handle: Handle, _ failure: ReactorError?) {
    ccurl_multi_remove_handle(multi, handle.easy)
    active[ObjectIdentifier(handle)] = nil
    if let socket = connections.takeQuiet(of: handle) { noteIdle(socket) }
    guard let transfer = handle.transfer else { return }
    finish(transfer, failure)
    handle.release()
    if !transfer.request.isProbe, pool.count < Self.maxPooled { pool.append(handle) }
    if failure == nil, let next = transfer.successor() {
      hasStartedSuccessor = true
      start(next)
    }
  }

  // MARK: - A round

  private func wait() {
    var milliseconds: Int32 = -1
    if let timer {
      let now = MonotonicClock.now
      milliseconds = timer <= now ? 0 : Int32(clamping: (timer - now + 999_999) / 1_000_000)
    }
    if !mailbox.fallAsleep() { milliseconds = 0 }
    let count = poll(&polled, nfds_t(polled.count), milliseconds)
    mailbox.wakeUp(isReadable: polled[0].revents != 0)
    guard count > 0 else { return }
    // libcurl changes the list while it acts.
    for index in 1..<max(1, polled.count) where polled[index].revents != 0 {
      let events = Int32(polled[index].revents)
      var bits: Int32 = 0
      if events & Int32(POLLIN | POLLHUP) != 0 { bits |= CURL_CSELECT_IN }
      if events & Int32(POLLOUT) != 0 { bits |= CURL_CSELECT_OUT }
      if events & Int32(POLLERR | POLLNVAL) != 0 { bits |= CURL_CSELECT_ERR }
      ready.append((polled[index].fd, bits))
    }
    // Unrequested data is handled first: no request may be sent over such a connection.
    ready.removeAll { (socket, _) in
      guard connections.isIdle(socket) else { return false }
      discard(socket)
      return true
    }
    var running: Int32 = 0
    for index in ready.indices {
      let (socket, bits) = ready[index]
      // The socket was closed meanwhile; another connection may already have the same number.
      guard socket >= 0 else { continue }
      ccurl_multi_socket_action(multi, socket, bits, &running)
      // Sockets are processed one by one: the readers of the first work while the next are read.
      conclude()
      if !isStopping { takeCommands() }
    }
    ready.removeAll(keepingCapacity: true)
  }

  private func runTimer() {
    // Each run may set the timer to "at once" again. The limit of 16 keeps sockets and commands from waiting for ever.
    for _ in 0..<16 {
      guard let due = timer, due <= MonotonicClock.now else { return }
      timer = nil
      var running: Int32 = 0
      ccurl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
    }
  }

  /// Passes received data and finished transfers to the readers.
  private func conclude() {
    collectEnded()
    // A successor is sent before the readers get the received data. If sending ends more transfers, they are collected
    // before the next wait.
    for _ in 0..<8 where hasStartedSuccessor {
      hasStartedSuccessor = false
      runTimer()
      collectEnded()
    }
    settle()
  }

  private func collectEnded() {
    var left: Int32 = 0
    while let message = ccurl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE else { continue }
      let code = message.pointee.data.result
      guard let handle = Handle.of(message.pointee.easy_handle) else { continue }
      finish(handle, handle.transfer?.failure(code, handle))
    }
  }

  private func settle() {
    swap(&dirty, &settling)
    for transfer in settling { transfer.settle() }
    settling.removeAll(keepingCapacity: true)
  }

  private func stop() {
    let closed = ReactorError(.cancelled, "the HTTP client was shut down")
    for handle in Array(active.values) { finish(handle, closed) }
    for case .start(let transfer) in mailbox.shut() { finish(transfer, closed) }
    settle()
    pool = []
    ccurl_multi_cleanup(multi)
  }

  // MARK: - Requests of libcurl

  func watch(_ socket: Int32, _ what: Int32, for handle: Handle?) {
    guard what == CURL_POLL_REMOVE else {
      connections.use(socket, handle)
      var events: Int32 = 0
      if what & CURL_POLL_IN != 0 { events |= Int32(POLLIN) }
      if what & CURL_POLL_OUT != 0 { events |= Int32(POLLOUT) }
      return setEvents(events, of: socket)
    }
    setEvents(0, of: socket)
    // The socket of a paused transfer is quiet, but not idle.
    if let handle, handle.transfer != nil { connections.quieten(socket, handle) } else { noteIdle(socket) }
  }

  /// Marks a connection as idle and keeps watching it: data that arrives now belongs to no request.
  private func noteIdle(_ socket: Int32) {
    guard !polled.contains(where: { $0.fd == socket }), connections.rest(socket) else { return }
    setEvents(Int32(POLLIN), of: socket)
  }

  private func setEvents(_ events: Int32, of socket: Int32) {
    let index = polled.indices.dropFirst().first { polled[$0].fd == socket }
    if let index {
      if events == 0 { polled.remove(at: index) } else { polled[index].events = Int16(events) }
    } else if events != 0 {
      polled.append(pollfd(fd: socket, events: Int16(events), revents: 0))
    }
  }

  /// Closes an idle connection that has received data or was closed by the server.
  ///
  /// This libcurl would take the data as the beginning of the next response.
  private func discard(_ socket: Int32) {
    ccurl_discard(socket)
    setEvents(0, of: socket)
  }

  /// Records that a request is about to be sent from a local port.
  ///
  /// libcurl reports the events it waits for only after it has read all available data. Without this call, the
  /// connection of a paused response would still be listed as idle.
  func noteSending(from port: Int32) {
    connections.use(from: port) { setEvents(0, of: $0) }
  }

  func noteOpened(_ socket: Int32) { connections.add(socket) }

  func noteClosing(_ socket: Int32) {
    connections.remove(socket)
    setEvents(0, of: socket)
    for index in ready.indices where ready[index].socket == socket { ready[index].socket = -1 }
  }

  func setTimer(_ milliseconds: Int) {
    timer = milliseconds < 0 ? nil : MonotonicClock.now + UInt64(milliseconds) * 1_000_000
  }
}
