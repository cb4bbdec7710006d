internal import JSONSyntax

/// How long flows probably take, in milliseconds; the longest are claimed first.
struct FlowWeights {
  private let known: [String: Int64]
  /// The weight of a flow that no earlier run has ended.
  private let unknown: Int64

  /// - Parameter known: the milliseconds that flows took the last time
  init(_ known: [String: Int64]) {
    self.known = known
    // It may be long, and a long one that begins last delays the run: so it comes behind the longest hundredth.
    let longest = known.values.sorted(by: >)
    unknown = longest.isEmpty ? 1000 : longest[longest.count / 100] - 1
  }

  subscript(_ flow: String) -> Int64 { max(known[flow] ?? unknown, 1) }
}

extension RunUnit {
  func json(by weights: FlowWeights) -> JSONValue {
    let weight = flows.reduce(0) { $0 &+ weights[$1] }
    let names = JSONValue.array(flows.map { .string($0) })
    return .object([
      "unit": .number(JSONNumber(Int64(number))), "flows": .string(names.text), "weight": .number(JSONNumber(weight)),
    ])
  }
}
