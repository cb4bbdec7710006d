internal import FlowModel

enum ExpectKeys {
  static let construct = Construct(
    .expect, noun: "'expect'", "The conditions for a flow to pass.",
    details: "If one is not met, the flow fails and nothing is stored.",
    fields: [min, max, total, maxRejected, status],
    frame: .flow("resource: /customers\nexpect:\n  ◆"))

  static let stored: [Stored<Expectations>] = [
    .init(min) { $0.min = $1 }, .init(max) { $0.max = $1 }, .init(total) { $0.total = $1 },
    .init(maxRejected) { $0.maxRejected = $1 }, .init(status) { $0.status = $1 },
  ]

  static let min = Field(
    "min", .integer(0...Int.max), default: "0", "The minimum number of records.", edit: .asksAnewWithoutCursor,
    examples: ["min: 1"], mistakes: ["min: ↓-1": .outOfRange, "min: ↓one": .invalidInteger])

  static let max = Field(
    "max", .integer(0...Int.max), default: "no limit", "The maximum number of records.", edit: .asksAnewWithoutCursor,
    examples: ["max: 10000"], mistakes: ["max: ↓1_000": .invalidInteger, "min: 5\nmax: ↓4": .impossibleExpectation])

  static let total = Field(
    "total", .jsonPath, default: "not checked", "Where the number of records is in the response.",
    details: "The number found there must equal the number of records before pruning.", edit: .asksAnewWithoutCursor,
    examples: ["total: $.meta.total"], mistakes: ["total: $.meta..↓": .invalidPath])

  static let maxRejected = Field(
    "max_rejected", .integer(0...Int.max), default: "no limit", "The maximum number of records that may be pruned.",
    edit: .asksAnewWithoutCursor, examples: ["max_rejected: 10"], mistakes: ["max_rejected: ↓10%": .invalidInteger])

  static let status = Field(
    "status", .statuses, default: "2xx", "Statuses that mean success, instead of 200–299.", edit: .asksAnew,
    examples: ["status: 200", "status: [2xx, 404]", "status: 200-204"],
    mistakes: ["status: ↓ok": .invalidStatus, "status: [200, ↓20]": .invalidStatus, "status: ↓299-200": .invalidStatus])
}
