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

  /// The lookup of a member whose root was left out: `vars.region` for `region`; nil if no root has such a member.
  public func path(to name: String) -> String? {
    names.first { root in
      if case .object(let object) = root.type.unwrapped { object.member(name) != nil } else { false }
    }.map { "\($0.name).\(name)" }
  }

  /// The root of the scope that corresponds to a root of another program: `vars` for `config`; nil if the scope has
  /// none.
  public func foreignRoot(_ name: String) -> String? {
    Self.foreignRoots[name.lowercased()]?.first { self[$0] != nil }
  }

  private static let foreignRoots = [
    "config": ["vars"], "var": ["vars"], "variables": ["vars"], "params": ["vars"], "parameters": ["vars"],
    "inputs": ["vars"], "env": ["env"], "environment": ["env"], "environ": ["env"], "process": ["env"],
    "row": ["record"], "item": ["record", "parent"], "this": ["record", "response"], "self": ["record", "response"],
    "it": ["record"], "body": ["response"], "data": ["response"], "json": ["response"], "result": ["response"],
    "stream_partition": ["parent"], "stream_slice": ["parent"], "partition": ["parent"],
  ]
}
