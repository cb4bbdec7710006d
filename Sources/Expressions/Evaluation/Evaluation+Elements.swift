/// Operations on the elements of a list, or on the keys of a map.
extension Evaluation {
  /// An element, and the value that the expression in `sort` or `unique` has for it.
  private struct Keyed {
    let key: ExpressionValue
    let element: ExpressionValue
  }

  mutating func elements(_ each: Step.Each) throws(EvaluationError) -> ExpressionValue {
    let list = try value(each.list)
    guard list.isList || list.isMap else {
      throw EvaluationError(.wrongType, "\(each.macro.rawValue) takes a list, not a \(list.typeName)", at: each.range)
    }
    var results: [ExpressionValue] = []
    var keyed: [Keyed] = []
    locals.append(.null)
    defer { locals.removeLast() }
    let keys = list.isMap ? (list.members ?? []).map { ExpressionValue.string($0.name) } : nil
    for position in 0..<list.count {
      try spend(steps: 1)
      guard let element = keys?[position] ?? list.element(position) else { continue }
      locals[each.slot] = element
      switch each.macro {
      case .map:
        results.append(try self.counted(try value(each.body), each.range))
      case .filter:
        if try condition(each.body) { results.append(try self.counted(element, each.range)) }
      case .all:
        guard try condition(each.body) else { return .bool(false) }
      case .exists:
        if try condition(each.body) { return .bool(true) }
      case .sort, .unique:
        keyed.append(Keyed(key: try value(each.body), element: try self.counted(element, each.range)))
      }
    }
    switch each.macro {
    case .map, .filter: return .list(results)
    case .all: return .bool(true)
    case .exists: return .bool(false)
    case .sort: return .list(try sorted(keyed, each.range))
    case .unique: return .list(try distinct(keyed))
    }
  }

  /// The elements in ascending order of their keys; elements with equal keys keep their order.
  private mutating func sorted(
    _ keyed: [Keyed], _ range: Range<Int>
  ) throws(EvaluationError) -> [ExpressionValue] {
    do throws(EvaluationError) {
      // A single key is compared with itself, to check that its type has an order.
      if let first = keyed.first { _ = try compare(first.key, first.key) }
      var failure: EvaluationError?
      let sorted = keyed.sorted { one, other in
        guard failure == nil else { return false }
        do throws(EvaluationError) {
          try spend(steps: 1)
          return try compare(one.key, other.key) < 0
        } catch {
          failure = error
          return false
        }
      }
      if let failure { throw failure }
      return sorted.map(\.element)
    } catch {
      throw error.at(range)
    }
  }

  /// The first element for each different key, in the order of the list.
  private mutating func distinct(_ keyed: [Keyed]) throws(EvaluationError) -> [ExpressionValue] {
    // Texts are equal if their scalars are, and there can be many of them.
    var texts: Set<[UInt8]> = []
    var others: [ExpressionValue] = []
    var results: [ExpressionValue] = []
    for one in keyed {
      if case .string(let text) = one.key {
        try spend(reading: text)
        if texts.insert(Array(text.utf8)).inserted { results.append(one.element) }
        continue
      }
      var isKnown = false
      for other in others where !isKnown {
        try spend(steps: 1)
        isKnown = try isEqual(one.key, other)
      }
      guard !isKnown else { continue }
      others.append(one.key)
      results.append(one.element)
    }
    return results
  }
}
