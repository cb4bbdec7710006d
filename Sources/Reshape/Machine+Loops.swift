internal import JSONSyntax

extension Machine {
  /// Delivers the value in `frame.second` to a frame of a loop, of `path` or of an assignment.
  mutating func deliverLoop(_ frame: inout Frame) throws(EvaluationError) {
    let position = Int(frame.number)
    switch frame.work {
    case .collect:
      try meter.build(24)
      let depth = try nested(frame.second.depth)
      choices[position].result.depth = max(choices[position].result.depth, depth)
      choices[position].list.append(frame.second.value)
      mode = .back
    case .path:
      guard case .path(let path) = frame.second.track else {
        throw .message("Invalid path expression with result \(frame.second.value.excerptForErrors)")
      }
      try meter.build(24 + 16 * path.count)
      item = frame.item
      make(.array(path), depth: 2)
    case .reduceInitial:
      guard case .reduce(let source, _, _) = program.nodes[Int(frame.node)] else { return }
      try choose(.reduce, frame.node, item: frame.item)
      choices[choices.count - 1].result = frame.second
      try push(.reduceItem, frame.node, number: Int32(choices.count - 1), item: Frame.nothing)
      go(to: source, frame.item.untracked)
    case .reduceItem:
      guard case .reduce(_, _, let update) = program.nodes[Int(frame.node)] else { return }
      // The choice gives up its result. So the update is the only owner and can change the result in place.
      let result = choices[position].result
      choices[position].result = choices[position].item.replaced(by: .null, depth: 0)
      environment = choices[position].environment
      next = -1
      try push(.reduceUpdate, frame.node, number: frame.number, item: Frame.nothing)
      try bind(frame.second.value, depth: frame.second.depth)
      go(to: update, result)
    case .reduceUpdate:
      choices[position].result = frame.second
      mode = .back
    case .foreachInitial:
      guard case .foreach(let source, _, _, _) = program.nodes[Int(frame.node)] else { return }
      try choose(.cell, frame.node, item: frame.item)
      choices[choices.count - 1].result = frame.second
      try push(.foreachItem, frame.node, number: Int32(choices.count - 1), item: Frame.nothing)
      go(to: source, frame.item.untracked)
    case .foreachItem:
      guard case .foreach(_, _, let update, _) = program.nodes[Int(frame.node)] else { return }
      try push(.foreachUpdate, frame.node, number: frame.number, item: frame.second)
      try bind(frame.second.value, depth: frame.second.depth)
      go(to: update, choices[position].result)
    case .foreachUpdate:
      guard case .foreach(_, _, _, let extract) = program.nodes[Int(frame.node)] else { return }
      choices[position].result = frame.second
      if extract >= 0 {
        // The element is bound again, because its binding may have been dropped together with the frame.
        try bind(frame.item.value, depth: frame.item.depth)
        go(to: extract, frame.second)
      } else {
        item = frame.second
        mode = .deliver
      }
    case .limit:
      choices[position].index -= 1
      if choices[position].index <= 0 { drop(to: position) }
      item = frame.second
      mode = .deliver
    case .modifyPath:
      guard case .path(let path) = frame.second.track else {
        throw .message("Invalid path expression with result \(frame.second.value.excerptForErrors)")
      }
      try meter.build(24 + 16 * path.count)
      choices[position].list.append(.array(path))
      mode = .back
    case .modifyValue:
      drop(to: position + 1)
      let path = choices[position].list[choices[position].index]
      guard case .array(let keys) = path else { return }
      var whole = choices[position].result
      choices[position].result = Frame.nothing
      try set(keys, to: frame.second, in: &whole)
      choices[position].result = whole
      choices[position].index += 1
      mode = .back
    default:
      mode = .back
    }
  }

  /// Returns to the latest choice.
  mutating func back() throws(EvaluationError) {
    let position = choices.count - 1
    switch choices[position].kind {
    case .each: try nextElement(position)
    case .range: try nextNumber(position)
    case .modify: try nextModification(position)
    default:
      let choice = choices.removeLast()
      switch choice.kind {
      case .evaluate:
        restore(choice)
        go(to: choice.node, choice.item)
      case .collect:
        restore(choice)
        item = choice.item
        make(.array(choice.list), depth: max(choice.result.depth, 1))
      case .reduce:
        restore(choice)
        item = choice.result
        mode = .deliver
      case .alternative where choice.index == 0:
        restore(choice)
        go(to: choice.node, choice.item)
      case .paths:
        restore(choice)
        var following = choice
        following.kind = .modify
        following.result = choice.item
        choices.append(following)
      default:
        break
      }
    }
  }

  private mutating func nextElement(_ position: Int) throws(EvaluationError) {
    restore(choices[position])
    let index = choices[position].index
    choices[position].index += 1
    let whole = choices[position].item
    let key: JSONValue
    let value: JSONValue
    let count: Int
    switch whole.value {
    case .array(let elements):
      count = elements.count
      value = elements[index]
      key = .integer(Int64(index))
    case .object(let object):
      count = object.members.count
      value = object.members[index].value
      key = .string(object.members[index].name)
    default:
      return
    }
    if index + 1 == count { choices.removeLast() }
    item = try child(of: whole, value, key)
    mode = .deliver
  }

  private mutating func nextNumber(_ position: Int) throws(EvaluationError) {
    restore(choices[position])
    let value = choices[position].from
    let step = choices[position].step
    let to = choices[position].to
    guard step < 0 ? value > to : value < to else {
      choices.removeLast()
      return
    }
    choices[position].from += step
    item = choices[position].item
    make(.number(JSONNumber(value)), depth: 0)
  }

  /// Evaluates the update of an assignment at the next path.
  ///
  /// A path whose update has no result is removed at the end.
  private mutating func nextModification(_ position: Int) throws(EvaluationError) {
    restore(choices[position])
    if choices[position].from == Double(choices[position].index + 1) {
      choices[position].dropped.append(choices[position].list[choices[position].index])
      choices[position].index += 1
    }
    let index = choices[position].index
    guard index < choices[position].list.count else {
      let choice = choices.removeLast()
      var whole = choice.result
      if !choice.dropped.isEmpty { whole.value = try meter.removing(choice.dropped, from: whole.value) }
      let depth = whole.depth
      item = choice.item
      make(whole.value, depth: depth)
      return
    }
    guard case .modify(_, let update) = program.nodes[Int(choices[position].node)],
      case .array(let keys) = choices[position].list[index]
    else { return }
    choices[position].from = Double(index + 1)
    let old = try get(keys, from: choices[position].result)
    next = -1
    try push(.modifyValue, choices[position].node, number: Int32(position), item: Frame.nothing)
    go(to: update, old.untracked)
  }
}
