/// An interoperable regular expression (RFC 9485), matched in time linear in the text.
///
/// `^` and `$` outside brackets are taken as RFC 9485's mappings to other dialects take them: the start and the end of
/// the text. Matching works on Unicode scalars; nothing is folded or normalized.
struct IRegexp: Sendable {
  /// Instructions that a pattern may come to once its counted repetitions are written out.
  static let maximumSize = 10_000

  /// How deep groups may nest.
  static let maximumDepth = 50

  let program: [Instruction]
  let sets: [ScalarSet]

  /// Parses and compiles a pattern.
  init(parsing pattern: String) throws(IRegexpError) {
    var parser = IRegexpParser(pattern)
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
    case accept
  }
}
