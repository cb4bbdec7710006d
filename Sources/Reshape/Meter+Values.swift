internal import JSONSyntax

extension Meter {
  /// The nesting depth of a value; nil when the steps are used up.
  mutating func nesting(of value: JSONValue) -> Int? {
    guard steps > 0 else { return nil }
    steps -= 1
    var deepest = 0
    switch value {
    case .array(let elements):
      for element in elements {
        guard let depth = nesting(of: element) else { return nil }
        deepest = max(deepest, depth)
      }
    case .object(let object):
      for member in object.members {
        guard let depth = nesting(of: member.value) else { return nil }
        deepest = max(deepest, depth)
      }
    default:
      return 0
    }
    return deepest + 1
  }

  /// A value as a result: NaN becomes null, an infinity becomes the greatest double.
  mutating func finished(_ value: JSONValue) throws(EvaluationError) -> JSONValue {
    try hasSpecials(value) ? replacingSpecials(value) : value
  }

  /// Whether the value contains NaN or an infinity; also counts the size of the result.
  private mutating func hasSpecials(_ value: JSONValue) throws(EvaluationError) -> Bool {
    var found = false
    switch value {
    case .null, .bool: try give(4)
    case .number(let number):
      try give(4 + number.text.utf8.count)
      return number.isSpecial
    case .string(let text): try give(4 + text.utf8.count)
    case .array(let elements):
      try give(4)
      for element in elements where try hasSpecials(element) { found = true }
    case .object(let object):
      try give(4)
      for member in object.members {
        try give(4 + member.name.utf8.count)
        if try hasSpecials(member.value) { found = true }
      }
    }
    return found
  }

  private func replacingSpecials(_ value: JSONValue) -> JSONValue {
    switch value {
    case .number(let number): number.finished
    case .array(let elements): .array(elements.map { replacingSpecials($0) })
    case .object(let object):
      .object(JSONObject(object.members.map { .init(name: $0.name, value: replacingSpecials($0.value)) }))
    default: value
    }
  }

  /// The indices at which a list begins in another list.
  mutating func positions(of part: [JSONValue], in whole: [JSONValue]) throws(EvaluationError) -> JSONValue {
    guard !part.isEmpty else { return .null }
    guard part.count <= whole.count else { return .array([]) }
    var positions: [JSONValue] = []
    for start in 0...(whole.count - part.count) {
      var matches = true
      for index in part.indices where matches { matches = order(whole[start + index], part[index]) == 0 }
      try step()
      if matches { positions.append(.integer(Int64(start))) }
    }
    try build(16 * positions.count)
    return .array(positions)
  }

  // MARK: - Paths

  /// Sets a value at a path; containers with only one owner are changed in place.
  mutating func set(
    _ path: ArraySlice<JSONValue>, to new: JSONValue, in whole: inout JSONValue
  ) throws(EvaluationError) {
    guard let key = path.first else {
      whole = new
      return
    }
    try step()
    let rest = path.dropFirst()
    // The values are matched separately: a tuple of both would be a second owner of the container.
    switch key {
    case .string where whole.isNull || whole.isObject:
      try setMember(key, rest, to: new, in: &whole)
    case .number where whole.isNull || whole.isArray:
      try setElement(key, rest, to: new, in: &whole)
    case .object(let slice) where whole.isNull || whole.isArray:
      var elements: [JSONValue] = []
      if case .array(let found) = whole { elements = found }
      let bounds = try JSONValue.bounds(slice, elements.count)
      var part: JSONValue = whole.isNull ? .null : .array(Array(elements[bounds]))
      try set(rest, to: new, in: &part)
      guard case .array(let replacement) = part else {
        throw .message("A slice of an array can only be assigned another array")
      }
      try build(16 * (elements.count + replacement.count))
      try step((elements.count + replacement.count) / 16)
      elements.replaceSubrange(bounds, with: replacement)
      whole = .array(elements)
    default:
      _ = try whole.part(key)
      throw .message("Cannot index \(whole.kindName) with \(key.kindName)")
    }
  }

