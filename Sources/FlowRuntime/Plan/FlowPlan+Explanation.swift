internal import Authorization
internal import Expressions
internal import FieldTypes
internal import FlowModel
internal import HTTPTransport
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Storage
internal import WebSyntax

extension FlowPlan {
  /// A description of the flow's steps, in the order in which they run. Secrets are masked.
  public var explanation: FlowExplanation { explanation(in: LocalStateStore(path: "")) }

  /// The description of the plan, with the store of the refresh tokens.
  func explanation(in state: any StateStore) -> FlowExplanation {
    let options = transfer.options
    var items: [FlowExplanation.Item] = []
    if let description = origin.description { items.append(.init("about", description)) }
    items.append(.init("declared in", "\(origin.file):\(origin.line)"))
    if !origin.tags.isEmpty { items.append(.init("tags", origin.tags.joined(separator: ", "))) }
    if let item = origin.item { items.append(.init("item", item)) }
    if let condition = origin.condition { items.append(.init("runs when", condition)) }
    if let each {
      items.append(.init("each", each.parents.map { "\($0.words) as \($0.name.value)" }.joined(separator: " × ")))
      items.append(
        .init(
          "  partitions",
          "\(each.concurrency) at once, in the order of the parents; one that fails " + failureText(each)
            + (each.keepsEmpty != nil ? "; one without records gets one record, made from its parent" : "")))
      if let words = identityText { items.append(.init("  known by", words)) }
    }
    items.append(.init("1 persistence", persistenceRule))
    items.append(
      .init(
        "2 reachability",
        checksReachability ? "connect to \(request.baseURL.origin) first" : "not checked"))
    items.append(.init("3 request", "\(request.resource.method.rawValue) \(request.shownURL)"))
    if request.hasOwnURL {
      items.append(.init("  URL", "from a value; credentials are sent only to \(request.baseURL.origin)"))
    }
    for header in request.shownHeaders { items.append(.init("  header", header)) }
    if let text = auth.text(in: state) { items.append(.init("  auth", text)) }
    if let certificate = transfer.clientCertificate {
      items.append(.init("  certificate", certificate.certificate + (certificate.key.map { ", key \($0)" } ?? "")))
    }
    if let body = request.shownBody { items.append(.init("  body", body)) }
    if let fieldGroups { items.append(.init("  field groups", fieldGroups.words)) }
    if let cursor { items.append(.init("  cursor", Self.text(cursor))) }
    if let firstRun {
      let age = firstRun.cursor?.againAfter
      let again = age.map { "; also when the position is older than \(Self.words($0))" } ?? ""
      items.append(.init("  first run", firstRun.pullWords + again))
    }
    let statuses = Self.text(acceptedStatuses)
    items.append(.init("  accepts", "status " + (statuses.isEmpty ? "200-299" : statuses.joined(separator: ", "))))
    items.append(
      .init(
        "  limits",
        "\(Self.text(options.timeout)) in all, \(options.maxBodyBytes) bytes decoded, redirects: \(transfer.redirects.rawValue)"
      ))
    items.append(.init("  retries", retryText))
    for rule in transfer.errors {
      items.append(.init("  errors", "\(rule.action.rawValue) when \(rule.when.value.text)"))
    }
    if transfer.sharesResponses {
      items.append(.init("  cache", "equal requests of the run share a response"))
    }
    if transfer.sendsTraceparent {
      items.append(.init("  traceparent", "names the trace of the run and the span of each request"))
    }
    if let rateText { items.append(.init("  rate", rateText)) }
    items.append(
      .init(
        "  transfer",
        "connecting \(options.connectTimeout.components.seconds) s; "
          + "at least \(options.lowSpeedLimit) bytes/s within \(options.lowSpeedTime.components.seconds) s; "
          + "head \(options.maxHeaderBytes >> 10) KiB, \(options.maxHeaderFields) fields; JSON nesting \(JSONTokens.depthLimit)"
      ))
    if let allowed = transfer.allow {
      items.append(.init("  may reach", "only \(allowed.map(\.text).joined(separator: ", "))"))
    }
    if let job { items += explanation(of: job) }
    if let format = records.format { items.append(.init("  decode", format.words)) }
    items += download.map { explanation(ofFilesAt: $0.value) } ?? [recordsExplanation]
    if let reshape = records.reshapeExplanation { items.append(reshape) }
    items.append(.init("  bad records", records.isStrict ? "fail the flow" : "are left out and reported"))
    if let rejected = result.rejected {
      items.append(.init("  persisted in", "\(rejected.text), with the reason and the request"))
    }
    let schema = records.schema.schema
    if !schema.keepsWholeRecords {
      items.append(.init("  schema", schema.name))
      for field in schema.fields { items.append(.init("  field", Self.text(field))) }
    } else {
      items.append(.init("  schema", "none: records are persisted as received"))
    }
    items += records.mappingExplanation
    if let pages {
      items.append(.init("  pages", pages.words))
    } else if records.takesOnePage {
      items.append(.init("  pages", "the first one only"))
    }
    if let expectations { items.append(.init("5 expect", expectations)) }
    items.append(.init(expectations == nil ? "5 save" : "6 save", save))
    return FlowExplanation(items)
  }

