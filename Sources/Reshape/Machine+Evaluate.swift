internal import JSONSyntax

extension Machine {
  /// Sets a new value, which is not a part of the input, as the value to deliver next.
  mutating func make(_ value: JSONValue, depth: Int32) {
    item.value = value
    item.depth = depth
    if !item.track.isOff { item.track = .lost }
    mode = .deliver
  }

  mutating func evaluate() throws(EvaluationError) {
    switch program.nodes[Int(node)] {
    case .identity:
      mode = .deliver
    case .constant(let position):
      let value = program.constants[Int(position)]
      make(value, depth: value.isContainer ? 1 : 0)
    case .field(let target, let name):
      if program.isQuick[Int(node)], item.track.isOff {
        item = try quick(node, item)
        mode = .deliver
      } else if case .identity = program.nodes[Int(target)] {
        item = try access(item, program.constants[Int(name)])
        mode = .deliver
      } else {
        try push(.field, name, item: Frame.nothing)
        node = target
      }
    case .index(_, let key):
      try push(.indexKey, node, item: item)
      go(to: key, item.untracked)
    case .slice(let target, let from, let to):
      if from >= 0 {
        try push(.sliceFrom, node, item: item)
        go(to: from, item.untracked)
      } else if to >= 0 {
        try push(.sliceTo, node, item: item)
        go(to: to, item.untracked)
      } else {
        try push(.sliceTarget, node, item: item)
        node = target
      }
    case .each(let target):
      if case .identity = program.nodes[Int(target)] {
        try iterate(item)
      } else {
        try push(.each, node, item: Frame.nothing)
        node = target
      }
    case .pipe(let left, let right):
      if program.isQuick[Int(left)], item.track.isOff {
        item = try quick(left, item)
        node = right
      } else {
        try push(.pipe, right, item: Frame.nothing)
        node = left
      }
    case .comma(let left, let right):
      try choose(.evaluate, right, item: item)
      node = left
    case .arithmetic(let operation, let left, let right):
      if program.isQuick[Int(right)], program.isQuick[Int(left)] {
        let second = try quick(right, item.untracked)
        var first = try quick(left, item.untracked)
        item = item.replaced(by: .null, depth: 0)
        try deliver(operation, &first, second)
      } else {
        try push(.arithmeticRight, node, item: item)
        go(to: right, item.untracked)
      }
    case .comparison(let comparison, let left, let right):
      if program.isQuick[Int(right)], program.isQuick[Int(left)] {
        let second = try quick(right, item.untracked)
        let first = try quick(left, item.untracked)
        make(.bool(try meter.compare(comparison, first.value, second.value)), depth: 0)
      } else {
        try push(.comparisonRight, node, item: item)
        go(to: right, item.untracked)
      }
    case .and(let left, _):
      try push(.and, node, item: item)
      go(to: left, item.untracked)
    case .or(let left, _):
      try push(.or, node, item: item)
      go(to: left, item.untracked)
    case .alternative(let left, let right):
      try choose(.alternative, right, item: item)
      try push(.alternative, node, number: Int32(choices.count - 1), item: Frame.nothing)
      node = left
    case .negation(let inner):
      try push(.negation, node, item: item)
      go(to: inner, item.untracked)
    case .condition(let test, _, _):
      if program.isQuick[Int(test)] {
        branch(try quick(test, item.untracked).value.isTrue, item)
      } else {
        try push(.condition, node, item: item)
        go(to: test, item.untracked)
      }
    case .attempt(let body, let handler):
      try choose(.attempt, handler, item: item)
      try push(.attempt, node, number: Int32(choices.count - 1), item: Frame.nothing)
      node = body
    case .array(let body):
      try choose(.collect, node, item: item)
      try push(.collect, node, number: Int32(choices.count - 1), item: Frame.nothing)
      go(to: body, item.untracked)
    case .object(let position, let count):
      try beginObject(Int(position), Int(count))
    default:
      try evaluateBinding()
    }
  }

