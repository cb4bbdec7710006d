/// The values of `components_values` for template streams, if they come from a file or a list of the configuration.
///
/// Each value becomes a variable of the generated flow. The name of the variable is preliminary: it identifies the
/// mapping that uses the variable.
final class ItemNames {
  /// One value that a mapping uses.
  struct Use {
    /// The preliminary name of the variable.
    let mark: String
    /// The path of the value in its item; empty for an item that is a text.
    let keys: [String]
  }

  private let prefix: String
  /// Whether the items are texts instead of objects.
  private let areTexts: Bool
  private(set) var uses: [Use] = []

  init(prefix: String, areTexts: Bool) {
    self.prefix = prefix
    self.areTexts = areTexts
  }

  /// The expression for the value at a path of an item.
  func value(of keys: [String]) throws(JinjaError) -> FlowExpression {
    guard !areTexts else { throw JinjaError("an element of the list is a text, and has no members") }
    guard !keys.isEmpty else { throw JinjaError("an item as a whole cannot be translated") }
    return use(keys)
  }

  /// The expression for an item that is a text, which the manifest writes as the second element of a pair; nil for
  /// other expressions.
  func element(of path: (root: String, keys: [String], fallback: JinjaExpression?)?, _ key: JinjaExpression)
    -> FlowExpression?
  {
    guard areTexts, let path, path.root == "components_values", path.keys == ["source_config_0"], key == .integer("1")
    else { return nil }
    return use([])
  }

  private func use(_ keys: [String]) -> FlowExpression {
    let known = uses.first { $0.keys == keys }
    let mark = known?.mark ?? "\(prefix)\(uses.count)_"
    if known == nil { uses.append(Use(mark: mark, keys: keys)) }
    return FlowExpression("vars.\(mark)", keys.isEmpty ? .string : .any)
  }
}
