internal import Dispatch
internal import Storage
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Writes the lines of the event log to a file or stream, on its own thread.
///
/// Adding a line never waits. Lines are retained until the sink accepts them, and are dropped only after the sink has
/// failed. After the run, the log waits as long as the sink accepts bytes. When the sink accepts none for `patience`,
/// writing ends with an error. A file is written during the run, so that a reader can follow it. Its last line shows
/// that the file is complete.
package final class EventLog: Sendable {
  private struct Content {
    var waiting: [UInt8] = []
    var isWriting = false
    var isAbandoned = false
    var failure: String?
    /// A counter that grows whenever the sink accepts bytes.
    var taken = 0
  }

  /// The destination of the lines.
  package enum Sink: Sendable {
    /// A path; a file is replaced.
    case path(String)
    /// An open descriptor, which is not closed.
    case descriptor(Int32)
  }

  private let sink: Sink
  private let patience: Duration
  private let content = Mutex(Content())
  /// The open descriptor of the sink, or -1. It is only accessed on the queue.
  private let file = Mutex<Int32>(-1)
  private let queue = DispatchQueue(label: "reactor.events")

  /// Creates a log on a sink. The sink is opened with the first line.
  package init(_ sink: Sink, patience: Duration = .seconds(3)) {
    self.sink = sink
    self.patience = patience
  }

  /// Adds lines, without waiting for the sink.
  package func add(_ lines: [UInt8]) {
    let begins = content.withLock { content in
      guard content.failure == nil, !content.isAbandoned else { return false }
      content.waiting += lines
      defer { content.isWriting = true }
      return !content.isWriting
    }
    if begins { queue.async { self.drain() } }
  }

  /// Waits until all lines are written or the sink accepts no more; returns why lines were not written.
  package func finish() async -> String? {
    var taken = -1
    var deadline = ContinuousClock.now + patience
    while true {
      let (isDone, now, failure) = content.withLock { ($0.failure != nil || !$0.isWriting, $0.taken, $0.failure) }
      if isDone { return failure }
      if now != taken {
        taken = now
        deadline = ContinuousClock.now + patience
      }
      if ContinuousClock.now >= deadline {
        return content.withLock { content in
          content.isAbandoned = true
          return "its reader stopped reading; at least \(content.waiting.count) bytes were not written"
        }
      }
      // This wait cannot be cancelled, because the end of a cancelled run is written too.
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(2)) { continuation.resume() }
      }
    }
  }

  // MARK: - On the queue

  private func drain() {
    while true {
      let bytes: [UInt8]? = content.withLock { content in
        guard !content.waiting.isEmpty, content.failure == nil, !content.isAbandoned else {
          content.isWriting = false
          return nil
        }
        defer { content.waiting = [] }
        return content.waiting
      }
      guard let bytes else { return }
      do throws(WholeFile.AccessError) {
        try write(bytes, to: try opened())
      } catch {
        content.withLock { content in
          content.failure = error.message
          content.waiting = []
          content.isWriting = false
        }
        return
      }
    }
  }

  private func write(_ bytes: [UInt8], to file: Int32) throws(WholeFile.AccessError) {
    // A pipe that is ready accepts at least this many bytes, so writing never blocks, also on an inherited descriptor.
    let piece = 4096
    var written = 0
    while written < bytes.count, !isAbandoned {
      var wait = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
      guard poll(&wait, 1, 100) != 0 else { continue }
      let count = bytes.withUnsafeBytes {
        systemWrite(file, $0.baseAddress.map { $0 + written }, min($0.count - written, piece))
      }
      if count > 0 {
        written += count
        content.withLock { $0.taken += count }
      } else if count < 0, errno != EINTR, errno != EAGAIN {
        throw errno == EPIPE ? WholeFile.AccessError(message: "its reader went away") : WholeFile.AccessError(errno)
      }
    }
  }

  private func opened() throws(WholeFile.AccessError) -> Int32 {
    let known = file.withLock { $0 }
    if known >= 0 { return known }
    let opened: Int32
    switch sink {
    case .descriptor(let descriptor): opened = descriptor
    case .path(let path): opened = try open(path)
    }
    file.withLock { $0 = opened }
    return opened
  }

  private func open(_ path: String) throws(WholeFile.AccessError) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    while true {
      let file =
        ReportFile.isDevice(path) ? systemOpen(path, flags) : try WholeFile.openForWriting(path, flags: flags)
      if file >= 0 { return file }
      // A named pipe may get its reader later, so this error is not final.
      guard errno == ENXIO || errno == EINTR else { throw WholeFile.AccessError(errno) }
      guard !isAbandoned else { throw WholeFile.AccessError(message: "no program reads it") }
      usleep(20_000)
    }
  }

  private var isAbandoned: Bool { content.withLock { $0.isAbandoned } }

  deinit {
    let file = file.withLock { $0 }
    if case .path = sink, file >= 0 { close(file) }
  }
}

// Methods of `EventLog` have the same names and hide the system's functions.
private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}

private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o666) }
