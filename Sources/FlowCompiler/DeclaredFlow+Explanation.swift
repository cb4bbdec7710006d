internal import FlowSpec
internal import HTTPTransport
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import SourceDiagnostics
internal import Storage

extension DeclaredFlow {
  /// What the flow would do, in the order in which it works; nothing is opened and secrets stay masked.
  var explanation: FlowExplanation {
    var items: [FlowExplanation.Item] = []
    if let description = declaration.description { items.append(.init("about", description)) }
    let start = declaration.range.start
    items.append(.init("declared in", "\(declaration.range.file.path):\(start.line)"))
    if !declaration.tags.isEmpty { items.append(.init("tags", declaration.tags.joined(separator: ", "))) }
    if let each = declaration.each {
      items.append(.init("each", each.parents.map { "\($0.words) as \($0.name.value)" }.joined(separator: " × ")))
      items.append(
        .init(
          "  partitions",
          "\(each.concurrency) at once, in the order of the parents; one that fails " + failureText(each)))
      if let words = identityText { items.append(.init("  known by", words)) }
    }
    items.append(.init("1 persistence", persistenceRule))
    items.append(
      .init(
        "2 reachability",
        declaration.reachability ? "connect to \(request.baseURL.origin) first" : "not checked"))
    items.append(.init("3 request", "\(request.resource.method.rawValue) \(request.shownURL)"))
    for header in request.shownHeaders { items.append(.init("  header", header)) }
    if let shown = auth.shown { items.append(.init("  auth", shown)) }
    if let body = request.shownBody { items.append(.init("  body", body)) }
    if let cursor = declaration.cursor { items.append(.init("  cursor", Self.text(cursor))) }
    let statuses = declaration.expect.status.map { range in
      range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
    }
    items.append(.init("  accepts", "status " + (statuses.isEmpty ? "200-299" : statuses.joined(separator: ", "))))
    items.append(
      .init(
        "  limits",
        "\(Self.seconds(requestTimeout)) in all, \(declaration.maxBytes) bytes decoded, redirects: \(declaration.redirects.rawValue)"
      ))
    items.append(.init("  retries", retryText))
    for rule in errorRuleTexts { items.append(.init("  errors", rule)) }
    if let rateText { items.append(.init("  rate", rateText)) }
    items.append(
      .init(
        "  transfer",
        "connecting \(options.connectTimeout.components.seconds) s; "
          + "at least \(options.lowSpeedLimit) bytes/s within \(options.lowSpeedTime.components.seconds) s; "
          + "head \(options.maxHeaderBytes >> 10) KiB, \(options.maxHeaderFields) fields; JSON nesting \(JSONTokens.depthLimit)"
      ))
    if let allow = declaration.allow {
      items.append(.init("  may reach", "only " + allow.map(\.text).joined(separator: ", ")))
    }
    let selection = RecordSelection(declaration.records?.value)
    items.append(
      .init(
        "4 records",
        (declaration.records?.value.text ?? "the whole answer")
          + (declaration.mapping.reshape?.isForEach == false
            ? " of each result"
            : selection.streams
              ? ", read as a stream" : ", held in memory (at most \(RecordLimits().heldBytes >> 20) MiB)")))
    if let reshape = reshapeExplanation { items.append(reshape) }
    items.append(.init("  bad records", declaration.prune ? "are left out and reported" : "fail the flow"))
    if let rejected { items.append(.init("  kept in", "\(rejected.text), with the reason and the request")) }
    if let schema = declaration.schema {
      items.append(.init("  schema", schema.name))
      for field in self.schema.schema.fields { items.append(.init("  field", Self.text(field))) }
    } else {
      items.append(.init("  schema", "none: records are kept as they came"))
    }
    items += mappingExplanation
    if let pages = declaration.pages {
      items.append(.init("  pages", Self.text(pages)))
    } else if declaration.isOnePageMeant {
      items.append(.init("  pages", "the first one only"))
    }
    if let expectations { items.append(.init("5 expect", expectations)) }
    items.append(.init(expectations == nil ? "5 save" : "6 save", save))
    return FlowExplanation(items)
  }

