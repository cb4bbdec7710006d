internal import FlowModel
internal import SourceDiagnostics
internal import WebSyntax
internal import YAMLSyntax

enum RateKeys {
  static let construct = Construct(
    .rate, noun: "'rate'", "The limit on the rate of requests to a host.",
    details: """
      The requests of all flows to one host (scheme, name and port) are counted together, and each flow applies its \
      own limits to that count. If a server asks for a pause, all of them wait.
      """,
    shortForm: .init(
      .oneOrMore(.setting(.rate)), "A rate alone means `max`, and so does a list of rates.",
      examples: ["10/s", "600/m", "[10/s, 1000/h]"]),
    fields: [max, budgets, concurrency, follow], frame: frame("◆"))

  static let stored: [Stored<Rate>] = [
    .init(max) { $0.max = $1 }, .init(budgets) { $0.budgets = $1 }, .init(concurrency) { $0.concurrency = $1.value },
    .init(follow) { $0.follow = $1 },
  ]

  static let max = Field(
    "max", .rates, default: "none", "The maximum number of requests that start within a time; in a list, all apply.",
    details: """
      `10/s` applies to any second, `600/m` to any minute, `1/5s` to any five seconds: in no such period, wherever it \
      begins, do more requests start. The period is at most a day. Requests are counted when they are sent; when they \
      arrive is not known. Variables may be part of a rate: `{{ vars.quota }}/h`.
      """, secrets: .refused,
    edit: .keepsResult,
    examples: ["max: 10/s", "max: 1/5s", "max: [10/s, 1000/h]", "max: \"{{ vars.quota }}/h\""],
    mistakes: [
      "max: ↓10": .invalidRate, "max: ↓0/s": .invalidRate, "max: ↓10/week": .invalidRate, "max: ↓[]": .missingValue,
      "max: [10/s, ↓20/1s]": .duplicateItem,
    ])

  static let budgets = Field(
    "budgets", .rateBudgets, default: "none", "Further limits for some of the requests.",
    details: """
      A request must keep the limits of each budget that it matches, and `max`. The requests of all flows to the host \
      that have the same budget are counted together.
      """, edit: .byItsKeys, examples: ["budgets: [{ path: \"/search/**\", max: 30/m }]"],
    mistakes: ["budgets: ↓30/m": .wrongKind, "budgets: ↓[]": .missingValue])

  static let concurrency = Field(
    "concurrency", .integer(1...1000), default: "none",
    "The maximum number of requests that wait for a response at once.",
    details: "A request counts from its start until its response starts.", edit: .keepsResult,
    examples: ["concurrency: 2"], mistakes: ["concurrency: ↓0": .outOfRange])

  static let follow = Field(
    "follow", .construct(.rateFollow) { $0.rateFollow($1) }, default: "headers",
    "Whether requests wait when a response header reports that the limit is reached.",
    edit: .keepsResult,
    examples: ["follow: none", "follow: { remaining: X-Calls-Left, reset: X-Calls-Reset, format: epoch_s }"],
    mistakes: ["follow: ↓header": .unknownValue])

  /// A file in which a fragment is the value of `rate`.
  static func frame(_ fragment: String, supplies: [String] = [], alternatives: [String: String] = [:])
    -> Construct.Frame
  {
    let lines = fragment.split(separator: "\n").map { "    \($0)\n" }.joined()
    return .init(
      """
      reactor: 1
      vars: { quota: { type: integer, default: 1000 } }
      http:
        base_url: https://api.example.com
        rate:
      \(lines)flows: { orders: { resource: /orders } }
      """, supplies: supplies, alternatives: alternatives)
  }
}

enum RateBudgetKeys {
  static let construct = Construct(
    .rateBudget, noun: "a budget", "Limits for the requests with certain paths and methods.",
    fields: [path, methods, max],
    requirements: [
      .oneOf(
        [path, methods], code: .missingKey, "the budget does not say to which requests it applies",
        help: "add 'path' or 'method', or write its rates to 'max' of 'rate'")
    ],
    frame: RateKeys.frame(
      "budgets:\n  -\n    ◆", supplies: ["max: 30/m"]))

