internal import JSONSyntax

/// The index of a node in ``Program/nodes``.
typealias Ref = Int32

/// A parsed program, stored in flat arrays.
///
/// Therefore neither running nor releasing a deeply nested program needs recursion.
struct Program: Sendable {
  var nodes: [Node] = []
  /// For each node, whether ``Machine`` evaluates it without a frame.
  var isQuick: [Bool] = []
  var constants: [JSONValue] = []
  /// Argument lists, and the keys and values of objects.
  var lists: [Ref] = []
  var functions: [Function] = []

  /// A function's body and the number of its closure parameters.
  struct Function: Sendable {
    var body: Ref = -1
    var parameterCount = 0
  }

  mutating func add(_ node: Node) -> Ref {
    nodes.append(node)
    isQuick.append(Self.isQuick(node, isQuick, nodes))
    return Ref(nodes.count - 1)
  }

  mutating func constant(_ value: JSONValue) -> Ref {
    constants.append(value)
    return add(.constant(Int32(constants.count - 1)))
  }

  mutating func name(_ text: String) -> Int32 {
    constants.append(.string(text))
    return Int32(constants.count - 1)
  }

  mutating func list(_ members: [Ref]) -> Int32 {
    lists.append(contentsOf: members)
    return Int32(lists.count - members.count)
  }

  /// Whether a node is evaluated without a frame.
  ///
  /// `.a.b.c` is quick up to four names; this bounds the recursion.
  private static func isQuick(_ node: Node, _ known: [Bool], _ nodes: [Node]) -> Bool {
    switch node {
    case .identity, .constant, .variable:
      return true
    case .field(var target, _):
      for _ in 0..<4 {
        switch nodes[Int(target)] {
        case .identity, .variable: return true
        case .field(let next, _): target = next
        default: return false
        }
      }
      return false
    default:
      return false
    }
  }
}

/// A step of a program; the numbers are indices of other nodes, of constants or of lists.
enum Node: Sendable {
  case identity
  case constant(Int32)
  /// `.name` of a target.
  case field(Ref, Int32)
  /// `target[key]`.
  case index(Ref, key: Ref)
  /// `target[from:to]`; a missing bound is -1.
  case slice(Ref, from: Ref, to: Ref)
  case each(Ref)
  case pipe(Ref, Ref)
  case comma(Ref, Ref)
  case arithmetic(Arithmetic, Ref, Ref)
  case comparison(JSONComparison, Ref, Ref)
  case and(Ref, Ref)
  case or(Ref, Ref)
  case alternative(Ref, Ref)
  case negation(Ref)
  /// Condition, `then` branch and `else` branch; the last is -1 without an `else`.
  case condition(Ref, Ref, Ref)
  /// Body and handler of a `try`; the handler is -1 without a `catch`.
  case attempt(Ref, Ref)
  case array(Ref)
  /// The first index of the keys and values in ``Program/lists``, and the number of pairs.
  case object(Int32, Int32)
  /// A bound value, by the number of bindings that are further inside.
  case variable(Int32)
  case bind(Ref, Ref)
  /// A node that is evaluated without the innermost binding.
  case outer(Ref)
  case reduce(source: Ref, initial: Ref, update: Ref)
  /// A `foreach`; `extract` is -1 without a third part.
  case foreach(source: Ref, initial: Ref, update: Ref, extract: Ref)
  /// `limit(n; f)`: the first node gives n, which is at least 1; the second node is f.
  ///
  /// The first node is `.`, a constant, a variable or a member name of these: ``Machine/quick`` evaluates it.
  case limit(Ref, Ref)
  case label(Ref)
  case exit(Int32)
  /// A function, its arguments in ``Program/lists``, and the number of bindings that are inside of its definition (-1:
  /// it is defined at the top).
  case call(function: Int32, arguments: Int32, up: Int32)
  /// A closure, by the number of bindings that are further inside.
  case parameter(Int32)
  case native(Native, arguments: Int32)
  case path(Ref)
  case modify(Ref, Ref)
}

/// `+`, `-`, `*`, `/` and `%`.
enum Arithmetic: String, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case remainder = "%"
}
