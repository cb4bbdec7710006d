/// The names in scope during parsing; mirrors the bindings that ``Machine`` creates during a run.
struct Scope {
  enum Kind {
    case value
    case closure
    case label
    case function
  }

  private struct Entry {
    var kind: Kind
    var name: String
    var count = 0
    var function: Int32 = 0
    /// The number of bindings before this binding.
    var position: Int
  }

  private var entries: [Entry] = []
  /// The number of bindings in scope.
  private(set) var height = 0

  /// The state for ``reset(to:)``.
  var mark: (Int, Int) { (entries.count, height) }

  mutating func reset(to mark: (Int, Int)) {
    entries.removeLast(entries.count - mark.0)
    height = mark.1
  }

  mutating func push(_ kind: Kind, _ name: String) {
    entries.append(Entry(kind: kind, name: name, position: height))
    height += 1
  }

  mutating func define(_ name: String, _ count: Int, _ function: Int32) {
    entries.append(Entry(kind: .function, name: name, count: count, function: function, position: height))
  }

  /// The number of bindings between the innermost binding and a value or label.
  func find(_ kind: Kind, _ name: String) -> Int32? {
    for entry in entries.reversed() where entry.kind == kind && entry.name == name {
      return Int32(height - 1 - entry.position)
    }
    return nil
  }

  /// The function or parameter with a name and a number of arguments.
  func callee(_ name: String, _ count: Int) -> (function: Int32?, up: Int32)? {
    for entry in entries.reversed() where entry.name == name {
      if entry.kind == .closure, count == 0 { return (nil, Int32(height - 1 - entry.position)) }
      if entry.kind == .function, entry.count == count {
        return (entry.function, entry.position == 0 ? -1 : Int32(height - entry.position))
      }
    }
    return nil
  }

  func names(_ kind: Kind) -> [String] { entries.filter { $0.kind == kind }.map(\.name) }

  /// The functions and parameters with their numbers of arguments.
  var callees: [(name: String, count: Int)] {
    entries.compactMap { $0.kind == .closure ? ($0.name, 0) : $0.kind == .function ? ($0.name, $0.count) : nil }
  }
}
