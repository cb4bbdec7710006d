extension RegularExpression {
  /// Finds the leftmost match from an index on.
  ///
  /// The result contains the start and end of the match, then the start and end of each group; -1 for a group without
  /// a match. Of several matches with the same start, earlier alternatives are preferred, then longer repetitions, or
  /// shorter ones when the repetition is lazy.
  ///
  /// - Parameters:
  ///   - isWhole: whether only a match of the whole rest of the text counts
  ///   - spend: called for each scalar with the number of instructions tried on it; may throw to end the search
  /// - Complexity: text length × program size, for every pattern
  package func firstMatch<Failure: Error>(
    in text: [UInt32], from start: Int = 0, isWhole: Bool = false, spend: (Int) throws(Failure) -> Void
  ) throws(Failure) -> [Int]? {
    let unset = Array(repeating: -1, count: 2 * groupCount + 2)
    var now = Threads(program.count)
    var next = Threads(program.count)
    var best: [Int]?
    var index = start
    while true {
      // The new thread gets the lowest priority, because a thread that began further left is preferred.
      if best == nil, !isWhole || index == start { follow(0, unset, at: index, text, &now) }
      try spend(now.visits + 1)
      if now.ready.isEmpty, best != nil || isWhole { return best }
      let scalar = index < text.count ? text[index] : nil
      threads: for thread in now.ready {
        switch program[thread.instruction] {
        case .accept where !isWhole || scalar == nil:
          best = thread.saved
          // The remaining threads have a lower priority.
          break threads
        case .scalar(let expected) where scalar == expected:
          follow(thread.instruction + 1, thread.saved, at: index + 1, text, &next)
        case .set(let set):
          if let scalar, sets[set].contains(scalar) {
            follow(thread.instruction + 1, thread.saved, at: index + 1, text, &next)
          }
        default: break
        }
      }
      guard scalar != nil else { return best }
      now.removeAll()
      swap(&now, &next)
      index += 1
    }
  }

  /// Adds an instruction, and all instructions that can be reached from it without reading a scalar, in order of
  /// preference.
  private func follow(_ first: Int, _ saved: [Int], at index: Int, _ text: [UInt32], _ threads: inout Threads) {
    var pending = [(first, saved)]
    while let (instruction, saved) = pending.popLast() {
      guard threads.enter(instruction) else { continue }
      switch program[instruction] {
      case .jump(let target): pending.append((target, saved))
      case .split(let one, let other):
        pending.append((other, saved))
        pending.append((one, saved))
      case .save(let slot):
        var saved = saved
        saved[slot] = index
        pending.append((instruction + 1, saved))
      case .assertion(let assertion):
        if holds(assertion, at: index, text) { pending.append((instruction + 1, saved)) }
      case .scalar, .set, .accept: threads.ready.append((instruction, saved))
      }
    }
  }

  private func holds(_ assertion: Assertion, at index: Int, _ text: [UInt32]) -> Bool {
    switch assertion {
    case .textStart: return index == 0
    case .textEnd: return index == text.count
    case .lastLineEnd: return index == text.count || index == text.count - 1 && text[index] == 0x0A
    case .wordBoundary(let wanted):
      let before = index > 0 && ScalarSet.isWord(text[index - 1])
      let after = index < text.count && ScalarSet.isWord(text[index])
      return (before != after) == wanted
    }
  }

  /// The possible matches of the text read so far, in order of priority, with each instruction at most once.
  private struct Threads {
    var ready: [(instruction: Int, saved: [Int])] = []
    /// The number of instructions entered, including instructions that read no scalar.
    ///
    /// An expression such as `(||||)*` may have thousands of instructions that read no scalar.
    private(set) var visits = 0
    private var marks: [Int]
    private var mark = 1

    init(_ size: Int) { marks = Array(repeating: 0, count: size) }

    mutating func enter(_ instruction: Int) -> Bool {
      guard marks[instruction] != mark else { return false }
      marks[instruction] = mark
      visits += 1
      return true
    }

    mutating func removeAll() {
      ready.removeAll(keepingCapacity: true)
      visits = 0
      mark += 1
    }
  }
}
