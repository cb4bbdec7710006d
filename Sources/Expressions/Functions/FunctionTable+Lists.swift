extension FunctionTable {
  static let lists: [Function] = [
    Function(
      name: "first",
      signatures: [Signature([.init("list", .list(.element))], .element)],
      summary: "The first element; a missing value if the list is empty.",
      examples: [.init("first([3, 4])", "3"), .init("[].first()", "error: missing")],
      isLookUp: true
    ) { arguments, _ throws(EvaluationError) in
      guard arguments[0].isList else { throw arguments.wrongType(0, "a list") }
      guard let element = arguments[0].element(0) else { throw EvaluationError(.missing, "the list is empty") }
      return element
    },
    Function(
      name: "last",
      signatures: [Signature([.init("list", .list(.element))], .element)],
      summary: "The last element; a missing value if the list is empty.",
      examples: [.init("last([3, 4])", "4"), .init("coalesce([].last(), 0)", "0")],
      isLookUp: true
    ) { arguments, _ throws(EvaluationError) in
      guard arguments[0].isList else { throw arguments.wrongType(0, "a list") }
      guard let element = arguments[0].element(arguments[0].count - 1) else {
        throw EvaluationError(.missing, "the list is empty")
      }
      return element
    },
    Function(
      name: "reverse",
      signatures: [Signature([.init("list", .list(.element))], .list(.element))],
      summary: "The elements from the last to the first.",
      examples: [.init("reverse([1, 2, 3])", "[3,2,1]"), .init("['a'].reverse()", #"["a"]"#)],
      otherNames: ["reversed"]
    ) { arguments, evaluation throws(EvaluationError) in
      guard arguments[0].isList else { throw arguments.wrongType(0, "a list") }
      try evaluation.spend(elements: arguments[0].count)
      return .list((0..<arguments[0].count).reversed().compactMap { arguments[0].element($0) })
    },
    Function(
      name: "keys",
      signatures: [Signature([.init("map", .map(.anything))], .list(.string))],
      summary: "The names of a map's members in their order.",
      examples: [.init("keys({'b': 1, 'a': 2})", #"["b","a"]"#)]
    ) { arguments, evaluation throws(EvaluationError) in
      guard let members = arguments[0].members else { throw arguments.wrongType(0, "a map") }
      try evaluation.spend(elements: members.count)
      return .list(members.map { .string($0.name) })
    },
    Function(
      name: "values",
      signatures: [Signature([.init("map", .map(.element))], .list(.element))],
      summary: "The values of a map's members in their order.",
      examples: [.init("values({'b': 1, 'a': 2})", "[1,2]")]
    ) { arguments, evaluation throws(EvaluationError) in
      guard let members = arguments[0].members else { throw arguments.wrongType(0, "a map") }
      try evaluation.spend(elements: members.count)
      return .list(members.map(\.value))
    },
    Function(
      name: "merge",
      signatures: [Signature([.init("map", .map(.anything)), .init("other", .map(.anything))], .map(.anything))],
      summary:
        "The members of both maps. If both have a member, it has the value of the second map and the position of the first.",
      examples: [
        .init("merge({'a': 1, 'b': 2}, {'a': 3, 'c': null})", #"{"a":3,"b":2,"c":null}"#),
        .init("{'a': 1}.merge({})", #"{"a":1}"#),
      ],
      otherNames: ["combine", "assign", "extend", "update"]
    ) { arguments, evaluation throws(EvaluationError) in
      guard var members = arguments[0].members else { throw arguments.wrongType(0, "a map") }
      guard let other = arguments[1].members else { throw arguments.wrongType(1, "a map") }
      try evaluation.spend(elements: members.count + other.count)
      var positions = Dictionary(members.enumerated().map { ($1.name, $0) }) { first, _ in first }
      for member in other {
        if let position = positions[member.name] {
          members[position] = member
        } else {
          positions[member.name] = members.count
          members.append(member)
        }
      }
      return .map(members)
    },
    Function(
      name: "without",
      signatures: [Signature([.init("map", .map(.anything)), .init("name", .string)], .map(.anything))],
      summary: "The map without the member of this name, if it has one.",
      examples: [.init("without({'a': 1, 'b': 2}, 'a')", #"{"b":2}"#), .init("{'a': 1}.without('c')", #"{"a":1}"#)],
      otherNames: ["omit", "del", "drop"]
    ) { arguments, evaluation throws(EvaluationError) in
      guard let members = arguments[0].members else { throw arguments.wrongType(0, "a map") }
      let name = try arguments.string(1)
      try evaluation.spend(elements: members.count)
      return .map(members.filter { $0.name != name })
    },
    extreme(
      "min", -1, "The least of numbers, texts, timestamps or durations; a missing value if the list is empty.",
      [("min([3, 1.50, 2])", "1.50"), ("min('b', 'a')", #""a""#), ("min([])", "error: missing")]),
    extreme(
      "max", 1, "The greatest of numbers, texts, timestamps or durations; a missing value if the list is empty.",
      [
        ("max(1, 3, 2)", "3"), ("max(['2026-01-02', '2026-01-10'])", #""2026-01-10""#),
        ("max([1, 'a'])", "error: wrong-type"),
      ]),
    Function(
      name: "sum",
      signatures: [
        Signature([.init("list", .list(.int))], .int), Signature([.init("list", .list(.double))], .double),
        Signature([.init("list", .list(.duration))], .duration),
      ],
      summary: "The sum of numbers or durations, from left to right; 0 for an empty list.",
      examples: [
        .init("sum([1, 2, 3])", "6"), .init("sum([0.5, 1])", "1.5"), .init("sum([])", "0"),
        .init("sum([duration('30s'), duration('30s')])", #""PT1M""#),
      ]
    ) { arguments, evaluation throws(EvaluationError) in
      guard arguments[0].isList else { throw arguments.wrongType(0, "a list") }
      guard var sum = arguments[0].element(0) else { return .int(0) }
      guard sum.isNumber || sum.isDuration else { throw EvaluationError(.wrongType, "sum takes numbers or durations") }
      for position in 1..<max(arguments[0].count, 1) {
        try evaluation.spend(steps: 1)
        if let element = arguments[0].element(position) { sum = try evaluation.arithmetic(.plus, sum, element) }
      }
      return sum
    },
  ]

  /// Creates the function for the smallest (-1) or greatest (1) value; the first of equal values is the result.
  private static func extreme(
    _ name: String, _ sign: Int, _ summary: String, _ examples: [(String, String)]
  ) -> Function {
    Function(
      name: name,
      signatures: [
        Signature([.init("list", .list(.ordered))], .element),
        Signature([.init("value", .ordered), .init("other", .ordered, .repeated)], .element),
      ],
      summary: summary, examples: examples.map { Function.Example($0.0, $0.1) }, isLookUp: true
    ) { arguments, evaluation throws(EvaluationError) in
      let candidates = arguments.count == 1 ? arguments[0] : .list(arguments.values)
      guard candidates.isList else { throw arguments.wrongType(0, "a list, or several values") }
      guard var best = candidates.element(0) else { throw EvaluationError(.missing, "the list is empty") }
      // A single value is compared with itself, to check that its type has an order.
      _ = try evaluation.compare(best, best)
      for position in 1..<max(candidates.count, 1) {
        try evaluation.spend(steps: 1)
        guard let element = candidates.element(position) else { continue }
        if try evaluation.compare(element, best) == sign { best = element }
      }
      return best
    }
  }
}

extension ExpressionValue {
  fileprivate var isDuration: Bool { if case .duration = self { true } else { false } }
}
