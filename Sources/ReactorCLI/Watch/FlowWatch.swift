internal import FlowFolders
internal import RunViews
internal import SourceDiagnostics
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Checks flow files at each save, and shows what their flows give from their recordings.
///
/// On a terminal each result replaces the last one; otherwise they follow one after the other. The files are compared
/// by their stamps several times a second, which works with every editor and file system.
struct FlowWatch {
  /// The time between two looks at the files.
  private static let pause = Duration.milliseconds(200)

  private let invocation: Invocation
  private let paths: [String]
  private let preview: RecordedPreview
  /// Whether each result replaces the last one.
  private let isTerminal: Bool

  init(
    _ invocation: Invocation, paths: [String], inputs: Invocation.Inputs, folder: FixtureFolderOption
  ) throws(CommandError) {
    guard !invocation.console.isJSON else {
      throw CommandError("'watch' has no JSON format", help: "reactor check --format json")
    }
    self.invocation = invocation
    self.paths = paths
    isTerminal = isatty(invocation.out.descriptor) == 1 && invocation.settings.environment["TERM"] != "dumb"
    preview = RecordedPreview(invocation, inputs: inputs, fixtures: invocation.folder(folder))
  }

  /// Shows results until a signal ends the command.
  func run() async throws(CommandError) -> ExitCode {
    let isEnded = Ending()
    invocation.signals?.act(SignalWatch.Actions(grace: .zero, stop: { isEnded.set() }, report: {}))
    var last: (text: String, size: Size, saves: FileStamps)?
    var records = RecordedPreview.Shown()
    var watched = Set(paths.isEmpty ? [FlowFiles.standardFolder] : paths)
    while !isEnded.isSet {
      // The stamps are read before the files, so that a later save differs from them.
      var (stamps, seen) = (FileStamps(of: watched), watched)
      let (loaded, files, recordings) = preview.load(paths)
      let saves = FileStamps(of: files)
      watched = seen.union(files).union(files.map(Self.folder)).union(recordings)
      if watched != seen { continue }
      var text: String
      (text, records) = await preview.text(of: loaded, after: records)
      for path in paths where FileStamps(of: [path]).isEmpty { text += "waiting for '\(PrintableText.of(path))'\n" }
      // An editor may create a file beside the flow file, which changes nothing.
      if text != last?.text || saves != last?.saves {
        show(text)
        last = (text, size, saves)
      }
      // Waits for the next change. It is over when the files stay the same for one look, so that a file that an editor
      // is still writing is not read.
      seen = watched
      var isChanged = false
      while !isEnded.isSet {
        do { try await Task.sleep(for: Self.pause) } catch { return .passed }
        let now = FileStamps(of: seen)
        if isChanged, now == stamps { break }
        if now != stamps { isChanged = true }
        stamps = now
        if let drawn = last, drawn.size != size {
          show(drawn.text)
          last?.size = size
        }
      }
    }
    if isTerminal { invocation.out.write("\n") }
    return .passed
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  // MARK: - Showing

  private func show(_ text: String) {
    let out = invocation.out
    guard isTerminal else {
      out.write(text + "\n")
      out.flush()
      return
    }
    let (width, height) = (size.width, size.height)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    // What scrolls out at the top could not be seen, and the first lines are the ones that matter.
    if lines.count > height - 2 {
      let left = lines.count - (height - 3)
      lines = lines.prefix(max(height - 3, 1)) + ["and \(left) more lines: a larger window or one file shows them"]
    }
    let style = invocation.console.outStyle
    lines.insert(style.paint("\(time)  Ctrl-C ends", .faint), at: 0)
    // The screen is erased line by line, so that nothing flickers. The last column stays empty, because a terminal may
    // wrap after it.
    let body = lines.map { ScreenLine.cut($0, to: width - 1, mark: style.hasSymbols ? "…" : "~") + "\u{1B}[K\r\n" }
      .joined()
    out.write("\u{1B}[H" + body + "\u{1B}[J")
    out.flush()
  }

  private struct Size: Equatable {
    var width = 80
    var height = 24
  }

  private var size: Size {
    var size = winsize()
    guard isTerminal, ioctl(invocation.out.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return Size() }
    return Size(width: Int(size.ws_col), height: Int(size.ws_row))
  }

  /// The local time of day, which shows that a save was noticed.
  private var time: String {
    var seconds = time_t(invocation.now)
    var parts = tm()
    localtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
  }
}

/// A switch that is turned on once, by any thread.
private final class Ending: Sendable {
  private let state = Mutex(false)

  var isSet: Bool { state.withLock { $0 } }

  func set() { state.withLock { $0 = true } }
}
