internal import FlowModel
import Expressions

enum PagesKeys {
  static let construct = Construct(
    .pages, noun: "'pages'", "How all pages of a response are requested.",
    details: """
      Nothing is published before the last page is read. A repeated token, URL or page, a link to another origin and \
      more pages than `max` are errors, because each of them means missing data or an endless pull.

      A pull ends after a page if no sign says that there are more pages. Signs are declared with `count`, `more` and \
      `expect.total`, or recognised by their usual names. A page by number or offset without records ends the pull \
      unless a sign says that there is more; then the next page is requested. A page without the next token or URL is \
      an error if a sign says that there is more. Where `stop` is declared, it alone decides; with `missing: end` only \
      declared signs count.

      If `count` or `expect.total` give the number of pages, pages are requested in parallel and stay in order.

      A page by number or offset without its list of records ends the pull. If it has members that the first page does \
      not have, it is an error instead.

      Without `pages`, a response that announces another page fails the flow, because only the first records would be \
      persisted. Signs of another page are those of well-known APIs, in the body or the headers: the `Link` header, \
      `$.next`, `$.links.next`, `$.has_more`, `$.isLast`, a number of pages or records that is greater than that of \
      the response, and the like. `pages: none` declares that one page is enough. If `expect.total` is declared, it \
      decides instead.
      """,
    shortForm: .init(
      .choice(["link"]), words: ["none"],
      "`link` follows the `Link` header; `none` requests one page, even if the response announces another one.",
      examples: ["link", "none"]),
    fields: [
      by, from, fromLast, next, stop, query, header, body, start, size, sizeQuery, short, count, more, max,
      parallel, partial, missing, `repeat`,
    ],
    requirements: [
      .only([from], with: by, ["cursor", "next_url", "link"], code: .misplacedPagesKey),
      .only([next], with: by, ["cursor", "next_url"], code: .misplacedPagesKey),
      .only([fromLast], with: by, ["cursor"], code: .misplacedPagesKey),
      // If `more` is declared, `missing` has an effect for every strategy.
      .only([missing], with: by, ["cursor", "next_url", "link"], unless: more, code: .misplacedPagesKey),
      .only([query, header, body], with: by, ["page", "offset", "cursor"], code: .misplacedPagesKey),
      .only([start, count, parallel], with: by, ["page", "offset"], code: .misplacedPagesKey),
      .needs(
        size, sizeQuery, code: .incompletePages, "'size' needs a 'size_query'",
        help: "add, for example, 'size_query: limit'"),
      .needs(
        sizeQuery, size, code: .incompletePages, "'size_query' needs a 'size'", help: "add, for example, 'size: 100'"),
      .needs(
        short, is: "end", size, code: .incompletePages, "'short: end' needs a 'size'",
        help: "add 'size' and 'size_query'"),
    ],
    frame: .flow(
      "resource: { method: POST, path: /customers, body: { json: { variables: {} } } }\nrecords: $.data\npages:\n  ◆"))

  static let stored: [Stored<Pages>] = [
    .init(short) { $0.endsAtShort = $1 == "end" },
    .init(count) { $0.count = $1 }, .init(more) { $0.more = $1 }, .init(max) { $0.max = $1.value },
    .init(parallel) { $0.parallel = $1.value }, .init(partial) { $0.keepsPart = $1 == "keep" },
    .init(missing) { $0.mayLackNext = $1 == "end" }, .init(`repeat`) { $0.repetition = $1 },
  ]

  static let by = Field(
    "by", .choice(["page", "offset", "cursor", "next_url", "link"]), default: .required, "How the next page is found.",
    details: """
      `page`: by number. `offset`: by the number of records read so far. `cursor`: by a token that the response gives. \
      `next_url`: by a URL that the response gives, relative or absolute. `link`: by the `Link` header (RFC 8288).
      """, edit: .asksAnew, examples: ["by: page\nquery: page", "by: link"],
    mistakes: ["by: ↓pages": .unknownValue, "by: ↓page": .incompletePages])

  static let from = Field(
    "from",
    .converted(.responseLocation) { location in
      switch location.value {
      case .body(let path): Located(Pages.Source.response(path), at: location.range)
      case .header(let name): Located(Pages.Source.header(name), at: location.range)
      }
    },
    "Where the token or the URL is in the response: a path, or `headers.NAME`; for `link` the relation.",
    details: """
      An absent member, `null`, `false`, `""` and 0 end the pull. A first page without this member is an error, unless \
      `missing: end`. For `link` it is the relation of the `Link` header to follow: `next`, if nothing is written.
      """, edit: .asksAnew,
    examples: [
      "by: cursor\nfrom: $.next\nquery: cursor", "by: next_url\nfrom: $.links.next",
      "by: next_url\nfrom: headers.Next-Page", "by: link\nfrom: following",
    ],
    mistakes: [
      "by: cursor\nquery: cursor\nfrom: ↓next": .invalidPath, "by: next_url\nfrom: ↓headers.a b": .invalidHeader,
      "by: page\nquery: page\n↓from: $.next": .misplacedPagesKey, "by: cursor\nquery: c\n↓form: $.next": .unknownKey,
    ])

