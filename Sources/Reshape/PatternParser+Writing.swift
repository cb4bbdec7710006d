extension PatternParser {
  func size(_ expression: Expression) -> Int {
    let beyond = Pattern.maximumSize + 1
    switch expression {
    case .scalar, .set, .assertion: return 1
    case .sequence(let parts): return parts.reduce(0) { min($0 + size($1), beyond) }
    case .alternatives(let parts): return parts.reduce(0) { min($0 + size($1) + 2, beyond) }
    case .group(let inner, _): return min(size(inner) + 2, beyond)
    case .repeated(let inner, let least, let most, _):
      return min((size(inner) + 2) * min(max(most ?? least, least, 1) + 1, beyond), beyond)
    }
  }

  mutating func emit(_ expression: Expression) {
    switch expression {
    case .scalar(let value): pattern.program.append(.scalar(value))
    case .set(let place): pattern.program.append(.set(place))
    case .assertion(let instruction): pattern.program.append(instruction)
    case .sequence(let parts): for part in parts { emit(part) }
    case .alternatives(let parts):
      var jumps: [Int] = []
      for part in parts.dropLast() {
        let split = pattern.program.count
        pattern.program.append(.accept)
        emit(part)
        jumps.append(pattern.program.count)
        pattern.program.append(.accept)
        pattern.program[split] = .split(split + 1, pattern.program.count)
      }
      if let last = parts.last { emit(last) }
      for jump in jumps { pattern.program[jump] = .jump(pattern.program.count) }
    case .group(let inner, let number):
      pattern.program.append(.save(2 * number))
      emit(inner)
      pattern.program.append(.save(2 * number + 1))
    case .repeated(let inner, let least, let most, let isGreedy):
      for _ in 0..<least { emit(inner) }
      func fork(_ place: Int, _ after: Int) -> Pattern.Instruction {
        isGreedy ? .split(place + 1, after) : .split(after, place + 1)
      }
      guard let most else {
        let split = pattern.program.count
        pattern.program.append(.accept)
        emit(inner)
        pattern.program.append(.jump(split))
        pattern.program[split] = fork(split, pattern.program.count)
        return
      }
      var splits: [Int] = []
      for _ in least..<max(most, least) {
        splits.append(pattern.program.count)
        pattern.program.append(.accept)
        emit(inner)
      }
      for split in splits { pattern.program[split] = fork(split, pattern.program.count) }
    }
  }
}
