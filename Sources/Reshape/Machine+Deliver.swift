internal import JSONSyntax

extension Machine {
  /// Passes the value to the frame that waits for it.
  mutating func deliver() throws(EvaluationError) {
    var value = item
    var frame = pop()
    switch frame.work {
    case .pipe:
      go(to: frame.node, value)
    case .field:
      item = try access(value, program.constants[Int(frame.node)])
    case .indexKey:
      guard case .index(let target, _) = program.nodes[Int(frame.node)] else { return }
      if case .identity = program.nodes[Int(target)] {
        item = try lookUp(frame.item, value.value)
      } else {
        try push(.indexTarget, frame.node, item: value)
        go(to: target, frame.item)
      }
    case .indexTarget:
      item = try lookUp(value, frame.item.value)
    case .each:
      try iterate(value)
    case .arithmeticRight:
      guard case .arithmetic(_, let left, _) = program.nodes[Int(frame.node)] else { return }
      try push(.arithmeticLeft, frame.node, item: value)
      frames[frames.count - 1].first.track = frame.item.track.isOff ? .off : .lost
      go(to: left, frame.item.untracked)
    case .arithmeticLeft:
      guard case .arithmetic(let operation, _, _) = program.nodes[Int(frame.node)] else { return }
      // The left value has only one owner here, so it can be changed in place.
      item = Item(.null, frame.first.track, depth: 0)
      try deliver(operation, &value, frame.item)
    case .comparisonRight:
      guard case .comparison(_, let left, _) = program.nodes[Int(frame.node)] else { return }
      try push(.comparisonLeft, frame.node, item: frame.item)
      frames[frames.count - 1].first = value
      go(to: left, frame.item.untracked)
    case .comparisonLeft:
      guard case .comparison(let comparison, _, _) = program.nodes[Int(frame.node)] else { return }
      item = frame.item
      make(.bool(try meter.compare(comparison, value.value, frame.first.value)), depth: 0)
    case .and, .or:
      try deliverLogic(frame, value)
    case .truth:
      item = frame.item
      make(.bool(value.value.isTrue), depth: 0)
    case .negation:
      item = frame.item
      make(try negated(value.value), depth: 0)
    case .condition:
      node = frame.node
      branch(value.value.isTrue, frame.item)
    case .attempt:
      // `try` does not catch errors of the steps after its body.
      let position = Int(frame.number)
      if choices.count == position + 1 {
        choices.removeLast()
      } else {
        try choose(.left, -1, item: Frame.nothing)
        choices[choices.count - 1].index = position
      }
      item = value
    case .alternative:
      guard value.value.isTrue else {
        mode = .back
        return
      }
      choices[Int(frame.number)].index = 1
      item = value
    case .bind:
      try bind(value.value, depth: value.depth)
      go(to: frame.node, frame.item)
    case .sliceFrom, .sliceTo, .sliceTarget:
      try deliverSlice(frame, value)
    case .objectKey, .objectValue:
      item = Frame.nothing
      try deliverObject(&frame, value)
    case .argument:
      try deliverArgument(frame, value)
    default:
      item = Frame.nothing
      frame.second = value
      try deliverLoop(&frame)
    }
  }

  private mutating func deliverLogic(_ frame: Frame, _ value: Item) throws(EvaluationError) {
    let isAnd: Bool
    let right: Ref
    switch program.nodes[Int(frame.node)] {
    case .and(_, let node): (isAnd, right) = (true, node)
    case .or(_, let node): (isAnd, right) = (false, node)
    default: return
    }
    if value.value.isTrue == isAnd {
      try push(.truth, frame.node, item: frame.item)
      go(to: right, frame.item.untracked)
    } else {
      item = frame.item
      make(.bool(!isAnd), depth: 0)
    }
  }

  /// Applies an arithmetic operator; `item` has the path tracking of the result.
  mutating func deliver(_ operation: Arithmetic, _ left: inout Item, _ right: Item) throws(EvaluationError) {
    let depth = max(left.depth, right.depth)
    let track = item.track
    try meter.calculate(operation, &left.value, right.value)
    let isContainer = left.value.isContainer
    // A result can be a list although no operand is a list: a split text.
    item = Item(left.value, track, depth: isContainer ? max(depth, 1) : 0)
    mode = .deliver
  }

