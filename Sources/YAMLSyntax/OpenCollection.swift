/// The state of an open collection; its children are in the builder's stacks.
///
/// It contains numbers only: the builder changes it in place for every child without counting references.
struct OpenCollection {
  let isMapping: Bool
  /// Whether it is written in brackets, or is a single pair in a bracketed list.
  let isFlow: Bool
  /// Its start, behind its anchor and tag.
  let start: Int
  let hasAnchor: Bool
  /// The end of the part that was read.
  var end: Int
  /// It with the children read so far.
  var measure = NodeMeasure()
  /// The role of the next node of a mapping.
  var expectation = Expectation.key
  /// Whether a merge key was seen.
  var hasMerge = false

  /// The role of the next node of a mapping.
  enum Expectation {
    case key
    /// The value of the last key.
    case value
    /// The value of the last merge key.
    case mergeValue
    /// The value of a key with an error, which is dropped.
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

/// The pairs of an open mapping, found by name.
struct PairList {
  private(set) var entries: [YAMLMapping.Entry] = []
  /// The indices of names in `entries`, once a linear search is too slow.
  private var indices: [String: Int] = [:]

  /// The number of names up to which a linear search is faster than a table.
  private static let fewEntries = 12

  /// The index of a name, if it exists.
  func index(of name: String) -> Int? {
    if indices.isEmpty { return entries.firstIndex { $0.name == name } }
    return indices[name]
  }

  /// Adds an entry; the name is new unless repeated keys are allowed.
  mutating func append(_ entry: consuming YAMLMapping.Entry) {
    if entries.isEmpty { entries.reserveCapacity(4) }
    entries.append(entry)
    guard entries.count > Self.fewEntries else { return }
    // The table starts with all entries so far; then each new one is added.
    for index in (indices.isEmpty ? 0 : entries.count - 1)..<entries.count { indices[entries[index].name] = index }
  }
}

/// What a node adds to its collection.
struct NodeMeasure {
  /// Nodes, itself included, aliases expanded.
  var size = 1
  /// Levels of collections, itself included.
  var height = 0
  /// Whether it is complete.
  var isWhole = true

  /// Takes the measure of a child.
  mutating func add(_ child: NodeMeasure) {
    size += child.size
    height = max(height, child.height)
    if !child.isWhole { isWhole = false }
  }
}

/// A finished node that aliases may repeat.
struct BuiltNode {
  let node: YAMLNode
  let measure: NodeMeasure
}

/// The name of a node.
struct Anchor {
  /// The name with its `&`, in bytes of the file.
  let offsets: Range<Int>
  /// The node; nil while it is open: an alias would then make it contain itself.
  var target: BuiltNode?
}
