internal import BatchRunner
internal import Dispatch
internal import ReactorCore
internal import RunViews
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Shows the progress of a run at the bottom of the terminal.
///
/// The display is redrawn up to ten times a second and removed at the end. All other text for the terminal goes
/// through `print`, so that it appears above the display. The display writes on its own queue, so a terminal that is
/// stopped (Ctrl-S) delays nothing else.
final class TerminalProgress: Sendable {
  /// The time between two drawings.
  private static let pause = Duration.milliseconds(100)
  /// The readings that confirm a new width of the terminal.
  ///
  /// A width is confirmed after `stable` equal readings in a row. There are at most `maximum` readings, `pause`
  /// microseconds apart.
  ///
  /// tmux wraps drawn text at once but reports the new width up to 250 ms later. With the old width, some rows would
  /// not be erased.
  private static let readings = (stable: 15, maximum: 60, pause: UInt32(20_000))

  /// The time after which the durations of earlier runs are read, so that a short run does not read them.
  private static let longRun = Duration.seconds(1)

  private struct Content {
    var block = ProgressBlock()
    var rate = RecentRate()
    /// Estimates the time left; nil before the history is read.
    var time: TimeLeft?
    var isReadingHistory = false
    var turn = 0
    var isClosed = false
  }

  private let err: OutputSink
  private let style: TextStyle
  private let queue = DispatchQueue(label: "reactor.terminal")
  private let content = Mutex(Content())
  /// Returns the usual durations of flows, by their ids.
  private let usual: @Sendable () -> [String: Duration]

  /// Creates a display on a terminal.
  ///
  /// - Parameter usual: returns the usual durations of flows, by their ids; it is called once, in a longer run
  init(err: OutputSink, style: TextStyle, usual: @escaping @Sendable () -> [String: Duration]) {
    self.err = err
    self.style = style
    self.usual = usual
  }

  /// Draws the progress of a run until the task is cancelled.
  func show(_ run: BatchRun, clock: RunClock) async {
    while true {
      do { try await clock.sleep(Self.pause) } catch { return }
      // Each drawing is awaited, so that a slow terminal is redrawn less often.
      await withCheckedContinuation { continuation in
        queue.async {
          self.draw(run, now: clock.stopwatch.reading())
          continuation.resume()
        }
      }
    }
  }

  /// Writes other text to the terminal, above the display.
  func print(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.erase()
        body()
        continuation.resume()
      }
    }
  }

  /// Like `print`, but does not wait until the text is written.
  func note(_ body: @escaping @Sendable () -> Void) {
    queue.async {
      self.erase()
      body()
    }
  }

  /// Removes the display.
  func close() async {
    await print { self.content.withLock { $0.isClosed = true } }
  }

  // MARK: - On the queue

  private func draw(_ run: BatchRun, now: Duration) {
    let (width, height) = settledSize()
    let frame = ProgressFrame(style: style, width: width, height: height)
    let time = content.withLock { $0.time }
    var snapshot = run.read { ProgressSnapshot($0, maximum: ProgressFrame.maximumFlows, now: now, time: time) }
    if let started = snapshot.started, now - started >= Self.longRun { readHistory(run.plan) }
    let text: String = content.withLock { content in
      guard !content.isClosed else { return "" }
      (snapshot.recordRate, snapshot.byteRate) = content.rate.rates(
        at: now, records: snapshot.records, bytes: snapshot.bytes)
      content.turn &+= 1
      return content.block.replaced(by: frame.lines(snapshot, now: now, turn: content.turn), width: width)
    }
    guard !text.isEmpty else { return }
    err.write(text)
    err.flush()
  }

  /// Reads the durations of earlier runs once, beside the run and its display.
  private func readHistory(_ plan: RunPlan) {
    let isFirst = content.withLock { content in
      defer { content.isReadingHistory = true }
      return !content.isReadingHistory
    }
    guard isFirst else { return }
    DispatchQueue.global(qos: .utility).async { [self] in
      let usual = usual()
      let time = TimeLeft(plan) { usual[$0] }
      content.withLock { $0.time = time }
    }
  }

  private func erase() {
    let width = settledSize().width
    let text = content.withLock { $0.block.erased(width: width) }
    guard !text.isEmpty else { return }
    err.write(text)
    err.flush()
  }

  /// The size of the terminal once it is stable; after a little more than a second, the last reading.
  ///
  /// Only the display waits for this.
  private func settledSize() -> (width: Int, height: Int) {
    var size = size()
    guard let drawn = content.withLock({ $0.block.width }), drawn != size.width else { return size }
    var (same, all) = (0, 0)
    while same < Self.readings.stable, all < Self.readings.maximum {
      usleep(Self.readings.pause)
      let next = self.size()
      same = next == size ? same + 1 : 0
      all += 1
      size = next
    }
    return size
  }

  private func size() -> (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(err.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
