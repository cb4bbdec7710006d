internal import JSONSyntax

/// A value with its path and its nesting depth.
struct Item {
  var value: JSONValue
  var track = Track.off
  /// An upper bound of the value's nesting depth.
  ///
  /// The depth is 0 for a scalar, and one more than the deepest element for a container.
  var depth: Int32

  /// The path of a value, if paths are tracked.
  enum Track {
    /// Paths are not tracked.
    case off
    /// Paths are tracked, but the value is not a part of the input.
    case lost
    case path([JSONValue])

    var isOff: Bool { if case .off = self { true } else { false } }
  }

  init(_ value: JSONValue, _ track: Track = .off, depth: Int32) {
    self.value = value
    self.track = track
    self.depth = depth
  }

  /// The same value, for an evaluation that does not need a path.
  var untracked: Item { Item(value, depth: depth) }

  /// The item with a new value instead of this value.
  func replaced(by value: JSONValue, depth: Int32) -> Item { Item(value, track.isOff ? .off : .lost, depth: depth) }
}

/// A part of the evaluation that waits for a value.
///
/// Frames form chains through ``next``; -1 is the end of a chain.
struct Frame {
  enum Work {
    case pipe
    case field
    /// The frame waits for the key of `target[key]`; the next case waits for the target.
    case indexKey
    case indexTarget
    case sliceFrom
    case sliceTo
    case sliceTarget
    case each
    case arithmeticRight
    case arithmeticLeft
    case comparisonRight
    case comparisonLeft
    case and
    case or
    case truth
    case negation
    case condition
    case alternative
    case attempt
    case collect
    case objectKey
    case objectValue
    case bind
    case reduceInitial
    case reduceItem
    case reduceUpdate
    case foreachInitial
    case foreachItem
    case foreachUpdate
    case argument
    case path
    case limit
    case modifyPath
    case modifyValue
  }

  var work: Work
  var node: Ref
  var environment: Int32
  var next: Int32
  /// The number of bindings when the frame was created; later bindings are dropped together with the frame.
  var bindings: Int32
  /// An index in the list of choices, or a count.
  var number: Int32 = 0
  /// The input of the node.
  var item: Item
  /// The first value that the node has received from its operands; `nothing` before there is one.
  var first: Item = Frame.nothing
  /// The second value that the node has received from its operands; `nothing` before there is one.
  var second: Item = Frame.nothing

  static let nothing = Item(.null, depth: 0)
}

/// A position where the evaluation continues after the current branch has ended.
struct Choice {
  enum Kind {
    case evaluate
    case each
    case range
    case collect
    case reduce
    case cell
    case attempt
    /// Marks the end of the body of the `attempt` at `index`.
    case left
    case alternative
    case label
    case paths
    case modify
    case list
  }

  var kind: Kind
  var node: Ref
  var environment: Int32
  var next: Int32
  /// The numbers of frames and bindings at the creation of the choice; these must not be dropped.
  var frames: Int32
  var bindings: Int32
  var item: Item
  var result: Item = Frame.nothing
  var index = 0
  var from = 0.0
  var to = 0.0
  var step = 0.0
  var list: [JSONValue] = []
  var dropped: [JSONValue] = []
}

/// A bound value, or a closure when `node` is not -1.
struct Binding {
  var parent: Int32
  var node: Ref
  var environment: Int32
  var value: JSONValue
  var depth: Int32
}
