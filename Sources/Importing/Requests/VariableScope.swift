/// The variables that requests of a folder can use.
final class VariableScope {
  /// A variable.
  final class Definition {
    let key: String
    /// The value; nil for one that must be given.
    var value: SourceNode?
    var isSecret: Bool
    let description: String?
    /// The template that replaces the variable, once it is known.
    var template: FlowTemplate?
    /// Whether the value is being translated now, to find a variable that contains itself.
    var isOpen = false

    init(_ key: String, _ value: SourceNode?, isSecret: Bool = false, description: String? = nil) {
      self.key = key
      self.value = value
      self.isSecret = isSecret
      self.description = description
    }
  }

  private let outer: VariableScope?
  private var definitions: [String: Definition] = [:]

  init(in outer: VariableScope? = nil) { self.outer = outer }

  /// Defines a variable of this folder; a later definition replaces an earlier one.
  func define(_ definition: Definition) { definitions[definition.key] = definition }

  /// Defines the members of an object as variables, and the members of inner objects by their whole names, such as
  /// `shop.url`.
  func define(members node: SourceNode, under prefix: String = "") {
    for member in node.members ?? [] {
      let key = prefix + member.name
      define(Definition(key, member.value))
      if member.value.members != nil { define(members: member.value, under: key + ".") }
    }
  }

  /// The variable with a name: the one of this folder, else the one of the next outer folder that has it.
  subscript(_ key: String) -> Definition? {
    var scope: VariableScope? = self
    while let current = scope {
      if let found = current.definitions[key] { return found }
      scope = current.outer
    }
    return nil
  }

  /// The scope of the whole file.
  var outermost: VariableScope { outer?.outermost ?? self }
}
