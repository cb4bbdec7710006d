internal import ReactorCore
internal import Synchronization

/// The records of one flow handed on to any number of others while they still arrive: JSON Lines in a file without a name.
///
///     let feed = root.feed()
///     feed.renew()                                        // the flow begins
///     var reader = feed.reader()                          // any number, at any time after that
///     await feed.writer.append(lines)                     // one writer
///     feed.writer.finish()
///     while let records = try await reader.next() { … }   // each at its own pace
///
/// - The writer never waits for a reader, so a parent and its children cannot wait for each other, whatever the number of
///   jobs. A reader waits for more without holding a thread.
/// - Memory is flat: the first 64 KiB are retained, the rest is in an unlinked file of mode 0600, which vanishes with the
///   feed, also when the process is killed. A reader holds one batch.
/// - An error of the file (a full disk, above all) fails the readers, never the writer: the flow itself loses nothing.
/// - `renew` begins a new generation, for a flow that runs again; those who still read an older one stay with it.
public final class RecordFeed: Sendable {
  private let current: Mutex<FeedGeneration>
  private let folders: [String]
  private let work: FileWork

  /// - Parameter folders: where the file may be made, in the order in which they are tried.
  init(folders: [String], work: FileWork) {
    self.folders = folders
    self.work = work
    current = Mutex(FeedGeneration(folders: folders, work: work))
  }

  /// Begins anew unless nothing has happened yet; readers of an unfinished generation fail.
  public func renew() {
    let old: FeedGeneration? = current.withLock { current in
      guard current.isUsed else { return nil }
      let old = current
      current = FeedGeneration(folders: folders, work: work)
      return old
    }
    old?.end(.failed(.server("the flow whose records are read was started again")))
  }

  /// Writes the present generation. There may be one user of it at a time.
  public var writer: Writer { Writer(generation: current.withLock { $0 }) }

  /// Reads the present generation from its beginning, whatever of it is there yet.
  ///
  /// - Parameter batch: bytes of records that are given at once; a longer record is given alone.
  public func reader(batch: Int = 1 << 16) -> Reader {
    Reader(generation: current.withLock { $0 }, batch: max(1, batch))
  }
}

extension OutputRoot {
  /// A feed whose file, if it needs one, is in the root, or in the first other folder that can be written.
  public func feed(orIn folders: [String] = ["/tmp"]) -> RecordFeed {
    RecordFeed(folders: [path.isEmpty ? "." : path] + folders, work: work)
  }
}
