internal import JSONSyntax

extension Meter {
  mutating func entries(_ input: JSONValue) throws(EvaluationError) -> JSONValue {
    func entry(_ key: JSONValue, _ value: JSONValue) -> JSONValue { .object(["key": key, "value": value]) }
    switch input {
    case .object(let object):
      try build(128 * object.members.count)
      try step(object.members.count)
      return .array(object.members.map { entry(.string($0.name), $0.value) })
    case .array(let elements):
      try build(128 * elements.count)
      try step(elements.count)
      return .array(elements.enumerated().map { entry(.integer(Int64($0.offset)), $0.element) })
    default:
      throw .message("\(input.shown) has no keys")
    }
  }

  /// Creates an object from entries.
  ///
  /// The name may be in `key`, `k`, `name` or the capitalized form of one of these. A name that is not a text is
  /// converted to JSON text.
  mutating func object(fromEntries input: JSONValue) throws(EvaluationError) -> JSONValue {
    var members: [JSONObject.Member] = []
    let entries: [JSONValue]
    switch input {
    case .array(let elements): entries = elements
    case .object(let object): entries = object.members.map(\.value)
    default: throw .message("Cannot iterate over \(input.shown)")
    }
    try build(48 * entries.count)
    for entry in entries {
      try step(4)
      guard case .object(let object) = entry else {
        throw .message("Cannot index \(entry.kindName) with string \"key\"")
      }
      var key = JSONValue.null
      for name in ["key", "k", "name", "Name", "K", "Key"] {
        if let found = object[name], found != .null {
          key = found
          if found.isTrue { break }
        }
      }
      let name: String
      switch key {
      case .string(let text): name = text
      case .bool, .number, .null: name = try written(key)
      default: throw .message("Cannot use \(key.shown) as object key")
      }
      let value = object["value"] ?? object["v"] ?? object["Value"] ?? .null
      members.append(JSONObject.Member(name: name, value: value))
    }
    return .object(JSONObject(members))
  }

  /// Sorts, groups, or finds an extreme value; without keys, the elements themselves are compared.
  mutating func ordered(
    _ name: Native.Name, _ input: JSONValue, by keys: JSONValue?
  ) throws(EvaluationError) -> JSONValue {
    guard case .array(let elements) = input else {
      if name == .min || name == .max { throw .message("\(input.shown) and \(input.shown) cannot be iterated over") }
      throw .message("\(input.shown) cannot be sorted, as it is not an array")
    }
    var order = elements
    if let keys {
      guard case .array(let given) = keys, given.count == elements.count else {
        throw .message("\(input.shown) cannot be sorted, as it is not an array")
      }
      order = given
    }
    switch name {
    case .min, .minimumBy, .max, .maximumBy:
      guard var best = elements.indices.first else { return .null }
      let isMinimum = name == .min || name == .minimumBy
      for position in elements.indices.dropFirst() {
        try step()
        let compared = self.order(order[position], order[best])
        // Among equal values, the first is the minimum and the last is the maximum.
        if isMinimum ? compared < 0 : compared >= 0 { best = position }
      }
      return elements[best]
    default:
      break
    }
    let positions = try sortedIndices(order)
    try build(16 * elements.count)
    if name == .sort || name == .sortedBy { return .array(positions.map { elements[$0] }) }
    var groups: [[JSONValue]] = []
    var last: Int?
    for position in positions {
      if let last, self.order(order[last], order[position]) == 0 {
        if name == .groupedBy { groups[groups.count - 1].append(elements[position]) }
      } else {
        groups.append([elements[position]])
        last = position
      }
    }
    try step()
    if name == .groupedBy {
      try build(40 * groups.count)
      return .array(groups.map { .array($0) })
    }
    return .array(groups.map { $0[0] })
  }
}