  private mutating func deliverSlice(_ frame: Frame, _ value: Item) throws(EvaluationError) {
    guard case .slice(let target, _, let to) = program.nodes[Int(frame.node)] else { return }
    switch frame.work {
    case .sliceFrom where to >= 0:
      try push(.sliceTo, frame.node, item: frame.item)
      frames[frames.count - 1].first = value
      go(to: to, frame.item.untracked)
    case .sliceFrom:
      try push(.sliceTarget, frame.node, item: value)
      go(to: target, frame.item)
    case .sliceTo:
      try push(.sliceTarget, frame.node, item: frame.first)
      frames[frames.count - 1].first = value
      go(to: target, frame.item)
    default:
      let key = JSONValue.object(["start": frame.item.value, "end": frame.first.value])
      item = try access(value, key)
      mode = .deliver
    }
  }

  // MARK: - Objects

  mutating func beginObject(_ position: Int, _ count: Int) throws(EvaluationError) {
    if isPlainObject(position, count) {
      var members: [JSONObject.Member] = []
      members.reserveCapacity(count)
      var depth: Int32 = 0
      for pair in 0..<count {
        guard case .constant(let key) = program.nodes[Int(program.lists[position + 2 * pair])],
          case .string(let name) = program.constants[Int(key)]
        else { continue }
        let value = try quick(program.lists[position + 2 * pair + 1], item.untracked)
        depth = max(depth, value.depth)
        members.append(JSONObject.Member(name: name, value: value.value))
      }
      try meter.build(32 + 40 * count)
      try meter.step(count)
      make(.object(JSONObject(members)), depth: try nested(depth))
    } else {
      try push(.objectKey, node, item: item)
      frames[frames.count - 1].first = Item(.object(JSONObject()), depth: 1)
      go(to: program.lists[position], item.untracked)
    }
  }

  private func isPlainObject(_ position: Int, _ count: Int) -> Bool {
    for pair in 0..<count {
      guard case .constant(let key) = program.nodes[Int(program.lists[position + 2 * pair])],
        case .string = program.constants[Int(key)], program.isQuick[Int(program.lists[position + 2 * pair + 1])]
      else { return false }
    }
    return true
  }

  private mutating func deliverObject(_ frame: inout Frame, _ value: Item) throws(EvaluationError) {
    guard case .object(let position, let count) = program.nodes[Int(frame.node)] else { return }
    let pair = Int(frame.number)
    if frame.work == .objectKey {
      guard case .string = value.value else {
        throw .message("Cannot use \(value.value.shown) as object key")
      }
      try push(.objectValue, frame.node, number: frame.number, item: frame.item)
      frames[frames.count - 1].first = frame.first
      frames[frames.count - 1].second = value
      go(to: program.lists[Int(position) + 2 * pair + 1], frame.item.untracked)
      return
    }
    guard case .string(let name) = frame.second.value, case .object(var object) = frame.first.value else { return }
    frame.first.value = .null
    try meter.build(48)
    try meter.step(1 + object.members.count / 4)
    object[name] = value.value
    let depth = max(frame.first.depth, try nested(value.depth))
    if pair + 1 < Int(count) {
      try push(.objectKey, frame.node, number: frame.number + 1, item: frame.item)
      frames[frames.count - 1].first = Item(.object(object), depth: depth)
      go(to: program.lists[Int(position) + 2 * (pair + 1)], frame.item.untracked)
    } else {
      item = frame.item
      make(.object(object), depth: depth)
    }
  }

  // MARK: - Built-ins

  private mutating func deliverArgument(_ frame: Frame, _ value: Item) throws(EvaluationError) {
    guard case .native(let native, let arguments) = program.nodes[Int(frame.node)],
      case .array(let known) = frame.first.value
    else { return }
    let depth = max(frame.first.depth, value.depth)
    let all = [value.value] + known
    if frame.number == 0 {
      item = Frame.nothing
      try run(native, frame.item, all, depth: depth)
    } else {
      try push(.argument, frame.node, number: frame.number - 1, item: frame.item)
      frames[frames.count - 1].first = Item(.array(all), depth: depth)
      go(to: program.lists[Int(arguments) + Int(frame.number) - 1], frame.item.untracked)
    }
  }

  /// The depth of a container whose deepest value has this depth; throws over the limit.
  func nested(_ depth: Int32) throws(EvaluationError) -> Int32 {
    guard depth < ReshapeLimits.valueDepth else {
      throw .limit("a value is nested more than \(ReshapeLimits.valueDepth) levels deep")
    }
    return depth + 1
  }
}
