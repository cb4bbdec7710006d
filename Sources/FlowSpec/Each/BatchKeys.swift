import Expressions

/// The keys of `each.batch`.
enum BatchKeys {
  static let construct = Construct(
    .eachBatch, noun: "a batch", "How many records one request is for, and how its response tells what became of each.",
    shortForm: .init(.integer(1...10_000), "A number alone is the size.", examples: ["100"]),
    fields: [size, results, failed, reason],
    frame: SentRecordsKeys.frame(
      """
          resource: { method: POST, path: /customers }
          each:
            file: out/customers.jsonl
            batch:
              ◆
      """))

  static let size = Field(
    "size", .integer(1...10_000), default: .required, "The most records of one request.", edit: .asksAnew,
    examples: ["size: 100"], mistakes: ["size: ↓0": .outOfRange])

  static let results = Field(
    "results", .jsonPath, default: "none: a batch passes or fails as a whole",
    "Where the response tells what became of each record: one result for each, in their order.",
    details: """
      The response is held in memory then, at most 32 MiB. Another number of results than of records fails the batch.
      """, edit: .asksAnew, examples: ["size: 50\nresults: $.responses\nfailed: result.status >= 400"],
    mistakes: [
      "size: 50\nresults: ↓responses\nfailed: result.error": .invalidPath, "size: 50\n↓results: $.items": .eachBatch,
    ])

  static let failed = Field(
    "failed", .condition, default: "none", "Whether a record was refused, given its `result`.", secrets: .refused,
    edit: .asksAnew, examples: ["size: 50\nresults: $.items[*]\nfailed: has(result.error)"],
    mistakes: [
      "size: 50\nresults: $.items\nfailed: ↓reslt.error": .templateUnknownRoot,
      "size: 50\n↓failed: has(result.error)": .eachBatch,
    ])

  static let reason = Field(
    "reason", .expression(.string), default: "the result", "Why it was refused, as text.", secrets: .refused,
    edit: .keepsResult,
    examples: ["size: 50\nresults: $.items\nfailed: has(result.error)\nreason: string(result.error.message)"],
    mistakes: [
      "size: 50\nresults: $.items\nfailed: has(result.error)\nreason: ↓1": .expressionType,
      "size: 50\n↓reason: string(result)": .eachBatch,
    ])
}
