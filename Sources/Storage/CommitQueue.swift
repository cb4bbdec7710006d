internal import ReactorCore
internal import Synchronization

/// The waiting publications of one folder. One thread at a time processes all of them.
struct CommitQueue {
  /// A completely written file that is about to be published.
  struct Entry: Sendable {
    /// The final name.
    var name: String
    /// The new content; nil when the existing file already has this content.
    ///
    /// If the root is durable, the content is already on the medium.
    var temp: TempFile?
    /// Whether the folder must be synced to the medium before the result is reported.
    var needsFolderSync: Bool
    /// The stamp that is written for the file.
    var stamp: Stamp
    /// Whether the stamp must become valid together with the content.
    var isAnnounced = false
    /// The change that the publication makes to the file.
    var change: Publication.Change
    /// Reports the result; called exactly once.
    var settle: @Sendable (Result<Publication, ReactorError>) -> Void
  }

  /// The result of a publication, not yet reported.
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

  /// Adds an entry; returns true when the caller must process the queue now.
  mutating func add(_ entry: Entry) -> Bool {
    waiting.append(entry)
    if isBeingServed { return false }
    isBeingServed = true
    return true
  }

  /// Removes and returns all waiting entries. If there are none, the queue is marked as no longer being processed.
  mutating func takeAll() -> [Entry] {
    let taken = waiting
    waiting = []
    if taken.isEmpty { isBeingServed = false }
    return taken
  }
}

extension OutputFolder {
  /// Publishes a file and reports the result.
  ///
  /// Concurrent publications share one sync of the folder and one write to the journal. The sync begins after the
  /// renames that it makes durable. An entry that arrives during a sync waits for the next sync.
  ///
  /// - Returns: a step that reports the results of the last group and holds no reference to this folder; nil when
  ///   another thread is already processing the queue
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
    if let error = laterVersion() {
      for entry in group { entry.temp?.discard() }
      return group.map { .init($0, .failure(error)) }
    }
    var settled: [CommitQueue.Settlement] = []
    var placed: [CommitQueue.Entry] = []
    var group = group
    // The cursor must become valid together with the content. Otherwise a run that is killed between the two steps
    // would leave the records without the cursor up to which they are complete.
    let bound = group.filter { $0.temp != nil && $0.isAnnounced }
    if !bound.isEmpty {
      do {
        try announce(bound.map { ($0.name, $0.stamp) })
      } catch {
        for entry in bound {
          entry.temp?.discard()
          settled.append(.init(entry, .failure(error)))
        }
        group.removeAll { $0.temp != nil && $0.isAnnounced }
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

  /// Gives the new file of an entry its final name; does nothing for an entry without new content.
  private func put(_ entry: inout CommitQueue.Entry) throws(ReactorError) {
    guard let temp = entry.temp else { return }
    do {
      guard temp.isUnnamed else { return try temp.publish(as: entry.name) }
      do { return try temp.publish(as: entry.name) } catch {}
      // Another program has created a file with this name since, or the system cannot give a name to an unnamed file.
      // Therefore a named copy replaces the file; only the copy's error is reported.
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