  private mutating func setMember(
    _ key: JSONValue, _ rest: ArraySlice<JSONValue>, to new: JSONValue, in whole: inout JSONValue
  ) throws(EvaluationError) {
    guard case .string(let name) = key else { return }
    var object = JSONObject()
    if case .object(let found) = whole { object = found }
    whole = .null
    let count = object.members.count
    try step(count / 4)
    if rest.isEmpty {
      object[name] = new
    } else {
      var inner = object[name] ?? .null
      // The inner value is taken out of the object, so that it has only one owner.
      if inner.isContainer {
        object[name] = .null
        try step(count / 4)
      }
      try set(rest, to: new, in: &inner)
      object[name] = inner
    }
    try build(object.members.count > count ? 64 : 16)
    whole = .object(object)
  }

  private mutating func setElement(
    _ key: JSONValue, _ rest: ArraySlice<JSONValue>, to new: JSONValue, in whole: inout JSONValue
  ) throws(EvaluationError) {
    guard case .number(let number) = key else { return }
    var elements: [JSONValue] = []
    if case .array(let found) = whole { elements = found }
    let position = number.value
    var index = position.isNaN ? 0 : Int(clamping: position.rounded(.down))
    if index < 0 {
      index += elements.count
      guard index >= 0 else { throw .message("Out of bounds negative array index") }
    }
    whole = .null
    if index >= elements.count {
      let missing = index - elements.count
      try build(missing > 1 << 40 ? .max / 2 : 16 * (missing + 1))
      try step(missing / 16)
      try append(Array(repeating: .null, count: missing + 1), to: &elements)
    }
    var inner = elements[index]
    let before = elements.withUnsafeBufferPointer { $0.baseAddress }
    elements[index] = .null
    if before != elements.withUnsafeBufferPointer({ $0.baseAddress }) {
      try build(16 * elements.count)
      try step(elements.count / 16)
    }
    try set(rest, to: new, in: &inner)
    elements[index] = inner
    whole = .array(elements)
  }

  /// The value without the values at the paths.
  mutating func removing(_ paths: [JSONValue], from whole: JSONValue) throws(EvaluationError) -> JSONValue {
    // The last path is removed first, so that the remaining paths stay valid.
    let positions = try sortedIndices(paths)
    var result = whole
    for position in positions.reversed() {
      guard case .array(let path) = paths[position] else { throw .message("Path must be specified as an array") }
      guard path.count <= ReshapeLimits.valueDepth else { continue }
      try remove(path[...], from: &result)
    }
    return result
  }

  private mutating func remove(_ path: ArraySlice<JSONValue>, from whole: inout JSONValue) throws(EvaluationError) {
    try step()
    guard let key = path.first else {
      whole = .null
      return
    }
    if case .null = whole { return }
    let rest = path.dropFirst()
    if !rest.isEmpty {
      var inner = try whole.part(key)
      if case .null = inner { return }
      try remove(rest, from: &inner)
      try set([key], to: inner, in: &whole)
      return
    }
    switch key {
    case .string(let name) where whole.isObject:
      guard case .object(var object) = whole else { return }
      whole = .null
      try step(object.members.count / 4)
      object[name] = nil
      whole = .object(object)
    case .number(let number) where whole.isArray:
      guard case .array(var elements) = whole else { return }
      whole = .null
      try step(elements.count / 16)
      var index = Int(clamping: number.value.rounded(.down))
      if index < 0 { index += elements.count }
      if elements.indices.contains(index) { elements.remove(at: index) }
      whole = .array(elements)
    case .object(let slice) where whole.isArray:
      guard case .array(var elements) = whole else { return }
      let bounds = try JSONValue.bounds(slice, elements.count)
      whole = .null
      try step(elements.count / 16)
      elements.removeSubrange(bounds)
      whole = .array(elements)
    case .string: throw .message("Cannot delete field at \(whole.kindName) index of \(whole.kindName)")
    default: throw .message("Cannot delete field at index of \(whole.kindName)")
    }
  }
}