  static let path = Field(
    "path", .pathPatterns, default: "all paths", "The path of the requests, or a list of paths.",
    details: """
      As in `resource`: below the path of `base_url`, without the query. `*` is any text within a segment, `**` any \
      text: `/search/*` matches `/search/users`, and `/search/**` also `/search/users/7`. For a link to a URL that is \
      not below `base_url`, it is the whole path.
      """, edit: .keepsResult,
    examples: ["path: \"/search/*\"\nmax: 30/m", "path: [/search, \"/reports/**\"]\nmax: 30/m"],
    mistakes: [
      "path: ↓search\nmax: 1/s": .invalidRequestPath, "path: ↓/search?q=*\nmax: 1/s": .invalidRequestPath,
      "path: ↓[]\nmax: 1/s": .missingValue, "path: [/a, ↓/a]\nmax: 1/s": .duplicateItem,
    ])

  static let methods = Field(
    "method", .rateMethods, default: "all methods", "The methods of the requests.", edit: .keepsResult,
    examples: ["method: [POST, PATCH]\nmax: 10/m"],
    mistakes: [
      "method: [↓get]\nmax: 1/s": .unknownValue, "method: ↓[]\nmax: 1/s": .missingValue,
      "method: [GET, ↓GET]\nmax: 1/s": .duplicateItem,
    ])

  static let max = Field(
    "max", .rates, default: .required, "The maximum number of these requests within a time; in a list, all apply.",
    secrets: .refused, edit: .keepsResult, examples: ["path: /search\nmax: [5/s, 30/m]"],
    mistakes: ["path: /search\nmax: ↓fast": .invalidRate, "path: /search\nmax: ↓[]": .missingValue])
}

enum RateFollowKeys {
  static let construct = Construct(
    .rateFollow, noun: "'follow'", "The header fields by which the server reports its limit.",
    details: """
      When no request remains, the host's next requests wait for the reset, before the server refuses one. The wait is \
      at most `retry.max_wait`. Responses without the fields delay nothing; values that cannot be read are reported \
      once by a warning and ignored. `Retry-After` of a 429 is followed too.
      """,
    shortForm: .init(
      .choice(["headers", "none"]),
      "`headers`: when `RateLimit`, `RateLimit-Remaining` or `X-RateLimit-Remaining` are zero, the host's next requests "
        + "wait for the reset. They also wait after a 429. A wait is at most `retry.max_wait`. `none`: no waits.",
      examples: ["headers", "none"]), fields: [remaining, reset, format],
    frame: RateKeys.frame("follow:\n  ◆", supplies: ["remaining: X-Left", "reset: X-Reset"]))

  static let remaining = Field(
    "remaining", .name(.header), default: .required, "The field with the number of requests that remain.",
    edit: .keepsResult, examples: ["remaining: X-Calls-Left"], mistakes: ["remaining: ↓\"X Left\"": .invalidHeader])

  static let reset = Field(
    "reset", .name(.header), default: .required, "The field with the time at which requests are allowed again.",
    edit: .keepsResult, examples: ["reset: X-Calls-Reset"], mistakes: ["reset: ↓\"X Reset\"": .invalidHeader])

  static let format = Field(
    "format", .choice(of: WaitField.Format.self), default: "auto",
    "The form of the value of `reset`, as in `retry.follow`.",
    edit: .keepsResult, examples: ["format: epoch_s", "format: time"], mistakes: ["format: ↓epoch": .unknownValue])
}

extension FlowReader {
  /// Reads a `rate` mapping or its short form.
  mutating func rate(_ value: FieldValue) -> Rate? {
    var rate = Rate()
    if value.node.isScalar || value.node.isSequence {
      rate.max = read(RateKeys.max, short: value) ?? []
      return rate
    }
    guard let nodes = open(value, as: .rate) else { return nil }
    fill(&rate, with: RateKeys.stored, from: nodes)
    return rate
  }

