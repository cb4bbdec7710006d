/// Writes an expression out as an automaton, within ``IRegexp/maximumSize`` instructions.
struct IRegexpCompiler {
  private var program: [IRegexp.Instruction] = []

  mutating func compile(_ expression: IRegexp.Expression) throws(IRegexpError) -> [IRegexp.Instruction] {
    // Measured before anything is written, so that `((a{1000}){1000}){1000}` costs nothing.
    guard size(of: expression) <= IRegexp.maximumSize else {
      throw IRegexpError(
        "the pattern's repetitions come to more than \(IRegexp.maximumSize) steps; use '*' or '+' or lesser counts",
        isLimit: true)
    }
    emit(expression)
    program.append(.accept)
    return program
  }

  /// Instructions needed, or any number above the limit.
  private func size(of expression: IRegexp.Expression) -> Int {
    let beyond = IRegexp.maximumSize + 1
    switch expression {
    case .scalar, .set, .start, .end:
      return 1
    case .sequence(let parts):
      return parts.reduce(0) { min($0 + size(of: $1), beyond) }
    case .alternatives(let branches):
      return branches.reduce(0) { min($0 + size(of: $1) + 2, beyond) }
    case .captured(let inner):
      return min(size(of: inner) + 2, beyond)
    case .repeated(let inner, let minimum, let maximum):
      let each = size(of: inner)
      if each == 0 { return 0 }
      let copies = min(maximum.map { max($0, 1) } ?? max(minimum, 1), beyond)
      return min(copies * (each + 2), beyond)
    }
  }

  private mutating func emit(_ expression: IRegexp.Expression) {
    switch expression {
    case .scalar(let scalar): program.append(.scalar(scalar))
    case .set(let set): program.append(.set(set))
    case .start: program.append(.start)
    case .end: program.append(.end)
    case .sequence(let parts):
      for part in parts { emit(part) }
    case .alternatives(let branches):
      emit(branches)
    case .captured(let inner):
      program.append(.mark(isEnd: false))
      emit(inner)
      program.append(.mark(isEnd: true))
    case .repeated(let inner, let minimum, let maximum):
      // What is empty stays empty however often it is repeated.
      guard size(of: inner) > 0 else { return }
      for _ in 0..<minimum { emit(inner) }
      if let maximum { emitOptional(inner, times: maximum - minimum) } else { emitLoop(inner) }
    }
  }

  private mutating func emit(_ branches: [IRegexp.Expression]) {
    var jumps: [Int] = []
    for branch in branches.dropLast() {
      let split = program.count
      program.append(.split(split + 1, split + 1))
      emit(branch)
      jumps.append(program.count)
      program.append(.jump(0))
      program[split] = .split(split + 1, program.count)
    }
    if let last = branches.last { emit(last) }
    for jump in jumps { program[jump] = .jump(program.count) }
  }

  private mutating func emitLoop(_ inner: IRegexp.Expression) {
    let split = program.count
    program.append(.split(split + 1, split + 1))
    emit(inner)
    program.append(.jump(split))
    program[split] = .split(split + 1, program.count)
  }

  private mutating func emitOptional(_ inner: IRegexp.Expression, times: Int) {
    var splits: [Int] = []
    for _ in 0..<times {
      splits.append(program.count)
      program.append(.split(0, 0))
      emit(inner)
    }
    for split in splits { program[split] = .split(split + 1, program.count) }
  }
}
