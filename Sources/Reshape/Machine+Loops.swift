internal import JSONSyntax

extension Machine {
  /// Frames of loops, of `path` and of assignments; the value is in `second`.
  mutating func deliverLoop(_ frame: inout Frame) throws(Interruption) {
    let place = Int(frame.number)
    switch frame.work {
    case .collect:
      try meter.build(24)
      let depth = try nested(frame.second.depth)
      choices[place].result.depth = max(choices[place].result.depth, depth)
      choices[place].list.append(frame.second.value)
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
      // The result so far is taken out, so that the update holds it alone and may change it in place.
      let result = choices[place].result
      choices[place].result = choices[place].item.replaced(by: .null, depth: 0)
      environment = choices[place].environment
      next = -1
      try push(.reduceUpdate, frame.node, number: frame.number, item: Frame.nothing)
      try bind(frame.second.value, depth: frame.second.depth)
      go(to: update, result)
    case .reduceUpdate:
      choices[place].result = frame.second
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
      go(to: update, choices[place].result)
    case .foreachUpdate:
      guard case .foreach(_, _, _, let extract) = program.nodes[Int(frame.node)] else { return }
      choices[place].result = frame.second
      if extract >= 0 {
        // The element is bound again: its binding may be gone with the frame.
        try bind(frame.item.value, depth: frame.item.depth)
        go(to: extract, frame.second)
      } else {
        item = frame.second
        mode = .deliver
      }
    case .limit:
      choices[place].index -= 1
      if choices[place].index <= 0 { drop(to: place) }
      item = frame.second
      mode = .deliver
    case .modifyPath:
      guard case .path(let path) = frame.second.track else {
        throw .message("Invalid path expression with result \(frame.second.value.excerptForErrors)")
      }
      try meter.build(24 + 16 * path.count)
      choices[place].list.append(.array(path))
      mode = .back
    case .modifyValue:
      drop(to: place + 1)
      let path = choices[place].list[choices[place].index]
      guard case .array(let keys) = path else { return }
      var whole = choices[place].result
      choices[place].result = Frame.nothing
      try set(keys, to: frame.second, in: &whole)
      choices[place].result = whole
      choices[place].index += 1
      mode = .back
    default:
      mode = .back
    }
  }

  /// Goes back to the latest choice.
  mutating func back() throws(Interruption) {
    let place = choices.count - 1
    switch choices[place].kind {
    case .each: try nextElement(place)
    case .range: try nextNumber(place)
    case .modify: try nextModification(place)
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

  private mutating func nextElement(_ place: Int) throws(Interruption) {
    restore(choices[place])
    let index = choices[place].index
    choices[place].index += 1
    let whole = choices[place].item
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

  private mutating func nextNumber(_ place: Int) throws(Interruption) {
    restore(choices[place])
    let value = choices[place].from
    let step = choices[place].step
    guard step > 0 ? value < choices[place].to : step < 0 ? value > choices[place].to : value < choices[place].to else {
      choices.removeLast()
      return
    }
    choices[place].from += step
    item = choices[place].item
    make(.number(JSONNumber(value)), depth: 0)
  }

  /// Evaluates the update of an assignment at the next path; a path whose update gave nothing is dropped in the end.
  private mutating func nextModification(_ place: Int) throws(Interruption) {
    restore(choices[place])
    if choices[place].from == Double(choices[place].index + 1) {
      choices[place].dropped.append(choices[place].list[choices[place].index])
      choices[place].index += 1
    }
    let index = choices[place].index
    guard index < choices[place].list.count else {
      let choice = choices.removeLast()
      var whole = choice.result
      if !choice.dropped.isEmpty { whole.value = try meter.removing(choice.dropped, from: whole.value) }
      let depth = whole.depth
      item = choice.item
      make(whole.value, depth: depth)
      return
    }
    guard case .modify(_, let update) = program.nodes[Int(choices[place].node)],
      case .array(let keys) = choices[place].list[index]
    else { return }
    choices[place].from = Double(index + 1)
    let old = try get(keys, from: choices[place].result)
    next = -1
    try push(.modifyValue, choices[place].node, number: Int32(place), item: Frame.nothing)
    go(to: update, old.untracked)
  }
}