  static let fromLast = Field(
    "from_last", .converted(.jsonPath) { Located(Pages.Source.lastRecord($0.value), at: $0.range) },
    "Where the token is in the last record of the page.",
    details: "The path starts at the record as received. A page without records ends the pull.", edit: .asksAnew,
    examples: ["by: cursor\nfrom_last: $.id\nquery: after"],
    mistakes: ["by: link\n↓from_last: $.id": .misplacedPagesKey])

  static let next = Field(
    "next",
    .converted(.expression(.optional(.dynamic))) {
      Located(Pages.Source.expression($0.value), at: $0.range)
    }, "An expression that gives the token or the URL.",
    details: """
      It can use `response` (the response without its records), `headers` (names in lower case), `last` (the last \
      record, or null), `page` (`number`, `records`) and `vars`. Null, `false`, `""` and 0 end the pull.
      """, edit: .asksAnew,
    examples: ["by: cursor\nquery: after\nnext: \"last == null ? null : base64_encode(string(last.id))\""],
    mistakes: [
      "by: cursor\nquery: after\nnext: \"↓lats.id\"": .templateUnknownRoot,
      "by: cursor\nquery: after\nfrom: $.next\n↓next: last.id": .misplacedPagesKey,
    ])

  static let stop = Field(
    "stop", .condition, default: "unknown", "An expression that ends the pull after a page for which it is true.",
    details: """
      It can use the same names as `next`, and with a cursor `cursor.start` and `cursor.end`: the bounds of the \
      requested range, as a timestamp, an integer or a text (also for dates). `cursor.position` is what the last run \
      reached, and null in the first run.
      """, edit: .asksAnew,
    examples: ["by: page\nquery: page\nstop: \"page.records < 100\""],
    mistakes: [
      "by: page\nquery: page\nstop: ↓page.records": .expressionType,
      "by: page\nquery: page\nstop: \"page.↓recrods < 100\"": .expressionName,
    ])

  static let query = Field(
    "query", .converted(.name(.parameter)) { Pages.Location.query($0.value) },
    "The query parameter for the number, the offset or the token.",
    details: """
      Instead of `query`, `header` or `body`, templates of the request can use `{{ page.number }}`, `{{ page.offset \
      }}` and `{{ coalesce(page.token, …) }}`, which is null on the first page.
      """, edit: .asksAnew, examples: ["by: page\nquery: page"],
    mistakes: ["by: link\n↓query: page": .misplacedPagesKey])

  static let header = Field(
    "header", .converted(.name(.header)) { Pages.Location.header($0.value) },
    "The request header for the number, the offset or the token, instead of `query`.", edit: .asksAnew,
    examples: ["by: cursor\nfrom: $.next\nheader: X-Cursor"],
    mistakes: ["by: page\nquery: page\n↓header: X-Page": .misplacedPagesKey])

  static let body = Field(
    "body", .converted(.memberPath(example: "$.variables.after")) { Pages.Location.body($0) },
    "The member of the JSON body for the number, the offset or the token, instead of `query`.", edit: .asksAnew,
    examples: ["by: cursor\nfrom: $.next\nbody: $.variables.after"],
    mistakes: [
      "by: cursor\nfrom: $.next\nbody: ↓$.pages[*]": .invalidPath,
      "by: page\nquery: page\n↓body: $.page": .misplacedPagesKey,
    ])

  static let start = Field(
    "start", .integer(0...1_000_000_000), default: "1 for `page`, 0 for `offset`",
    "The number of the first page, or the first offset.", edit: .asksAnew,
    examples: ["by: page\nquery: page\nstart: 0"],
    mistakes: ["by: link\n↓start: 1": .misplacedPagesKey, "by: page\nquery: page\nstart: ↓-1": .outOfRange])

