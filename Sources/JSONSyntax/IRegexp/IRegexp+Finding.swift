extension IRegexp {
  /// Where a match and its first group stand, in UTF-8 bytes of the text.
  package struct Match: Sendable, Hashable {
    /// The whole match.
    package var whole: Range<Int>
    /// The first group, where the pattern has one that took part; only found by a capturing pattern.
    package var group: Range<Int>?
  }

  /// How a search ended.
  package enum Search: Sendable, Hashable {
    case found(Match)
    case nothing
    /// The budget was used up before that.
    case budgetExceeded
  }

  /// Finds the leftmost match; of several that start there, earlier alternatives and longer repetitions win.
  ///
  /// `budget` falls by about one for each instruction tried on each scalar.
  /// - Complexity: text length × program size, whatever the pattern.
  package func firstMatch(in text: String, budget: inout Int) -> Search {
    var now = Threads(size: program.count)
    var next = Threads(size: program.count)
    var best: Match?
    var offset = 0
    var iterator = text.unicodeScalars.makeIterator()
    var scalar = iterator.next()
    while true {
      if best == nil {
        // Of least priority: a thread that began further left is preferred.
        follow(Thread(place: 0, start: offset), into: &now, at: offset, isEnd: scalar == nil)
      }
      budget -= now.visits + 1
      guard budget >= 0 else { return .budgetExceeded }
      guard !now.ready.isEmpty || best == nil else { break }
      let read = scalar
      let width = read.map { UTF8.width($0) } ?? 0
      if read != nil { scalar = iterator.next() }
      next.removeAll()
      for thread in now.ready {
        if program[thread.place] == .accept {
          best = Match(whole: thread.start..<offset, group: thread.group)
          break
        }
        guard let read, takes(program[thread.place], read) else { continue }
        var moved = thread
        moved.place += 1
        follow(moved, into: &next, at: offset + width, isEnd: scalar == nil)
      }
      guard read != nil else { break }
      offset += width
      swap(&now, &next)
    }
    return best.map { .found($0) } ?? .nothing
  }

  /// Adds a thread and all that it reaches without reading, in the order of priority.
  private func follow(_ first: Thread, into threads: inout Threads, at offset: Int, isEnd: Bool) {
    threads.pending.append(first)
    while var thread = threads.pending.popLast() {
      guard threads.insert(thread.place) else { continue }
      switch program[thread.place] {
      case .jump(let target):
        thread.place = target
        threads.pending.append(thread)
      case .split(let one, let other):
        thread.place = other
        threads.pending.append(thread)
        thread.place = one
        threads.pending.append(thread)
      case .start, .end:
        let holds = program[thread.place] == .start ? offset == 0 : isEnd
        thread.place += 1
        if holds { threads.pending.append(thread) }
      case .mark(let isGroupEnd):
        thread.place += 1
        if isGroupEnd { thread.groupEnd = offset } else { thread.groupStart = offset }
        threads.pending.append(thread)
      case .accept, .scalar, .set:
        threads.ready.append(thread)
      }
    }
  }

  /// One way to match what was read so far.
  private struct Thread {
    var place: Int
    var start: Int
    var groupStart = -1
    var groupEnd = -1

    var group: Range<Int>? { groupStart >= 0 && groupEnd >= groupStart ? groupStart..<groupEnd : nil }
  }

  /// Threads in the order of priority, each place at most once.
  private struct Threads {
    var ready: [Thread] = []
    var pending: [Thread] = []
    /// Places come by since it was empty, also those that read nothing: `(||||)*` has thousands of them.
    private(set) var visits = 0
    private var marks: [UInt32]
    private var mark: UInt32 = 1

    init(size: Int) { marks = Array(repeating: 0, count: size) }

    mutating func insert(_ place: Int) -> Bool {
      visits += 1
      guard marks[place] != mark else { return false }
      marks[place] = mark
      return true
    }

    mutating func removeAll() {
      ready.removeAll(keepingCapacity: true)
      visits = 0
      if mark == .max {
        for index in marks.indices { marks[index] = 0 }
        mark = 0
      }
      mark += 1
    }
  }
}
