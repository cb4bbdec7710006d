internal import JSONSyntax

extension Machine {
  /// Applies a built-in to an input and its arguments; `depth` is the maximum nesting of the arguments.
  mutating func run(
    _ native: Native, _ input: Item, _ arguments: [JSONValue], depth: Int32 = 0
  ) throws(EvaluationError) {
    guard case .plain(let name) = native else {
      if case .format(let format) = native {
        item = input
        make(.string(try meter.formatted(input.value, as: format)), depth: 0)
      }
      return
    }
    switch name {
    case .empty:
      mode = .back
    case .error:
      throw .raised(input.value)
    case .raise:
      throw .raised(arguments[0])
    case .getpath:
      guard case .array(let path) = arguments[0] else { throw .message("Path must be specified as an array") }
      try meter.step(path.count)
      let found = try get(path, from: input)
      item = found
      switch input.track {
      case .off: break
      case .lost: throw .message("Invalid path expression with result \(input.value.excerptForErrors)")
      case .path(let start):
        try meter.build(16 * (start.count + path.count))
        item.track = .path(start + path)
      }
      mode = .deliver
    case .setpath:
      guard case .array(let path) = arguments[0] else { throw .message("Path must be specified as an array") }
      var whole = input
      try set(path, to: Item(arguments[1], depth: depth), in: &whole)
      item = input
      make(whole.value, depth: whole.depth)
    case .range:
      guard case .number(let from) = arguments[0], case .number(let to) = arguments[1],
        case .number(let step) = arguments[2]
      else { throw .message("Range bounds must be numeric") }
      try choose(.range, -1, item: input)
      choices[choices.count - 1].from = from.value
      choices[choices.count - 1].to = to.value
      choices[choices.count - 1].step = step.value
      mode = .back
    default:
      let result = try meter.apply(name, input.value, arguments)
      var nesting: Int32 = 0
      if result.isContainer {
        switch name {
        case .fromjson:
          guard let found = meter.nesting(of: result) else {
            throw .limit("the program takes more steps than are allowed")
          }
          nesting = Int32(found)
        case .to_entries, .groupedBy: nesting = try nested(max(input.depth, 1))
        case .match, .pieces: nesting = 4
        case .explode, .split, .keys, .keys_unsorted, .gmtime, .strptime, .indices: nesting = 1
        default: nesting = max(input.depth, 1)
        }
      }
      item = input
      make(result, depth: nesting)
    }
  }
}
