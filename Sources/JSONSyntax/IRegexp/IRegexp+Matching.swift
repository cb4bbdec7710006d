extension IRegexp {
  /// Whether the whole text matches, or with `anywhere` a part of it.
  ///
  /// `budget` falls by about one for each instruction tried on each scalar; nil when it is used up.
  /// - Complexity: text length × program size, whatever the pattern.
  package func matches(_ text: String, anywhere: Bool, budget: inout Int) -> Bool? {
    var now = States(size: program.count)
    var next = States(size: program.count)
    var iterator = text.unicodeScalars.makeIterator()
    var scalar = iterator.next()
    var isStart = true
    while true {
      if isStart || anywhere { follow(0, into: &now, isStart: isStart, isEnd: scalar == nil) }
      budget -= now.places.count + 1
      guard budget >= 0 else { return nil }
      if now.isAccepting, anywhere || scalar == nil { return true }
      guard let read = scalar else { return false }
      if now.places.isEmpty, !anywhere { return false }
      scalar = iterator.next()
      next.removeAll()
      for place in now.places where takes(program[place], read) {
        follow(place + 1, into: &next, isStart: false, isEnd: scalar == nil)
      }
      swap(&now, &next)
      isStart = false
    }
  }

  func takes(_ instruction: Instruction, _ scalar: Unicode.Scalar) -> Bool {
    switch instruction {
    case .scalar(let expected): expected == scalar
    case .set(let set): sets[set].contains(scalar)
    default: false
    }
  }

  /// Adds a place and all that is reached from it without reading.
  private func follow(_ first: Int, into states: inout States, isStart: Bool, isEnd: Bool) {
    states.pending.append(first)
    while let place = states.pending.popLast() {
      guard states.insert(place) else { continue }
      switch program[place] {
      case .jump(let target): states.pending.append(target)
      case .mark: states.pending.append(place + 1)
      case .split(let one, let other):
        states.pending.append(other)
        states.pending.append(one)
      case .start: if isStart { states.pending.append(place + 1) }
      case .end: if isEnd { states.pending.append(place + 1) }
      case .accept: states.isAccepting = true
      case .scalar, .set: states.places.append(place)
      }
    }
  }

  /// The places where the automaton stands, each at most once.
  private struct States {
    /// Places that read a scalar.
    var places: [Int] = []
    var isAccepting = false
    var pending: [Int] = []
    private var marks: [UInt32]
    private var mark: UInt32 = 1

    init(size: Int) { marks = Array(repeating: 0, count: size) }

    mutating func insert(_ place: Int) -> Bool {
      guard marks[place] != mark else { return false }
      marks[place] = mark
      return true
    }

    mutating func removeAll() {
      places.removeAll(keepingCapacity: true)
      isAccepting = false
      if mark == .max {
        for index in marks.indices { marks[index] = 0 }
        mark = 0
      }
      mark += 1
    }
  }
}
