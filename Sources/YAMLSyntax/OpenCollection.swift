/// The state of a collection whose end has not come yet; its children lie in the builder's stacks.
///
/// It holds numbers only, so that the builder changes it in place for every child without counting references.
struct OpenCollection {
  let isMapping: Bool
  /// Whether it is written in brackets; a single pair in a bracketed list is too, without brackets of its own.
  let isFlow: Bool
  /// Where it starts, behind its anchor and tag.
  let start: Int
  let hasAnchor: Bool
  /// The end of what has been read of it.
  var end: Int
  /// It and what has been read of it.
  var measure = NodeMeasure()
  /// What the next node of a mapping is.
  var expectation = Expectation.key
  /// Whether a merge key was seen.
  var hasMerge = false

  /// What a mapping waits for.
  enum Expectation {
    case key
    /// The value of the key that was put aside last.
    case value
    /// What the merge key that was put aside last brings.
    case mergeValue
    /// The value of a key that was refused, which is dropped.
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
