internal import FlowModel

enum PageSizeKeys {
  static let construct = Construct(
    .pagesSize, noun: "'pages.size'", "How many records a page has: what is requested, and how far it may be reduced.",
    details: """
      A rule of `errors` with `do: shrink` makes a page that is too large smaller: with `{ max: 100, min: 10 }` the \
      sizes are 100, 50, 25, 12 and 10. Before each smaller page the flow waits as `retry.wait` says, always the same \
      time; `retry.max` does not count these requests. Each slice of a cursor and each parent of `each` begins at `max`.
      """,
    shortForm: .init(
      .setting(.integer(Pages.sizes)), "A number alone is `max`.", examples: ["100", "\"{{ vars.page_size }}\""]),
    fields: [max, min],
    frame: .flow("resource: /customers\npages:\n  by: page\n  query: page\n  size_query: limit\n  size:\n    ◆"))

  static let max = Field(
    "max", .integerSetting(Pages.sizes), default: .required, "The requested page size.", secrets: .refused,
    edit: .asksAnew, examples: ["max: 100"], mistakes: ["max: ↓0": .outOfRange])

  static let min = Field(
    "min", .integer(Pages.sizes), default: "1", "The smallest size that is requested when a page is too large.",
    details: "If a page of this size is still too large, the flow fails. Needs a rule of `errors` with `do: shrink`.",
    edit: .keepsResult, examples: ["max: 100\nmin: 10"], mistakes: ["max: 100\nmin: ↓0": .outOfRange])
}

/// The size of a page as declared.
struct WrittenPageSize: Sendable {
  /// The requested size.
  var max: Setting<Int>
  /// The smallest size that is requested when a page is too large.
  var min = 1
}