  /// What a failed partition does.
  private func failureText(_ each: EachDeclaration) -> String {
    guard each.onError == .skip else { return "fails the flow" }
    let bound = each.maxFailed ?? (isReading ? .percent(50) : nil)
    return (retainsFailed ? "keeps its earlier records and is reported" : "is left out and reported")
      + (bound.map { "; at most \($0.words) may fail" } ?? "")
  }

  /// What identifies the parents, where something is remembered of them.
  private var identityText: String? {
    guard let each = declaration.each, remembersParents else { return nil }
    return each.parents.map { parent in
      let name = parent.name.value
      let key = sources.identity.keys[name] ?? []
      let words =
        sources.identity.values.contains(name)
        ? name : key.isEmpty ? "the request" : key.map { "\(name).\($0)" }.joined(separator: ", ")
      return words + (parent.onlyChanged == nil ? "" : ", and asked for only when changed")
    }.joined(separator: " × ")
  }

  private var persistenceRule: String {
    guard let output else { return "disabled: the network is asked each time" }
    guard let seconds = declaration.persistence?.expiresAfter?.value else {
      if isIncremental { return "\(output.text), joined with what is new each time" }
      return "\(output.text), used for ever once it is there (see --fresh)"
    }
    return "\(output.text), used while younger than \(Self.seconds(seconds))"
  }

  private var save: String {
    guard let output else { return "nothing is saved" }
    let mode =
      switch declaration.persistence?.mode {
      case .merge: "\(output.text), merged by \(schema.schema.key.joined(separator: ", ")), "
      case .append: "\(output.text), behind what is there, "
      case .replace, nil: "\(output.text), "
      }
    return mode + (declaration.wait ? "waited for" : "not waited for")
      + (declaration.persistence?.failOnSaveError ?? true
        ? "; a failure fails the flow" : "; a failure is reported only")
  }

  private var expectations: String? {
    var parts: [String] = []
    if let least = declaration.expect.min?.value { parts.append("at least \(Expectations.records(least))") }
    if let most = declaration.expect.max?.value { parts.append("at most \(Expectations.records(most))") }
    if let total = declaration.expect.total?.value { parts.append("as many records as \(total.text) says") }
    if let rejected = declaration.expect.maxRejected?.value { parts.append("at most \(rejected) rejected") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func text(_ field: FieldMapping) -> String {
    var text =
      "\(field.name): \(field.type.name) "
      + (field.value.map { "computed: \($0.sourceText)" } ?? "from \(field.from.text)")
    switch field.missing {
    case .required: break
    case .optional: text += ", optional"
    case .default: text += ", with a default"
    }
    return text
  }

  private static func text(_ cursor: CursorDeclaration) -> String {
    func words(_ distance: CursorDeclaration.Distance) -> String {
      switch distance {
      case .seconds(let value): seconds(value)
      case .count(let count): "\(count)"
      }
    }
    var parts = ["from the greatest \(cursor.field.value)"]
    parts.append(cursor.start.map { "at first \($0.value.sourceText)" } ?? "at first without a bound")
    switch cursor.end {
    case nil: break
    case .now: parts.append("up to now")
    case .value(let template): parts.append("up to \(template.value.sourceText)")
    }
    if let lookback = cursor.lookback { parts.append("\(words(lookback.value)) again") }
    if let slice = cursor.slice { parts.append("in slices of \(words(slice.value))") }
    parts.append(
      "the start \(cursor.bounds.includesStart ? "included" : "excluded"), "
        + "the end \(cursor.bounds.includesEnd ? "included" : "excluded")")
    return parts.joined(separator: ", ")
  }

  static func seconds(_ value: Double) -> String {
    value == value.rounded() && value < 1e15 ? "\(Int(value)) s" : "\(value) s"
  }
}
