internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import ResponseFormats

extension Pull {
  /// Sends one request and reads the records of its response.
  func read(
    _ resource: Resource, page: Int = 1, by network: Network, _ instruments: FlowInstruments, into sink: any RecordSink
  ) async throws(ReactorError) -> PageReading {
    try await read(
      try await network.response(for: resource), to: resource, page: page, by: network, instruments, into: sink)
  }

  /// Reads the records of a response; sends its request again when the response breaks off, as far as `retry` allows.
  ///
  /// - Parameter accepts: whether the records of the page are used; called once the page is complete
  func read(
    _ response: Response, to resource: Resource, page: Int, by network: Network, _ instruments: FlowInstruments,
    into sink: any RecordSink, accepts: (PageReading) -> Bool = { _ in true }
  ) async throws(ReactorError) -> PageReading {
    let attempt = PageAttempt(sink, isPrompt: handsOn, isWhole: plan.pages?.repetition == .end)
    let restorations = [filter?.mark(), order?.mark()].compactMap { $0 }
    var response = response
    var retry = 1
    while true {
      let held = rejected?.holding(in: flow.environment)
      do throws(ReactorError) {
        let reading = try await with { $0.rejected = held }.readOnce(
          response, to: resource, page: page, instruments, into: attempt)
        guard accepts(reading) else { return reading }
        try await attempt.finish()
        if let held { try await rejected?.take(held) }
        return reading
      } catch {
        let policy = plan.retryPolicy
        guard retry <= policy.retries, let reason = policy.reason(error, of: resource.method) else {
          if let held { try await rejected?.take(held) }
          throw error
        }
        try await wait(for: reason, beforeRetry: retry, policy)
        retry += 1
        attempt.restart()
        for restore in restorations { restore() }
        var again = resource
        again.chain = nil
        do throws(ReactorError) {
          response = try await network.response(for: again)
        } catch let second {
          // A recording contains the response only once, so a replay reports the first error.
          throw second.kind == .fixture ? error : second
        }
      }
    }
  }

  private func wait(for reason: RetryReason, beforeRetry retry: Int, _ policy: RetryPolicy) async throws(ReactorError) {
    let patience = flow.environment.patience
    let wait = policy.backoff.wait(beforeRetry: retry, random: patience.random())
    instruments.observer(.retrying(attempt: retry, reason: reason, wait: wait))
    try await patience.delay.wait(wait)
    try checkDeadline()
  }

  /// Reads the records of a response.
  private func readOnce(
    _ response: Response, to resource: Resource, page: Int, _ instruments: FlowInstruments, into sink: any RecordSink
  ) async throws(ReactorError) -> PageReading {
    let joined = try await joined(response, to: resource, page: page)
    let response = joined?.response ?? response
    let start = instruments.stopwatch.reading()
    instruments.observer(.started(.parse))
    guard var body = try await content(of: response, to: resource) else { return PageReading(withoutRecords: response) }
    let decoded = try await decoded(body, of: response)
    body = decoded?.body ?? body
    let records = ResponseRecords(
      self, of: resource, page: page, ResponseRecords.Demands(plan, page: page), flaws: decoded?.flaws,
      at: plan.records.path,
      into: sink)
    var responseBytes: [UInt8]?
    if holdsResponse {
      responseBytes = try await body.collect(upTo: RecordLimits().heldBytes)
      body = ResponseBody(bytes: responseBytes ?? [])
    }
    var outcome = try await records.reader.read(body) { (batch) throws(ReactorError) in
      try records.take(batch)
    } pause: { () async throws(ReactorError) in
      try await records.pause()
    }
    try await records.finish()
    if let joined { outcome.bytes = joined.receivedBytes }
    if let decoded {
      outcome.bytes = decoded.receivedBytes
      try refuseNothing(outcome)
      try refuseUnreadTail(outcome, decoded)
    }
    var reading = PageReading(
      response, outcome, records, responseBytes: responseBytes, parse: instruments.stopwatch.reading() - start)
    try judge(reading, page: page)
    if let path = plan.cursor?.token { reading.token = try reading.token(at: path) }
    return reading
  }

  /// Refuses a response that reports an error, or in which required records are missing.
  private func judge(_ reading: PageReading, page: Int) throws(ReactorError) {
    let demands = ResponseRecords.Demands(plan, page: page)
    if demands.isGraphQL { try reading.refuseGraphQLErrors() }
    try reading.refuseReportedError()
    if let missing = reading.outcome.missing, !demands.mayEnd { throw missing }
  }

