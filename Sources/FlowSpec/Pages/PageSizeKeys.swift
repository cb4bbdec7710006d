internal import FlowModel
internal import YAMLSyntax

enum PageSizeKeys {
  static let construct = Construct(
    .pagesSize, noun: "'pages.size'", "How many records a page has: what is requested, and how far it may be reduced.",
    details: "A rule of `errors` with `do: shrink` makes a page that is too large smaller.",
    shortForm: .init(
      .setting(.integer(Pages.sizes)), "A number alone is `max`.", examples: ["100", "\"{{ vars.page_size }}\""]),
    fields: [max, min],
    frame: .flow("resource: /customers\npages:\n  by: page\n  query: page\n  size_query: limit\n  size:\n    ◆"))

  static let max = Field(
    "max", .integerSetting(Pages.sizes), default: .required, "The requested page size.", secrets: .refused,
    edit: .asksAnew, examples: ["max: 100"], mistakes: ["max: ↓0": .outOfRange])

  static let min = Field(
    "min", .integer(Pages.sizes), default: "1", "The size down to which a page that is too large is made smaller.",
    details: "A page that is too large with this size fails the flow. Needs a rule of `errors` with `do: shrink`.",
    edit: .keepsResult, examples: ["max: 100\nmin: 10"], mistakes: ["max: 100\nmin: ↓0": .outOfRange])
}

/// The size of a page as declared.
struct WrittenPageSize: Sendable {
  /// The requested size.
  var max: Setting<Int>
  /// The size below which a page is not made smaller.
  var min = 1
}

extension FlowReader {
  /// Reads the size of a page: a number, or a mapping.
  mutating func pageSize(_ value: FieldValue) -> WrittenPageSize? {
    if value.node.isScalar { return PageSizeKeys.max.shape.read(&self, value).map { WrittenPageSize(max: $0) } }
    guard let nodes = open(value, as: .pagesSize), let max = read(PageSizeKeys.max, of: nodes) else { return nil }
    return WrittenPageSize(max: max, min: read(PageSizeKeys.min, of: nodes)?.value ?? 1)
  }
}
