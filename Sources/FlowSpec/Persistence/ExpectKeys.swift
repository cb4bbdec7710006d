/// The keys of `expect`.
enum ExpectKeys {
  static let construct = Construct(
    .expect, noun: "'expect'", "What a result must satisfy for the flow to pass.",
    details: "A result that does not is an error of the flow; nothing is stored.",
    fields: [min, max, total, maxRejected, status],
    frame: .flow("resource: /customers\nexpect:\n  ◆"))

  static let min = Field(
    "min", .integer(0...Int.max), default: "0", "The least number of records.", edit: .asksAnewWithoutCursor,
    examples: ["min: 1"], mistakes: ["min: ↓-1": .outOfRange, "min: ↓one": .invalidInteger])

  static let max = Field(
    "max", .integer(0...Int.max), default: "no limit", "The greatest number of records.", edit: .asksAnewWithoutCursor,
    examples: ["max: 10000"], mistakes: ["max: ↓1_000": .invalidInteger, "min: 5\nmax: ↓4": .impossibleExpectation])

  static let total = Field(
    "total", .jsonPath, default: "not checked", "Where the response tells how many records it holds.",
    details: "The number found there must equal the number of records before pruning.", edit: .asksAnewWithoutCursor,
    examples: ["total: $.meta.total"], mistakes: ["total: $.meta..↓": .invalidPath])

  static let maxRejected = Field(
    "max_rejected", .integer(0...Int.max), default: "no limit", "The greatest number of records that may be pruned.",
    edit: .asksAnewWithoutCursor, examples: ["max_rejected: 10"], mistakes: ["max_rejected: ↓10%": .invalidInteger])

  static let status = Field(
    "status", .statuses, default: "2xx", "Statuses taken as success, in place of 200–299.", edit: .asksAnew,
    examples: ["status: 200", "status: [2xx, 404]", "status: 200-204"],
    mistakes: ["status: ↓ok": .invalidStatus, "status: [200, ↓20]": .invalidStatus, "status: ↓299-200": .invalidStatus])
}
