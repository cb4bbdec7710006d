/// The state of a list or mapping whose end has not been read yet. Its children are in the stacks of `TreeBuilder`.
///
/// The state contains only numbers, so the builder can change it in place for every child without reference counting.
struct OpenCollection {
  let isMapping: Bool
  /// Whether the collection is in brackets, or is a single pair in a bracketed list.
  let isFlow: Bool
  /// The start of the collection, after its anchor and tag.
  let start: Int
  let hasAnchor: Bool
  /// The end of the part that has been read.
  var end: Int
  /// The size and depth of the collection with the children read so far.
  var measure = NodeMeasure()
  /// What the next child of the mapping is: a key or a value.
  var expectation = Expectation.key
  /// Whether the mapping has a merge key.
  var hasMerge = false

  /// What the next child of a mapping is: a key, or one of three kinds of values.
  enum Expectation {
    case key
    /// The value of the last key.
    case value
    /// The value of the last merge key.
    case mergeValue
    /// The value of a key with an error; this value is dropped.
    case refusedValue
  }

  init(isMapping: Bool, isFlow: Bool, start: Int, hasAnchor: Bool) {
    self.isMapping = isMapping
    self.isFlow = isFlow
    self.start = start
    self.hasAnchor = hasAnchor
    self.end = start
  }
}

/// The pairs of an open mapping, with a lookup by name.
struct PairList {
  private(set) var entries: [YAMLMapping.Entry] = []
  /// The index of each name in `entries`; filled only when a linear search would be too slow.
  private var indices: [String: Int] = [:]

  /// The maximum number of names for which a linear search is faster than a table.
  private static let fewEntries = 12

  /// The index in `entries` of the pair with a name; nil when there is none.
  func index(of name: String) -> Int? {
    if indices.isEmpty { return entries.firstIndex { $0.name == name } }
    return indices[name]
  }

  /// Adds an entry. Its name must be new, unless repeated keys are allowed.
  mutating func append(_ entry: consuming YAMLMapping.Entry) {
    if entries.isEmpty { entries.reserveCapacity(4) }
    entries.append(entry)
    guard entries.count > Self.fewEntries else { return }
    // When the table is created, it gets all entries so far. After that, it gets each new entry.
    for index in (indices.isEmpty ? 0 : entries.count - 1)..<entries.count { indices[entries[index].name] = index }
  }
}

/// The size and depth of a node, from which those of the enclosing collection are computed.
struct NodeMeasure {
  /// The number of nodes in the subtree, including this node and the nodes that aliases add.
  var size = 1
  /// The number of nested levels of lists and mappings, including this node.
  var height = 0
  /// Whether the node and its children were read completely.
  var isWhole = true

  /// Adds the size of a child, and takes its depth if it is the deepest child.
  mutating func add(_ child: NodeMeasure) {
    size += child.size
    height = max(height, child.height)
    if !child.isWhole { isWhole = false }
  }
}

/// A finished node that aliases may refer to.
struct BuiltNode {
  let node: YAMLNode
  let measure: NodeMeasure
}

/// An anchor: the name of a node.
struct Anchor {
  /// The range of the name with its `&`, in bytes of the file.
  let offsets: Range<Int>
  /// The node; nil while the node is open, because an alias would then make the node contain itself.
  var target: BuiltNode?
}
