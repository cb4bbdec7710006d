import Expressions
import FlowModel
import SourceDiagnostics

/// The variables of a file that have been read so far.
///
/// A variable may be computed from the variables before it, so a scope is created for each variable. Therefore the time
/// for adding a variable, and for sharing all variables with a scope, hardly depends on the number of variables.
struct DeclaredVariables: Sendable {
  private var declarations: [String: VariableDeclaration] = [:]
  private var untyped: Set<String> = []
  /// The names of the variables with their types, sorted by name.
  private(set) var members: [ExpressionType.Member] = []

  /// The names of the variables, sorted.
  var names: [String] { members.map(\.name) }
  /// The variables in the order of the file.
  var asWritten: [VariableDeclaration] {
    declarations.values.sorted { $0.name.range.offsets.lowerBound < $1.name.range.offsets.lowerBound }
  }
  /// Whether the type of at least one variable has an error.
  var hasUntyped: Bool { !untyped.isEmpty }

  subscript(_ name: String) -> VariableDeclaration? { declarations[name] }

  /// Whether the type of a variable is known.
  func isTyped(_ name: String) -> Bool { declarations[name] != nil && !untyped.contains(name) }

  /// Adds a variable, or replaces the one with its name.
  ///
  /// - Parameter isTyped: whether its type has no error
  mutating func declare(_ variable: VariableDeclaration, isTyped: Bool = true) {
    let name = variable.name.value
    if isTyped { untyped.remove(name) } else { untyped.insert(name) }
    let member = ExpressionType.Member(name, isTyped ? variable.type.expressionType : .dynamic)
    let index = index(of: name)
    if declarations.updateValue(variable, forKey: name) == nil {
      members.insert(member, at: index)
    } else {
      members[index] = member
    }
  }

  /// The index of a name in `members`, or the index at which it would be inserted.
  private func index(of name: String) -> Int {
    var (low, high) = (0, members.count)
    while low < high {
      let middle = (low + high) / 2
      if members[middle].name < name { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
