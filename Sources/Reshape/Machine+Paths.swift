internal import JSONSyntax

extension Machine {
  /// `.[key]`; for two lists, the indices at which the second list occurs in the first.
  mutating func lookUp(_ whole: Item, _ key: JSONValue) throws(EvaluationError) -> Item {
    guard case .array(let elements) = whole.value, case .array(let part) = key else { return try access(whole, key) }
    return whole.replaced(by: try meter.positions(of: part, in: elements), depth: 1)
  }

  /// `.[key]` of an item; the path of the result is tracked if that of the item is.
  mutating func access(_ whole: Item, _ key: JSONValue) throws(EvaluationError) -> Item {
    switch (whole.value, key) {
    case (.object(let object), .string):
      if object.members.count > 16 { try meter.step(object.members.count / 4) }
    case (.string(let text), .object):
      try meter.step(text.utf8.count / 4)
      try meter.build(text.utf8.count)
    case (.array(let elements), .object):
      try meter.step(elements.count / 16)
      try meter.build(16 * elements.count)
    default: break
    }
    let value = try whole.value.part(key)
    var depth: Int32 = 0
    if value.isContainer {
      depth = max(whole.depth - (key.isContainer ? 0 : 1), 1)
    }
    switch whole.track {
    case .off: return Item(value, depth: depth)
    case .path(let path): return Item(value, .path(path + [key]), depth: depth)
    case .lost:
      throw .message(
        "Invalid path expression near attempt to access element \(key.excerptForErrors) of "
          + whole.value.excerptForErrors)
    }
  }

  /// The item for an element whose value is already known: the path of the container is extended by the key.
  func child(of whole: Item, _ value: JSONValue, _ key: JSONValue) throws(EvaluationError) -> Item {
    let depth = value.isContainer ? max(whole.depth - 1, 1) : 0
    switch whole.track {
    case .off: return Item(value, depth: depth)
    case .path(let path): return Item(value, .path(path + [key]), depth: depth)
    case .lost:
      throw .message("Invalid path expression near attempt to iterate through \(whole.value.excerptForErrors)")
    }
  }

  /// Delivers the elements one after the other.
  mutating func iterate(_ whole: Item) throws(EvaluationError) {
    let isEmpty: Bool
    switch whole.value {
    case .array(let elements): isEmpty = elements.isEmpty
    case .object(let object): isEmpty = object.members.isEmpty
    default: throw .message("Cannot iterate over \(whole.value.shown)")
    }
    mode = .back
    guard !isEmpty else { return }
    try choose(.each, node, item: whole)
  }

  /// The value at a path; null when it does not exist.
  mutating func get(_ path: [JSONValue], from whole: Item) throws(EvaluationError) -> Item {
    var item = whole.untracked
    for key in path {
      if case .null = item.value { return item }
      item = try access(item, key)
    }
    return item
  }

  /// Sets a value at a path; creates missing containers.
  mutating func set(_ path: [JSONValue], to new: Item, in whole: inout Item) throws(EvaluationError) {
    guard path.count < ReshapeLimits.valueDepth, Int(new.depth) + path.count < ReshapeLimits.valueDepth else {
      throw .limit("a value is nested more than \(ReshapeLimits.valueDepth) levels deep")
    }
    whole.depth = max(whole.depth, new.depth + Int32(path.count))
    try meter.set(path[...], to: new.value, in: &whole.value)
  }

  mutating func negated(_ value: JSONValue) throws(EvaluationError) -> JSONValue {
    guard case .number(let number) = value else { throw .message("\(value.shown) cannot be negated") }
    return .number(JSONNumber(-number.value))
  }
}

extension JSONValue {
  /// The value of `.[key]` for this value as the input.
  func part(_ key: JSONValue) throws(EvaluationError) -> JSONValue {
    switch (self, key) {
    case (.object(let object), .string(let name)):
      return object[name] ?? .null
    case (.array(let elements), .number(let number)):
      let position = number.value
      guard !position.isNaN else { return .null }
      var index = Int(clamping: position.rounded(.down))
      if index < 0 { index += elements.count }
      return elements.indices.contains(index) ? elements[index] : .null
    case (.null, .string), (.null, .number):
      return .null
    case (.array(let elements), .object(let bounds)):
      return .array(Array(elements[try Self.bounds(bounds, elements.count)]))
    case (.string(let text), .object(let bounds)):
      let view = text.unicodeScalars
      let range = try Self.bounds(bounds, view.count)
      let start = view.index(view.startIndex, offsetBy: range.lowerBound)
      return .string(String(view[start..<view.index(start, offsetBy: range.count)]))
    case (.null, .object):
      return .null
    case (_, .string(let name)):
      throw .message("Cannot index \(kindName) with string \"\(name)\"")
    default:
      throw .message("Cannot index \(kindName) with \(key.kindName)")
    }
  }

  /// The range of indices between `start` and `end` of a slice, in a list or text of `count` elements.
  static func bounds(_ slice: JSONObject, _ count: Int) throws(EvaluationError) -> Range<Int> {
    func position(_ value: JSONValue?, _ missing: Int, _ rule: FloatingPointRoundingRule) throws(EvaluationError) -> Int
    {
      switch value ?? .null {
      case .null: return missing
      case .number(let number):
        let position = number.value
        guard !position.isNaN else { return missing }
        let whole = Int(clamping: position < 0 ? position + Double(count) : position.rounded(rule))
        return min(max(position < 0 ? Int(clamping: (position + Double(count)).rounded(rule)) : whole, 0), count)
      default:
        throw .message("Start and end indices of an array slice must be numbers")
      }
    }
    let start = try position(slice["start"], 0, .down)
    let end = try position(slice["end"], count, .up)
    return start..<max(start, end)
  }
}
