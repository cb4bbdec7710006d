extension FunctionTable {
  static let lists: [Function] = [
    Function(
      name: "first",
      signatures: [Signature([.init("list", .list(.element))], .element)],
      summary: "The first element; of an empty list it is a missing value.",
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
      summary: "The last element; of an empty list it is a missing value.",
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
      name: "min",
      signatures: [
        Signature([.init("list", .list(.ordered))], .element),
        Signature([.init("value", .ordered), .init("other", .ordered, .repeated)], .element),
      ],
      summary: "The least of numbers, texts, timestamps or durations; of an empty list it is a missing value.",
      examples: [
        .init("min([3, 1.50, 2])", "1.50"), .init("min('b', 'a')", #""a""#), .init("min([])", "error: missing"),
      ],
      isLookUp: true
    ) { arguments, evaluation throws(EvaluationError) in try ListWork.extreme(arguments, -1, &evaluation) },
    Function(
      name: "max",
      signatures: [
        Signature([.init("list", .list(.ordered))], .element),
        Signature([.init("value", .ordered), .init("other", .ordered, .repeated)], .element),
      ],
      summary: "The greatest of numbers, texts, timestamps or durations; of an empty list it is a missing value.",
      examples: [
        .init("max(1, 3, 2)", "3"), .init("max(['2026-01-02', '2026-01-10'])", #""2026-01-10""#),
        .init("max([1, 'a'])", "error: wrong-type"),
      ],
      isLookUp: true
    ) { arguments, evaluation throws(EvaluationError) in try ListWork.extreme(arguments, 1, &evaluation) },
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
      for place in 1..<max(arguments[0].count, 1) {
        try evaluation.spend(steps: 1)
        if let element = arguments[0].element(place) { sum = try evaluation.arithmetic(.plus, sum, element) }
      }
      return sum
    },
  ]
}

extension ExpressionValue {
  fileprivate var isDuration: Bool { if case .duration = self { true } else { false } }
}
