/// The names that an expression may use, with their types.
public struct ExpressionScopeType: Sendable, Hashable {
  /// The names in the order in which help lists them.
  public var names: [ExpressionType.Member]
  /// What to say about a name that is not known, such as where it would be declared; nil lists the names.
  public var help: String?

  /// Builds a scope.
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
