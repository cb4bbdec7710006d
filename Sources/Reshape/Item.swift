internal import JSONSyntax

/// A value on its way, with where it came from and how deep it may nest.
struct Item {
  var value: JSONValue
  var track = Track.off
  /// At least the value's nesting: 0 for a scalar, one more than its deepest element for a container.
  var depth: Int32

  /// What is known of a value's path, while one is asked for.
  enum Track {
    /// Nobody asks.
    case off
    /// Asked for, but the value is not a part of the input.
    case lost
    case path([JSONValue])

    var isOff: Bool { if case .off = self { true } else { false } }
  }

  init(_ value: JSONValue, _ track: Track = .off, depth: Int32) {
    self.value = value
    self.track = track
    self.depth = depth
  }

  /// The same value for an evaluation whose result is no path.
  var untracked: Item { Item(value, depth: depth) }

  /// A new value that takes this one's place.
  func replaced(by value: JSONValue, depth: Int32) -> Item { Item(value, track.isOff ? .off : .lost, depth: depth) }
}

/// What is done with a value when it is there; frames form chains through ``next``, down to -1.
struct Frame {
  enum Work {
    case pipe
    case field
    /// The key of `target[key]`, then the target.
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
  /// Bindings when the frame was made; later ones are dropped with it.
  var bindings: Int32
  /// A place in the list of choices, or a count.
  var number: Int32 = 0
  /// The input of the node.
  var item: Item
  /// What is there already.
  var first: Item = Frame.nothing
  var second: Item = Frame.nothing

  static let nothing = Item(.null, depth: 0)
}

/// Where evaluation goes on when a way has come to its end.
struct Choice {
  enum Kind {
    case evaluate
    case each
    case range
    case collect
    case reduce
    case cell
    case attempt
    /// Marks that the body of an `attempt` was left, which stands at `index`.
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
  /// What was there when the choice was made and must stay.
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
