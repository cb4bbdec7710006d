/// The names that an expression may use, with their types.
public struct ExpressionScopeType: Sendable, Hashable {
  /// The names, in the order of the list in help texts.
  public var names: [ExpressionType.Member]
  /// The help for an unknown name, such as where to declare it; nil lists the known names.
  public var help: String?

  /// Creates a scope.
  public init(_ names: KeyValuePairs<String, ExpressionType> = [:], help: String? = nil) {
    self.names = names.map { ExpressionType.Member($0.key, $0.value) }
    self.help = help
  }

  /// The type of a name; setting nil removes it.
  public subscript(_ name: String) -> ExpressionType? {
    get { names.first { $0.name == name }?.type }
    set {
      if let position = names.firstIndex(where: { $0.name == name }) {
        if let newValue { names[position].type = newValue } else { names.remove(at: position) }
      } else if let newValue {
        names.append(ExpressionType.Member(name, newValue))
      }
    }
  }
}
