internal import JSONSyntax

/// The index of a node in ``Program/nodes``.
typealias Ref = Int32

/// A parsed program. Flat, so that neither running nor releasing one recurses however deep it is written.
struct Program: Sendable {
  var nodes: [Node] = []
  /// Whether ``Machine`` evaluates a node without a frame.
  var isQuick: [Bool] = []
  var constants: [JSONValue] = []
  /// Argument lists, and the keys and values of objects.
  var lists: [Ref] = []
  var functions: [Function] = []

  /// A function's body and how many closures it takes.
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

  /// `.a.b.c` is quick up to four names, which bounds the recursion.
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

/// A step of a program; the numbers are indices of other nodes, constants or lists.
enum Node: Sendable {
  case identity
  case constant(Int32)
  /// `.name` of a target.
  case field(Ref, Int32)
  /// `target[key]`
  case index(Ref, key: Ref)
  /// `target[from:to]`, each of them -1 where it is not written.
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
  /// The last is -1 where there is no `else`.
  case condition(Ref, Ref, Ref)
  /// The last is -1 where there is no `catch`.
  case attempt(Ref, Ref)
  case array(Ref)
  /// Keys and values in ``Program/lists`` from an index on, and the number of pairs.
  case object(Int32, Int32)
  /// A bound value, by the number of bindings above it.
  case variable(Int32)
  case bind(Ref, Ref)
  /// Evaluated without the innermost binding.
  case outer(Ref)
  case reduce(source: Ref, initial: Ref, update: Ref)
  /// The last is -1 where there is no third part.
  case foreach(source: Ref, initial: Ref, update: Ref, extract: Ref)
  /// As many results of the second as the first, which is quick and at least 1, says.
  case limit(Ref, Ref)
  case label(Ref)
  case exit(Int32)
  /// A function, its arguments in ``Program/lists``, and the number of bindings above its definition (-1: at the top).
  case call(function: Int32, arguments: Int32, up: Int32)
  /// A closure, by the number of bindings above it.
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
