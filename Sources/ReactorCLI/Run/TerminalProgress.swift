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

/// The progress of a run at the bottom of the terminal, redrawn up to ten times a second and removed at the end.
///
/// Everything else that is written to the terminal meanwhile goes through `print`, so that lines appear above it. It
/// writes on a queue of its own: a terminal that is stopped (Ctrl-S) delays nothing else.
final class TerminalProgress: Sendable {
  /// Between two drawings.
  private static let pause = Duration.milliseconds(100)
  /// A new width must stay the same for so many readings, so many microseconds apart. tmux wraps what is drawn at once and
  /// reports the width up to 250 ms later; with the old width, rows would not be erased.
  private static let readings = (stable: 15, maximum: 60, pause: UInt32(20_000))

  private struct Content {
    var block = ProgressBlock()
    var turn = 0
    var isClosed = false
  }

  private let err: OutputSink
  private let style: TextStyle
  private let queue = DispatchQueue(label: "reactor.terminal")
  private let content = Mutex(Content())

  /// A display on a terminal.
  init(err: OutputSink, style: TextStyle) {
    self.err = err
    self.style = style
  }

  /// Draws a run until the task is cancelled.
  func show(_ run: BatchRun, clock: RunClock) async {
    while true {
      do { try await clock.sleep(Self.pause) } catch { return }
      // Awaited, so that a slow terminal is redrawn less often.
      await withCheckedContinuation { continuation in
        queue.async {
          self.draw(run, now: clock.stopwatch.reading())
          continuation.resume()
        }
      }
    }
  }

  /// Writes something else to the terminal, above the display.
  func print(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.erase()
        body()
        continuation.resume()
      }
    }
  }

  /// As `print`, without waiting for it.
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
    let snapshot = run.read { ProgressSnapshot($0, maximum: ProgressFrame.maximumFlows) }
    let text: String = content.withLock { content in
      guard !content.isClosed else { return "" }
      content.turn &+= 1
      return content.block.replaced(by: frame.lines(snapshot, now: now, turn: content.turn), width: width)
    }
    guard !text.isEmpty else { return }
    err.write(text)
    err.flush()
  }

  private func erase() {
    let width = settledSize().width
    let text = content.withLock { $0.block.erased(width: width) }
    guard !text.isEmpty else { return }
    err.write(text)
    err.flush()
  }

  /// The size when it is stable; after little more than a second, the last one. Only the terminal waits for this.
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