  /// A description of the request and of its response, with secrets masked.
  private var pullWords: String {
    var parts = ["\(request.resource.method.rawValue) \(request.shownURL)"]
    if let format = records.format { parts.append(format.words) }
    parts.append("records at \(records.path?.text ?? "the whole response")")
    if let pages { parts.append("pages \(pages.words)") }
    if job != nil { parts.append("the result of a job") }
    return parts.joined(separator: "; ")
  }

  private var recordsExplanation: FlowExplanation.Item {
    .init(
      "4 records",
      (records.path?.text ?? "the whole response")
        + (records.transform?.responseProgram != nil
          ? " of each result"
          : RecordSelection(records.path).streams
            ? ", read as a stream" : ", held in memory (at most \(RecordLimits().heldBytes >> 20) MiB)"))
  }

  /// The consequence of a failed partition, as text.
  private func failureText(_ each: Each<ParentSource>) -> String {
    guard each.skipsFailed else { return "fails the flow" }
    let bound = each.maxFailed ?? (isReading ? .percent(50) : nil)
    return (retainsFailed ? "keeps its earlier records and is reported" : "is left out and reported")
      + (bound.map { "; at most \($0.words) may fail" } ?? "")
  }

  /// The fields that identify the parents, as text; nil when the flow remembers no parents.
  private var identityText: String? {
    guard let each, remembersParents else { return nil }
    return each.parents.map { parent in
      let (name, key) = (parent.name.value, parent.identifyingFields)
      let words =
        each.identity.values.contains(name)
        ? name : key.isEmpty ? "the request" : key.map { "\(name).\($0)" }.joined(separator: ", ")
      return words + (parent.onlyChanged != nil ? ", and requested only when changed" : "")
    }.joined(separator: " × ")
  }

  private var persistenceRule: String {
    guard let output = result.target else { return "disabled: each run sends its requests" }
    switch result.expiresAfter {
    case nil where isIncremental: return "\(output.text), joined with the new records of each run"
    case nil: return "\(output.text), and each run asks the server"
    case .unlimited: return "\(output.text), used for ever once it exists (see --fresh)"
    case .seconds(let seconds): return "\(output.text), used while younger than \(Self.seconds(seconds))"
    }
  }

  private var save: String {
    guard let output = result.target else { return "nothing is saved" }
    let mode =
      switch result.mode {
      case .merge: "\(output.text), merged by \(records.schema.schema.key.joined(separator: ", ")), "
      case .append: "\(output.text), after the existing records, "
      case .replace where mergesNew:
        "\(output.text), the last record of each \(records.schema.schema.key.joined(separator: ", ")), "
      case .replace: "\(output.text), "
      }
    let versions = result.target?.table?.keepsVersions ?? false ? "with old versions, " : ""
    let copies = result.copies.isEmpty ? "" : "then to \(result.copies.map(\.text).joined(separator: ", ")), "
    return mode + versions + copies + (result.waits ? "the flow waits" : "the flow does not wait")
      + " for the save"
      + (result.failsOnSaveError
        ? "; a failure fails the flow" : "; a failure is reported only")
  }

