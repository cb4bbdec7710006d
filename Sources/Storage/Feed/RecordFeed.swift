internal import ReactorCore
internal import Synchronization

/// Passes the records of one flow to any number of readers while the flow still runs.
///
/// The records are JSON Lines in a file without a name.
///
///     let feed = root.feed()
///     feed.renew()                                        // the flow begins
///     var reader = feed.reader()                          // any number, at any time after that
///     await feed.writer.append(lines)                     // one writer
///     feed.writer.finish()
///     while let records = try await reader.next() { … }   // each at its own pace
///
/// - The writer never waits for a reader. A parent flow and its children therefore cannot wait for each other, whatever
///   the number of jobs. A reader waits for more records without blocking a thread.
/// - The memory use is constant. The first 64 KiB are retained in memory, the rest is in an unlinked file of mode 0600.
///   That file vanishes with the feed, also when the process is killed. A reader holds one batch.
/// - An error of the file, such as a full disk, fails the readers and never the writer. The flow itself loses nothing.
/// - `renew` begins a new generation for a flow that runs again. Readers of an older generation continue to read that
///   generation.
public final class RecordFeed: Sendable {
  private let current: Mutex<FeedGeneration>
  private let isRenewed = Atomic(false)
  private let folders: [String]
  private let work: FileWork

  /// Creates a feed.
  ///
  /// - Parameter folders: the folders in which the file may be created, in the order in which they are tried
  init(folders: [String], work: FileWork) {
    self.folders = folders
    self.work = work
    current = Mutex(FeedGeneration(folders: folders, work: work))
  }

  /// Begins a new generation unless the present one is unused. Readers of an unfinished generation fail.
  public func renew() {
    isRenewed.store(true, ordering: .relaxed)
    let old: FeedGeneration? = current.withLock { current in
      guard current.isUsed else { return nil }
      let old = current
      current = FeedGeneration(folders: folders, work: work)
      return old
    }
    old?.end(.failed(.server("the flow that passes its records on to this flow was started again")))
  }

  /// Whether a flow has begun to pass records on: after `renew`, or after the first bytes or the end.
  public var hasBegun: Bool { isRenewed.load(ordering: .relaxed) || current.withLock { $0.isUsed } }

  /// The writer of the present generation. Only one task may use it at a time.
  public var writer: Writer { Writer(generation: current.withLock { $0 }) }

  /// Returns a reader of the present generation that begins with its first record.
  ///
  /// - Parameter batch: the maximum number of bytes of records that are returned at once; a longer record is returned
  ///   alone
  public func reader(batch: Int = 1 << 16) -> Reader {
    Reader(generation: current.withLock { $0 }, batch: max(1, batch))
  }
}

extension OutputRoot {
  /// Creates a feed. Its file, if it needs one, is in the root, or else in the first of `folders` that is writable.
  public func feed(orIn folders: [String] = ["/tmp"]) -> RecordFeed {
    RecordFeed(folders: [path.isEmpty ? "." : path] + folders, work: work)
  }
}