  /// Reads one rate, or several rates with different periods.
  mutating func rates(_ value: FieldValue) -> [Setting<Rate.Limit>]? {
    guard let values = partsOfFilled(value) else { return nil }
    var seen: [Double: SourceRange] = [:]
    return values.compactMap { value in
      guard let rate = setting(value, SettingText.rate) else { return nil }
      guard let limit = rate.constant else { return rate }
      return isRepeated(
        limit.seconds, "\(printable(text(value) ?? ""))", at: value.node.range, in: &seen,
        "a rate whose period is listed") ? nil : rate
    }
  }

  /// Reads the budgets for some of the requests.
  mutating func rateBudgets(_ value: FieldValue) -> [Rate.Budget]? {
    guard let values = elements(of: value) else { return nil }
    if values.isEmpty { report(.missingValue, "'budgets' is empty", at: value.node.range, help: "leave it out") }
    return values.compactMap { rateBudget($0) }
  }

  private mutating func rateBudget(_ value: FieldValue) -> Rate.Budget? {
    guard let nodes = open(value, as: .rateBudget) else { return nil }
    let paths = read(RateBudgetKeys.path, of: nodes)
    let methods = read(RateBudgetKeys.methods, of: nodes)
    guard let max = read(RateBudgetKeys.max, of: nodes) else { return nil }
    return Rate.Budget(paths: paths ?? [], methods: methods ?? [], max: max)
  }

  /// Reads one pattern of request paths or several.
  mutating func pathPatterns(_ value: FieldValue) -> [String]? {
    guard let values = partsOfFilled(value) else { return nil }
    var seen: [String: SourceRange] = [:]
    return values.compactMap { value in
      guard let text = text(value) else { return nil }
      guard text.hasPrefix("/") || text.hasPrefix("*"), !text.contains("?"), !text.contains("#"),
        text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
      else {
        return fail(
          .invalidRequestPath, "'\(printable(text))' is not a pattern of paths", at: value.node.range,
          help: "write a path as in 'resource', such as /search/*, without a query")
      }
      return isRepeated(text, printable(text), at: value.node.range, in: &seen) ? nil : text
    }
  }

  /// Reads a list of methods.
  mutating func rateMethods(_ value: FieldValue) -> [String]? {
    guard let values = elements(of: value) else { return nil }
    if values.isEmpty {
      report(.missingValue, "'method' is empty, so the budget applies to no request", at: value.node.range)
    }
    var seen: [String: SourceRange] = [:]
    return values.compactMap { value in
      guard let method = choice(value, ResourceKeys.methods),
        !isRepeated(method, method, at: value.node.range, in: &seen)
      else { return nil }
      return method
    }
  }

  /// Reads which header fields with the server's limit are obeyed.
  mutating func rateFollow(_ value: FieldValue) -> Rate.Follow? {
    if value.node.isScalar { return choice(value, ["headers", "none"]).map { $0 == "none" ? .nothing : .usual } }
    guard let nodes = open(value, as: .rateFollow) else { return nil }
    let remaining = read(RateFollowKeys.remaining, of: nodes)
    let reset = read(RateFollowKeys.reset, of: nodes)
    let format = read(RateFollowKeys.format, of: nodes)
    guard let remaining, let reset else { return nil }
    let fields = LimitFields(remaining: remaining.value, reset: WaitField(reset.value, format: format ?? .auto))
    return .fields(Located(fields, at: value.key))
  }

  /// Returns the elements of a list, or a single value; reports an error for an empty list.
  private mutating func partsOfFilled(_ value: FieldValue) -> [FieldValue]? {
    guard let values = oneOrMore(of: value) else { return nil }
    guard values.isEmpty else { return values }
    return fail(.missingValue, "'\(value.spec.name)' is empty", at: value.node.range, help: "leave it out")
  }
}