  private mutating func evaluateBinding() throws(EvaluationError) {
    switch program.nodes[Int(node)] {
    case .variable(let up):
      let binding = try binding(up)
      make(binding.value, depth: binding.depth)
    case .bind(let source, let body):
      if program.isQuick[Int(source)] {
        let value = try quick(source, item.untracked)
        try bind(value.value, depth: value.depth)
        node = body
      } else {
        try push(.bind, body, item: item)
        go(to: source, item.untracked)
      }
    case .outer(let body):
      environment = bindings[Int(environment)].parent
      node = body
    case .reduce(_, let initial, _):
      try push(.reduceInitial, node, item: item)
      node = initial
    case .foreach(_, let initial, _, _):
      try push(.foreachInitial, node, item: item)
      node = initial
    case .limit(let count, let body):
      guard case .number(let number) = try quick(count, item.untracked).value else {
        throw .message("Invalid arguments to limit: a number is needed")
      }
      try choose(.cell, node, item: Frame.nothing)
      choices[choices.count - 1].index = Int(clamping: number.value.rounded(.up))
      try push(.limit, node, number: Int32(choices.count - 1), item: Frame.nothing)
      node = body
    case .label(let body):
      try choose(.label, node, item: Frame.nothing)
      try bind(.null, depth: 0, closure: Int32(choices.count - 1))
      node = body
    case .exit(let up):
      throw .exit(try binding(up).environment)
    case .call(let function, let arguments, let up):
      try call(program.functions[Int(function)], Int(arguments), up)
    case .parameter(let up):
      let binding = try binding(up)
      node = binding.node
      environment = binding.environment
    case .native(let native, let arguments):
      if native.count == 0 {
        try run(native, item, [])
      } else {
        // The last argument is the outermost loop over the combinations of arguments.
        try push(.argument, node, number: Int32(native.count - 1), item: item)
        frames[frames.count - 1].first.value = .array([])
        go(to: program.lists[Int(arguments) + native.count - 1], item.untracked)
      }
    case .path(let body):
      try push(.path, node, item: item)
      item.track = .path([])
      node = body
    case .modify(let paths, _):
      try choose(.paths, node, item: item)
      try push(.modifyPath, node, number: Int32(choices.count - 1), item: Frame.nothing)
      item.track = .path([])
      node = paths
    default:
      // The caller evaluates all other nodes.
      mode = .back
    }
  }

  /// Binds the arguments as closures and continues in the function's body.
  private mutating func call(_ function: Program.Function, _ arguments: Int, _ up: Int32) throws(EvaluationError) {
    let here = environment
    var target: Int32 = -1
    try meter.step(function.parameterCount / 4)
    if up >= 0 {
      if up > 16 { try meter.step(Int(up) / 16) }
      target = here
      for _ in 0..<up { target = bindings[Int(target)].parent }
    }
    var closures: [(Ref, Int32)] = []
    for position in 0..<function.parameterCount {
      let argument = program.lists[arguments + position]
      if case .parameter(let up) = program.nodes[Int(argument)] {
        // A parameter that is passed on unchanged is not wrapped in a new closure. So recursion creates no chain of
        // closures.
        let passed = try binding(up)
        closures.append((passed.node, passed.environment))
      } else {
        closures.append((argument, here))
      }
    }
    environment = target
    for (node, closure) in closures { try bind(.null, depth: 0, node: node, closure: closure) }
    node = function.body
  }

  /// Evaluates a lookup without frames.
  ///
  /// Such a lookup is `.`, a constant, a variable, or member names of `.` or of a variable.
  mutating func quick(_ node: Ref, _ item: Item) throws(EvaluationError) -> Item {
    switch program.nodes[Int(node)] {
    case .constant(let position):
      let value = program.constants[Int(position)]
      return Item(value, depth: value.isContainer ? 1 : 0)
    case .variable(let up):
      let binding = try binding(up)
      return Item(binding.value, depth: binding.depth)
    case .field(let target, let name):
      return try access(try quick(target, item), program.constants[Int(name)])
    default:
      return item
    }
  }

  mutating func branch(_ isTrue: Bool, _ input: Item) {
    guard case .condition(_, let one, let other) = program.nodes[Int(node)] else { return }
    if isTrue {
      go(to: one, input)
    } else if other >= 0 {
      go(to: other, input)
    } else {
      item = input
      mode = .deliver
    }
  }
}