  static let size = Field(
    "size", .construct(.pagesSize) { $0.pageSize($1) }, default: "the server's",
    "The requested page size; needs `size_query`. A mapping can also declare the smallest size.",
    details: "It can be a variable: `{{ vars.page_size }}`.", edit: .byItsKeys,
    examples: [
      "by: page\nquery: page\nsize: 100\nsize_query: per_page",
      "by: page\nquery: page\nsize: \"{{ vars.page_size }}\"\nsize_query: per_page",
      "by: offset\nquery: offset\nsize: { max: 100, min: 10 }\nsize_query: limit",
      "by: cursor\nfrom: $.next\nquery: after\nsize: 200\nsize_query: limit",
    ],
    mistakes: [
      "by: page\nquery: page\nsize: ↓0\nsize_query: n": .outOfRange,
      "by: page\nquery: page\n↓size: 100": .incompletePages,
    ])

  static let sizeQuery = Field(
    "size_query", .name(.parameter), "The query parameter for `size`.", edit: .asksAnew,
    examples: ["by: offset\nquery: offset\nsize: 50\nsize_query: limit"],
    mistakes: ["by: page\nquery: page\n↓size_query: limit": .incompletePages])

  static let short = Field(
    "short", .choice(["continue", "end"]), default: "continue", "What a page with fewer records than `size` means.",
    details: """
      `end`: it is the last page, so no request for an empty page is sent after it. Only for servers that always fill \
      their pages: if a server removes records from a full page, the pull would end there and miss the pages after it. \
      A short first page is an error if its response announces another page.
      """, edit: .asksAnew, examples: ["by: page\nquery: page\nsize: 100\nsize_query: per_page\nshort: end"],
    mistakes: [
      "by: page\nquery: page\n↓short: end": .incompletePages, "by: page\nquery: page\nshort: ↓stop": .unknownValue,
    ])

  static let count = Field(
    "count", .jsonPath, default: "unknown", "Where the number of pages is in the response.", edit: .asksAnew,
    examples: ["by: page\nquery: page\ncount: $.total_pages"],
    mistakes: ["by: link\n↓count: $.total_pages": .misplacedPagesKey])

  static let more = Field(
    "more", .jsonPath, default: "unknown", "Where the response says whether another page exists.",
    details: """
      `false`, `null`, 0, `""` and an absent value mean that this is the last page. A first page with records but \
      without this location is an error, unless `missing: end`.
      """, edit: .asksAnew, examples: ["by: cursor\nfrom: $.next\nquery: cursor\nmore: $.has_more"],
    mistakes: ["by: page\nquery: page\nmore: ↓has_more": .invalidPath])

  static let max = Field(
    "max", .integer(1...100_000_000), default: "10000", "The maximum number of pages; more pages are an error.",
    details: "Each slice of a cursor, and each parent of `each`, may have this number.", edit: .asksAnew,
    examples: ["by: link\nmax: 500"], mistakes: ["by: link\nmax: ↓0": .outOfRange])

  static let parallel = Field(
    "parallel", .integer(1...64), default: "4", "How many pages are requested at once if their number is known.",
    edit: .keepsResult, examples: ["by: page\nquery: page\ncount: $.pages\nparallel: 8"],
    mistakes: ["by: page\nquery: page\nparallel: ↓0": .outOfRange, "by: link\n↓parallel: 4": .misplacedPagesKey])

  static let partial = Field(
    "partial", .choice(["fail", "keep"]), default: "fail", "How a failed page affects the pages before it.",
    details: """
      `fail`: the flow fails and its earlier result stays. `keep`: the records of the pages before it are published, \
      and the report says that the result is incomplete.
      """, edit: .asksAnew, examples: ["by: link\npartial: keep"],
    mistakes: ["by: link\npartial: ↓true": .unknownValue])

  static let missing = Field(
    "missing", .choice(["error", "end"]), default: "error",
    "What a first page without the location of `from`, `next` or `more` means.",
    details: """
      Most servers always send this member, with null on the last page. If it is absent, the path is probably \
      misspelt, and the pull would end after one page. With `end` such a page is the only one. A header is absent on \
      the last page, so a first page without it is the only one, unless its body announces a next page (at `$.next`, \
      `$.links.next`, `$.has_more` and the like) and `missing` is not `end`.
      """, edit: .asksAnew, examples: ["by: cursor\nfrom: $.next\nquery: cursor\nmissing: end"],
    mistakes: ["by: page\nquery: page\n↓missing: end": .misplacedPagesKey])

  static let `repeat` = Field(
    "repeat", .choice(of: Pages.Repetition.self), default: "error",
    "What a repeated page, token or URL means.",
    details: """
      `error`: the server ignores which page is requested. `end`: it repeats its last page; the repeated records are \
      not used. `allow`: pages are equal because the data are, or one token stands for all pages. Where `stop` or \
      `more` declares the end, one token for all pages is not an error.
      """, edit: .asksAnew, examples: ["by: page\nquery: page\nrepeat: end"],
    mistakes: ["by: page\nquery: page\nrepeat: ↓stop": .unknownValue])
}
