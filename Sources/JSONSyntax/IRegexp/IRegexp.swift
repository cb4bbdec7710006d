/// An interoperable regular expression (RFC 9485), matched in time linear in the text.
///
/// `^` and `$` outside brackets are taken as RFC 9485's mappings to other dialects take them: the start and the end of
/// the text. Matching works on Unicode scalars; nothing is folded or normalized.
package struct IRegexp: Sendable {
  /// Instructions that a pattern may come to once its counted repetitions are written out.
  static let maximumSize = 10_000

  /// How deep groups may nest.
  static let maximumDepth = 50

  let program: [Instruction]
  let sets: [ScalarSet]

  /// Parses and compiles a pattern; with `capturing`, ``firstMatch(in:budget:)`` also tells where its first group stood.
  package init(parsing pattern: String, capturing: Bool = false) throws(IRegexpError) {
    var parser = IRegexpParser(pattern)
    parser.capturesNext = capturing
    let expression = try parser.parse()
    var compiler = IRegexpCompiler()
    self.program = try compiler.compile(expression)
    self.sets = parser.sets
  }

  /// The parsed form.
  indirect enum Expression: Sendable {
    case scalar(Unicode.Scalar)
    case set(Int)
    case start
    case end
    case sequence([Expression])
    case alternatives([Expression])
    /// The group whose place is asked for.
    case captured(Expression)
    /// Repeated `minimum` to `maximum` times, nil for any number.
    case repeated(Expression, Int, Int?)
  }

  /// A step of the automaton.
  enum Instruction: Sendable, Hashable {
    case scalar(Unicode.Scalar)
    case set(Int)
    case start
    case end
    case split(Int, Int)
    case jump(Int)
    /// Here the captured group starts, or ends.
    case mark(isEnd: Bool)
    case accept
  }
}
