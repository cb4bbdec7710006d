extension Pattern {
  /// Where the leftmost match from a place on begins and ends, with its groups: start and end of each, -1 where it took
  /// no part. Alternatives are preferred in the order in which they stand.
  ///
  /// Each instruction tried on each scalar is a quarter of a step.
  func firstMatch(in text: [UInt32], from start: Int, meter: inout Meter) throws(Interruption) -> [Int]? {
    let slots = 2 * names.count + 2
    var now = Threads(program.count)
    var following = Threads(program.count)
    var best: [Int]?
    var place = start
    while true {
      if best == nil { follow(0, Array(repeating: -1, count: slots), at: place, text, &now) }
      try meter.step(1 + now.list.count * (4 + slots) / 16)
      if now.list.isEmpty, best != nil { return best }
      let scalar = place < text.count ? text[place] : nil
      threads: for thread in now.list {
        switch program[thread.place] {
        case .accept:
          best = thread.saved
          // The later ones are less preferred.
          break threads
        case .scalar(let expected) where scalar == expected:
          follow(thread.place + 1, thread.saved, at: place + 1, text, &following)
        case .set(let set):
          if let scalar, classes[set].contains(scalar) {
            follow(thread.place + 1, thread.saved, at: place + 1, text, &following)
          }
        default: break
        }
      }
      guard scalar != nil else { return best }
      now.removeAll()
      swap(&now, &following)
      place += 1
    }
  }

  private struct Threads {
    var list: [(place: Int, saved: [Int])] = []
    private var marks: [Int]
    private var mark = 1

    init(_ size: Int) { marks = Array(repeating: 0, count: size) }

    mutating func enter(_ place: Int) -> Bool {
      guard marks[place] != mark else { return false }
      marks[place] = mark
      return true
    }

    mutating func removeAll() {
      list.removeAll(keepingCapacity: true)
      mark += 1
    }
  }

  /// Adds a place and what is reached from it without reading, most preferred first.
  private func follow(_ first: Int, _ saved: [Int], at place: Int, _ text: [UInt32], _ threads: inout Threads) {
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
        saved[slot] = place
        pending.append((instruction + 1, saved))
      case .textStart: if place == 0 { pending.append((instruction + 1, saved)) }
      case .textEnd: if place == text.count { pending.append((instruction + 1, saved)) }
      case .lastLineEnd:
        if place == text.count || place == text.count - 1 && text[place] == 0x0A {
          pending.append((instruction + 1, saved))
        }
      case .wordBoundary(let wanted):
        let before = place > 0 && CharacterClass.isWord(text[place - 1])
        let after = place < text.count && CharacterClass.isWord(text[place])
        if (before != after) == wanted { pending.append((instruction + 1, saved)) }
      case .scalar, .set, .accept: threads.list.append((instruction, saved))
      }
    }
  }
}
