/// What a node adds to what it stands in.
struct NodeMeasure {
  /// Nodes, itself included, aliases expanded.
  var size = 1
  /// Levels of collections, itself included.
  var height = 0
  /// Whether nothing of it is missing.
  var isWhole = true

  /// Takes the measure of a child.
  mutating func add(_ child: NodeMeasure) {
    size += child.size
    height = max(height, child.height)
    if !child.isWhole { isWhole = false }
  }
}
