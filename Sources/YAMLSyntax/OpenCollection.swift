/// The state of an open collection. Its children are in the builder's stacks.
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
  /// The measure of the collection with the children read so far.
  var measure = NodeMeasure()
  /// The role of the next node of a mapping.
  var expectation = Expectation.key
  /// Whether the mapping has a merge key.
  var hasMerge = false

  /// The role of the next node of a mapping.
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
  /// The indices in `entries` by name; filled only when a linear search would be too slow.
  private var indices: [String: Int] = [:]

  /// The maximum number of names for which a linear search is faster than a table.
  private static let fewEntries = 12

  /// The index of a name; nil when it does not exist.
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

/// The size of a node, as it counts for its collection.
struct NodeMeasure {
  /// The number of nodes, with this node and with expanded aliases.
  var size = 1
  /// The number of levels of collections, with this node.
  var height = 0
  /// Whether the node and its children were read completely.
  var isWhole = true

  /// Adds the measure of a child.
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