  /// Writes one record for a parent whose response has none: an empty object, mapped as any other record.
  ///
  /// Expressions of the schema and added fields have the parent's values; all other fields are missing. The record was
  /// not received, so neither `where` nor a program of `reshape` sees it.
  ///
  /// - Parameter resource: the request whose response has no records; it is stored with the record if that is rejected
  func readParentAlone(
    _ resource: Resource, into sink: any RecordSink
  ) async throws(ReactorError) -> PruneReport {
    var alone = self
    alone.isParentAlone = true
    alone.seeksFields = false
    let records = ResponseRecords(
      alone, of: resource, page: 1, ResponseRecords.Demands(), flaws: nil, at: nil, into: sink)
    let body = ResponseBody(bytes: Array("{}".utf8))
    let outcome = try await records.reader.read(body) { (batch) throws(ReactorError) in
      try records.take(batch)
    } pause: { () async throws(ReactorError) in
      try await records.pause()
    }
    try await records.finish()
    return outcome.report
  }
}

extension Pull {
  /// The body of a response that may contain records; nil when there is no body to read.
  func content(of response: Response, to resource: Resource) async throws(ReactorError) -> ResponseBody? {
    guard hasContent(response) else { return nil }
    return mayBeEmpty(resource) ? try await response.body.unlessEmpty() : response.body
  }

  /// Whether a response may have content. The body of one without content is cancelled.
  func hasContent(_ response: Response) -> Bool {
    // RFC 9110, sections 15.3.5 and 15.3.6: these responses have no content, so they have no records.
    // Section 15.4.5: a 304 response has no content either. It is accepted only after a conditional request.
    guard [204, 205, 304].contains(response.status) || response.meaning != nil else { return true }
    response.body.cancel()
    return false
  }

  /// Whether a response without a body is accepted as a response without records.
  ///
  /// The response to POST, PUT, PATCH or DELETE can be an empty confirmation. But a flow that declares `records` or a
  /// schema requires records.
  private func mayBeEmpty(_ resource: Resource) -> Bool {
    switch resource.method {
    case .POST, .PUT, .PATCH, .DELETE: plan.records.path == nil && plan.records.schema.schema.keepsWholeRecords
    default: false
    }
  }
}

extension Pull {
  /// The response converted to JSON; nil for a response that already is JSON in UTF-8.
  func decoded(_ body: ResponseBody, of response: Response) async throws(ReactorError) -> DecodedResponse? {
    guard let format = plan.records.format ?? Self.format(declaredBy: response.headers) else { return nil }
    return try await DecodedResponse(
      body, as: format, layout: plan.records.xmlLayout, columns: plan.records.columnNames,
      maxBytes: plan.transfer.maxBytes)
  }

  /// The format of JSON in another charset than UTF-8, if the header declares one; else nil.
  private static func format(declaredBy headers: Headers) -> ResponseFormat? {
    guard let type = headers["Content-Type"], let start = type.lowercased().firstRange(of: "charset=") else {
      return nil
    }
    let name = type[start.upperBound...].prefix { $0 != ";" && $0 != " " }.filter { $0 != "\"" }
    guard let encoding = ResponseFormat.Encoding(charset: String(name)) else { return nil }
    var format = ResponseFormat(.json)
    format.encoding = encoding
    return format
  }

  /// Throws for an empty body that was converted to JSON, unless `expect.min` is declared.
  ///
  /// The original format can represent no records by an empty body. But a server that fails before its first line sends
  /// an empty body too.
  func refuseNothing(_ outcome: RecordReader.Outcome) throws(ReactorError) {
    // A body of at most 2 bytes is at most a line break, and counts as empty.
    guard outcome.bytes <= 2, outcome.report.total == 0, plan.records.expectations.min == nil else { return }
    var error = ReactorError.parser(
      "the response is empty, which can mean that there are no records or that an export failed")
    error.key = "decode"
    error.help = "if it means that there are no records, write 'expect: { min: 0 }'"
    throw error
  }

  /// Refuses a page whose last record cannot be read, if the request of the next page is made from that record.
  ///
  /// Without this check, the pull would end after this page as if it were the final page.
  func refuseUnreadTail(_ outcome: RecordReader.Outcome, _ decoded: DecodedResponse) throws(ReactorError) {
    guard plan.pages?.readsLastRecord ?? false, let last = decoded.flaws.last, last == outcome.report.total - 1 else {
      return
    }
    throw ReactorError(
      .parser, "the last record of the page cannot be read, so the next page is unknown", recordIndex: last)
  }
}