  private var expectations: String? {
    var parts: [String] = []
    let expected = records.expectations
    if let least = expected.min?.value { parts.append("at least \(Expectations.records(least))") }
    if let most = expected.max?.value { parts.append("at most \(Expectations.records(most))") }
    if let total = expected.total?.value { parts.append("as many records as \(total.text) says") }
    if let rejected = expected.maxRejected { parts.append("at most \(rejected.text) rejected") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func text(_ field: FieldMapping) -> String {
    var text =
      "\(field.name): \(field.type.name) "
      + (field.value.map { "computed: \($0.sourceText)" } ?? "from \(field.from.text)")
    if case .timestamp(let format) = field.type, format != .iso8601, field.value == nil {
      text += " as \(format.words)"
    }
    if field.coerces { text += ", values of other types are converted" }
    switch field.missing {
    case .required: break
    case .optional: text += ", optional"
    case .default: text += ", with a default"
    }
    return text
  }

  private static func words(_ distance: Cursor.Distance) -> String {
    switch distance {
    case .seconds(let value): seconds(value)
    case .months(let months): "\(months) \(months == 1 ? "month" : "months")"
    case .count(let count): "\(count)"
    }
  }

  private static func text(_ cursor: Cursor) -> String {
    let field = cursor.field.value
    if cursor.token != nil {
      return "from the token at \(field) of the previous run's last page, "
        + (cursor.query.map { "sent as \($0)" } ?? (cursor.isTokenURL ? "which is the next URL" : "in the request"))
        + "; in the first run without a token"
    }
    var parts = ["from the greatest \(field)"]
    parts.append(cursor.start.map { "at first \($0.text.value.sourceText)" } ?? "at first without a bound")
    switch cursor.end {
    case nil: break
    case .now: parts.append("up to now")
    case .value(let end): parts.append("up to \(end.text.value.sourceText)")
    }
    if let lookback = cursor.lookback?.constant { parts.append("\(words(lookback)) before it requested again") }
    switch cursor.slice?.constant {
    case nil: break
    case .length(let length)?: parts.append("in slices of \(words(length))")
    case .calendar(let period)?: parts.append("in slices of one calendar \(period.rawValue)")
    }
    if let cap = cursor.cap {
      parts.append(
        "the server returns at most \(cap.words) of a range, then "
          + (cap.then == .restart ? "a new range from the greatest \(field) on" : "its two halves instead"))
    }
    if cursor.keepsUndated { parts.append("records without a value are kept") }
    if cursor.keepsPart { parts.append("the slices before a failed one are published") }
    if cursor.isDescending {
      parts.append("newest first, until a page ends before the start")
    } else if cursor.filters {
      parts.append("records outside of the range are left out")
    }
    parts.append(
      "the start \(cursor.bounds.includesStart ? "included" : "excluded"), "
        + "the end \(cursor.bounds.includesEnd ? "included" : "excluded")")
    return parts.joined(separator: ", ")
  }

  static func seconds(_ value: Double) -> String {
    value == value.rounded() && value < 1e15 ? "\(Int(value)) s" : "\(value) s"
  }

  static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return self.seconds(Double(seconds) + Double(attoseconds) / 1e18)
  }

  private static func text(_ statuses: [ClosedRange<Int>]) -> [String] {
    statuses.map { range in
      range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
    }
  }

  private var retryText: String {
    let retry = retryPolicy
    guard retry.retries > 0 else { return "never: each request is sent once" }
    let reasons =
      Self.text(retry.statuses) + (retry.onTimeout ? ["timeout"] : []) + (retry.onReset ? ["reset"] : [])
      + (retry.onConnect ? ["connect"] : [])
    let growth = retry.backoff.isExponential ? "doubling from" : "of"
    let times = retry.retries == 1 ? "once" : "at most \(retry.retries) times"
    return "\(times), after \(reasons.joined(separator: ", ")); waits \(growth) \(Self.text(retry.backoff.first)), "
      + "at most \(Self.text(retry.backoff.longest))"
      + (retry.honoursServer ? ", or as long as the server asks" : "")
      + (retry.waitField.map { " (\($0.name))" } ?? "")
      + (retry.isIdempotent ? "; requests of any method" : "")
  }

  /// The declared rate limit, as text; nil when none is declared.
  private var rateText: String? {
    let pace = transfer.pace
    var parts: [String] = []
    if !pace.limits.isEmpty { parts.append("at most " + Self.text(pace.limits)) }
    for budget in pace.budgets {
      let methods = budget.requests.methods.map(\.rawValue).sorted().joined(separator: ", ")
      let paths = budget.requests.paths.map(\.description).joined(separator: ", ")
      let which = [methods, paths].filter { !$0.isEmpty }.joined(separator: " ")
      parts.append("for \(which) at most \(Self.text(budget.limits))")
    }
    if let concurrency = pace.concurrency { parts.append("at most \(concurrency) in progress at once") }
    if !pace.followsHeaders { parts.append("the server's rate limit headers are ignored") }
    if let fields = pace.limitFields {
      parts.append("waits for the time in \(fields.reset.name) when \(fields.remaining) is 0")
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func text(_ limits: [RatePace.Limit]) -> String {
    limits.map { "\($0.requests) requests in \(text($0.window))" }.joined(separator: " and ")
  }
}
