internal import JSONSyntax

extension Meter {
  /// Applies the built-ins whose result depends only on the values.
  mutating func apply(
    _ name: Native.Name, _ input: JSONValue, _ arguments: [JSONValue]
  ) throws(EvaluationError) -> JSONValue {
    switch name {
    case .not: return .bool(!input.isTrue)
    case .type: return .string(input.kindName)
    case .length: return try length(input)
    case .keys, .keys_unsorted: return try keys(input, sorted: name == .keys)
    case .has: return .bool(try has(input, arguments[0]))
    case .contains: return .bool(try contains(input, arguments[0]))
    case .flatten: return try flattened(input, arguments[0])
    case .to_entries: return try entries(input)
    case .from_entries: return try object(fromEntries: input)
    case .delpaths:
      guard case .array(let paths) = arguments[0] else { throw .message("Paths must be specified as an array") }
      return try removing(paths, from: input)
    case .indices: return try indices(input, arguments[0])
    case .sort, .unique, .min, .max: return try ordered(name, input, by: nil)
    case .sortedBy, .groupedBy, .uniqueBy, .minimumBy, .maximumBy: return try ordered(name, input, by: arguments[0])
    case .tonumber, .floor, .ceil, .round, .trunc, .sqrt, .fabs, .abs, .log, .log2, .log10, .exp, .nan, .infinite,
      .isnan,
      .isinfinite, .isnormal, .pow:
      return try number(name, input, arguments)
    case .gmtime, .mktime, .strftime, .strptime:
      return try date(name, input, arguments)
    case .match: return try matches(input, arguments)
    case .splice: return .string(try spliced(input, arguments[0], arguments[1]))
    case .pieces: return try pieces(input, arguments)
    default: return try text(name, input, arguments)
    }
  }

  private mutating func length(_ input: JSONValue) throws(EvaluationError) -> JSONValue {
    switch input {
    case .null: return .integer(0)
    case .bool: throw .message("\(input.shown) has no length")
    case .number(let number):
      if number.text.utf8.first != UInt8(ascii: "-") { return input }
      return .number(JSONNumber(abs(number.value)))
    case .string(let text):
      try step(text.utf8.count / 64)
      return .integer(Int64(text.unicodeScalars.count))
    case .array(let elements): return .integer(Int64(elements.count))
    case .object(let object): return .integer(Int64(object.members.count))
    }
  }

  private mutating func keys(_ input: JSONValue, sorted: Bool) throws(EvaluationError) -> JSONValue {
    switch input {
    case .array(let elements):
      try build(16 * elements.count)
      try step(elements.count / 8)
      return .array(elements.indices.map { .integer(Int64($0)) })
    case .object(let object):
      try build(16 * object.members.count)
      try step(object.members.count)
      let names = object.members.map(\.name)
      return .array((sorted ? names.sorted { $0.precedesByScalars($1) } : names).map { .string($0) })
    default:
      throw .message("\(input.shown) has no keys")
    }
  }

  private mutating func has(_ input: JSONValue, _ key: JSONValue) throws(EvaluationError) -> Bool {
    switch (input, key) {
    case (.object(let object), .string(let name)):
      try step(object.members.count / 4)
      return object[name] != nil
    case (.array(let elements), .number(let number)):
      return number.value >= 0 && number.value < Double(elements.count)
    default: throw .message("Cannot check whether \(input.kindName) has a \(key.kindName) key")
    }
  }

  private mutating func contains(_ whole: JSONValue, _ part: JSONValue) throws(EvaluationError) -> Bool {
    try step()
    switch (whole, part) {
    case (.object(let object), .object(let wanted)):
      for member in wanted.members {
        try step(object.members.count / 4)
        guard let value = object[member.name], value.kindName == member.value.kindName,
          try contains(value, member.value)
        else { return false }
      }
      return true
    case (.array(let elements), .array(let wanted)):
      for one in wanted {
        var found = false
        for element in elements where !found && element.kindName == one.kindName {
          found = try contains(element, one)
        }
        guard found else { return false }
      }
      return true
    case (.string(let text), .string(let wanted)):
      return try !Self.offsets(of: Array(wanted.utf8), in: Array(text.utf8), first: true, meter: &self).isEmpty
        || wanted.isEmpty
    default:
      guard whole.kindName == part.kindName else {
        throw .message("\(whole.shown) and \(part.shown) cannot have their containment checked")
      }
      return order(whole, part) == 0
    }
  }

  private mutating func flattened(_ input: JSONValue, _ levels: JSONValue) throws(EvaluationError) -> JSONValue {
    guard case .number(let number) = levels, number.value >= 0 else {
      throw .message("flatten depth must not be negative")
    }
    func values(_ value: JSONValue) throws(EvaluationError) -> [JSONValue] {
      switch value {
      case .array(let elements): return elements
      case .object(let object): return object.members.map(\.value)
      default: throw .message("Cannot iterate over \(value.shown)")
      }
    }
    var result: [JSONValue] = []
    // A stack of the lists that are not finished, so that deeply nested lists do not cause recursion.
    var open = [(values: try values(input)[...], level: number.value)]
    while let last = open.indices.last {
      guard let value = open[last].values.popFirst() else {
        open.removeLast()
        continue
      }
      try step()
      if case .array(let elements) = value, open[last].level > 0 {
        open.append((elements[...], open[last].level - 1))
      } else {
        try build(16)
        result.append(value)
      }
    }
    return .array(result)
  }
}
