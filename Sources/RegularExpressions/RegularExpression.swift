/// A regular expression that is compiled to an automaton and matched in linear time.
///
/// The type has no syntax of its own: I-Regexp and the patterns of jq are parsed into an `Expression`. Matching works
/// on Unicode scalars, without case folding or normalisation.
package struct RegularExpression: Sendable {
  /// The parsed expression.
  package indirect enum Expression: Sendable {
    case scalar(UInt32)
    /// A scalar of the set at this index.
    case set(Int)
    case assertion(Assertion)
    case sequence([Expression])
    /// Alternatives; earlier alternatives are preferred.
    case alternatives([Expression])
    /// A group with its number, from 1. A match contains the range of each group.
    case group(Expression, Int)
    /// A repetition with its minimum and maximum count; a maximum of nil means any count.
    case repeated(Expression, Int, Int?, isGreedy: Bool = true)
  }

  /// A condition at a position between two scalars.
  package enum Assertion: Sendable {
    case textStart
    case textEnd
    /// The end of the text, or the position before a line end that ends the text.
    case lastLineEnd
    case wordBoundary(Bool)
  }

  enum Instruction: Sendable {
    case scalar(UInt32)
    case set(Int)
    case assertion(Assertion)
    /// Continues at the first index; when that does not match, continues at the second.
    case split(Int, Int)
    case jump(Int)
    /// Saves the position in the text in this slot.
    case save(Int)
    case accept
  }

  private(set) var program: [Instruction] = []
  let sets: [ScalarSet]
  let groupCount: Int

  /// The number of instructions.
  package var size: Int { program.count }

  /// Compiles an expression; nil when it needs more than `maximumSize` instructions.
  ///
  /// - Parameters:
  ///   - sets: the sets to which the expression refers by index
  ///   - groupCount: the highest group number
  package init?(_ expression: Expression, sets: [ScalarSet], groupCount: Int, maximumSize: Int) {
    self.sets = sets
    self.groupCount = groupCount
    // The size is computed before any instruction is written, so that `((a{1000}){1000}){1000}` costs nothing.
    guard expression.size(beyond: maximumSize + 1) <= maximumSize else { return nil }
    write(.group(expression, 0))
    program.append(.accept)
  }

  private mutating func write(_ expression: Expression) {
    switch expression {
    case .scalar(let value): program.append(.scalar(value))
    case .set(let index): program.append(.set(index))
    case .assertion(let assertion): program.append(.assertion(assertion))
    case .sequence(let parts): for part in parts { write(part) }
    case .alternatives(let parts):
      var jumps: [Int] = []
      for part in parts.dropLast() {
        let split = program.count
        program.append(.accept)
        write(part)
        jumps.append(program.count)
        program.append(.accept)
        program[split] = .split(split + 1, program.count)
      }
      if let last = parts.last { write(last) }
      for jump in jumps { program[jump] = .jump(program.count) }
    case .group(let inner, let number):
      program.append(.save(2 * number))
      write(inner)
      program.append(.save(2 * number + 1))
    case .repeated(let inner, let minimum, let maximum, let isGreedy):
      // A repetition of an empty expression is empty.
      guard inner.size(beyond: 1) > 0 else { return }
      for _ in 0..<minimum { write(inner) }
      let start = program.count
      var splits: [Int] = []
      for _ in 0..<max(maximum.map { $0 - minimum } ?? 1, 0) {
        splits.append(program.count)
        program.append(.accept)
        write(inner)
      }
      if maximum == nil { program.append(.jump(start)) }
      for split in splits {
        program[split] = isGreedy ? .split(split + 1, program.count) : .split(program.count, split + 1)
      }
    }
  }
}

extension RegularExpression.Expression {
  /// The number of required instructions, but at most `beyond`.
  fileprivate func size(beyond: Int) -> Int {
    switch self {
    case .scalar, .set, .assertion: return 1
    case .sequence(let parts): return parts.reduce(0) { min($0 + $1.size(beyond: beyond), beyond) }
    case .alternatives(let parts): return parts.reduce(0) { min($0 + $1.size(beyond: beyond) + 2, beyond) }
    case .group(let inner, _): return min(inner.size(beyond: beyond) + 2, beyond)
    case .repeated(let inner, let minimum, let maximum, _):
      let each = inner.size(beyond: beyond)
      if each == 0 { return 0 }
      return min(min(max(maximum ?? minimum, minimum, 1), beyond) * (each + 2), beyond)
    }
  }
}
