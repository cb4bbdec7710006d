import Expressions

enum BatchKeys {
  static let construct = Construct(
    .eachBatch, noun: "a batch", "How many records one request contains, and how its response reports each of them.",
    shortForm: .init(.integer(1...10_000), "A number alone is the size.", examples: ["100"]),
    fields: [size, results, failed, reason],
    frame: .flow(
      """
      resource: { method: POST, path: /customers }
      each:
        file: out/customers.jsonl
        batch:
          ◆
      """))

  static let size = Field(
    "size", .integer(1...10_000), default: .required, "The maximum number of records in one request.", edit: .asksAnew,
    examples: ["size: 100"], mistakes: ["size: ↓0": .outOfRange])

  static let results = Field(
    "records", .jsonPath, default: "none: a batch passes or fails as a whole",
    "Where the results of the records are in the response: one result for each record, in the same order.",
    details: """
      The response is kept in memory, at most 32 MiB. The batch fails if the numbers of results and records differ.
      """, edit: .asksAnew, examples: ["size: 50\nrecords: $.responses\nfailed: result.status >= 400"],
    mistakes: [
      "size: 50\nrecords: ↓responses\nfailed: result.error": .invalidPath, "size: 50\n↓records: $.items": .eachBatch,
    ])

  static let failed = Field(
    "failed", .condition, default: "none",
    "Whether the server rejected a record: a condition on the `result` of the record.",
    secrets: .refused,
    edit: .asksAnew, examples: ["size: 50\nrecords: $.items[*]\nfailed: has(result.error)"],
    mistakes: [
      "size: 50\nrecords: $.items\nfailed: ↓reslt.error": .templateUnknownRoot,
      "size: 50\n↓failed: has(result.error)": .eachBatch,
    ])

  static let reason = Field(
    "message", .expression(.string), default: "the result",
    "The reason for the rejection: an expression that gives a text.", secrets: .refused,
    edit: .keepsResult,
    examples: ["size: 50\nrecords: $.items\nfailed: has(result.error)\nmessage: string(result.error.message)"],
    mistakes: [
      "size: 50\nrecords: $.items\nfailed: has(result.error)\nmessage: ↓1": .expressionType,
      "size: 50\n↓message: string(result)": .eachBatch,
    ])
}
