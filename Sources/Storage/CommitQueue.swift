internal import ReactorCore
internal import Synchronization

/// Publications of one folder that wait for their turn; one thread at a time takes all that are there.
struct CommitQueue {
  /// A finished file on its way into place.
  struct Entry: Sendable {
    /// The final name.
    var name: String
    /// The new content, already on the medium if it has to be; nil when the file there has it already.
    var temp: TempFile?
    /// Whether the folder must reach the medium before this is settled.
    var needsFolderSync: Bool
    /// What is to be known of the file.
    var stamp: Stamp
    /// What happens to the file.
    var change: Publication.Change
    /// Called exactly once, with the result.
    var settle: @Sendable (Result<Publication, ReactorError>) -> Void
  }

  /// A result of a publication that is not reported yet.
  struct Settlement: Sendable {
    private let settle: @Sendable (Result<Publication, ReactorError>) -> Void
    private let result: Result<Publication, ReactorError>

    init(_ entry: Entry, _ result: Result<Publication, ReactorError>) {
      settle = entry.settle
      self.result = result
    }

    func report() { settle(result) }
  }

  private(set) var waiting: [Entry] = []
  private var isBeingServed = false

  /// Adds an entry; true when the caller has to serve the queue now.
  mutating func add(_ entry: Entry) -> Bool {
    waiting.append(entry)
    if isBeingServed { return false }
    isBeingServed = true
    return true
  }

  /// Takes all that wait; when none does, the queue is no longer served.
  mutating func takeAll() -> [Entry] {
    let taken = waiting
    waiting = []
    if taken.isEmpty { isBeingServed = false }
    return taken
  }
}

extension OutputFolder {
  /// Puts a file in place and settles it. Publications that come together share one sync of the folder and one write to
  /// the journal. The sync begins after the renames that it makes durable: an entry that comes during one waits for the
  /// next.
  ///
  /// The last group is settled by the step returned, which no longer refers to this folder.
  func commit(_ entry: CommitQueue.Entry) -> FileWork.Step? {
    guard commits.withLock({ $0.add(entry) }) else { return nil }
    var settled: [CommitQueue.Settlement] = []
    while true {
      let group = commits.withLock { $0.takeAll() }
      if group.isEmpty { break }
      for settlement in settled { settlement.report() }
      settled = commit(group)
    }
    return .last { [settled] in
      for settlement in settled { settlement.report() }
    }
  }

  private func commit(_ group: [CommitQueue.Entry]) -> [CommitQueue.Settlement] {
    var settled: [CommitQueue.Settlement] = []
    var placed: [CommitQueue.Entry] = []
    var group = group
    // A cursor must become valid with the content, not a moment later: a run that is killed between them would have the
    // records and not know up to where they go.
    let bound = group.filter { $0.temp != nil && $0.stamp.provenance.cursor != nil }
    if !bound.isEmpty {
      do {
        try announce(bound.map { ($0.name, $0.stamp) })
      } catch {
        for entry in bound {
          entry.temp?.discard()
          settled.append(.init(entry, .failure(error)))
        }
        group.removeAll { $0.temp != nil && $0.stamp.provenance.cursor != nil }
      }
    }
    for var entry in group {
      do throws(ReactorError) {
        try put(&entry)
        placed.append(entry)
      } catch {
        entry.temp?.discard()
        settled.append(.init(entry, .failure(error)))
      }
    }
    if placed.contains(where: \.needsFolderSync) {
      do {
        try descriptor.sync()
      } catch {
        for entry in placed where entry.needsFolderSync {
          var failure = ReactorError.file("make durable", path(of: entry.name), error)
          if entry.temp != nil { failure.message += "; the new content is in place but may not survive a power loss" }
          settled.append(.init(entry, .failure(failure)))
        }
        placed.removeAll(where: \.needsFolderSync)
      }
    }
    guard !placed.isEmpty else { return settled }
    var stampFailure: ReactorError?
    do {
      try append(placed.map { ($0.name, $0.stamp) })
    } catch {
      stampFailure = error
    }
    for entry in placed {
      let outcome = Publication(
        change: entry.change, size: entry.stamp.size, hash: entry.stamp.hash, stampFailure: stampFailure)
      settled.append(.init(entry, .success(outcome)))
    }
    return settled
  }

  /// Puts an entry's file, if it has one, in place.
  private func put(_ entry: inout CommitQueue.Entry) throws(ReactorError) {
    guard let temp = entry.temp else { return }
    do {
      guard temp.isUnnamed else { return try temp.publish(as: entry.name) }
      do { return try temp.publish(as: entry.name) } catch {}
      // Another program put a file there since, or the system cannot name a file afterwards. So it is replaced, and the
      // error of that counts.
      let existing = try status(of: entry.name)
      let named = try temp.named(isDurable: entry.needsFolderSync, isPrivate: isPrivate)
      entry.temp = named
      if let existing {
        entry.change = .replaced
        if !isPrivate { try named.adopt(existing) }
      }
      try named.publish(as: entry.name)
    } catch let error as ReactorError {
      throw error
    } catch let error as SystemError {
      throw .file("write", path(of: entry.name), error)
    } catch {
      throw .persistence("cannot write \(path(of: entry.name)): \(error)", path: path(of: entry.name))
    }
  }
}
