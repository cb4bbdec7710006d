/// A finished node with what its limits and its aliases need to know.
struct BuiltNode {
  let node: YAMLNode
  /// Nodes in it, itself included, aliases expanded.
  var size = 1
  /// Levels of nodes below it.
  var height = 0
  /// Whether nothing of it is missing.
  var isWhole = true
}
