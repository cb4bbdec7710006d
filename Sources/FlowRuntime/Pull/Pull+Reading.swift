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
    try await read(try await network.response(for: resource), to: resource, page: page, instruments, into: sink)
  }

  /// Reads the records of a response.
  func read(
    _ response: Response, to resource: Resource, page: Int, _ instruments: FlowInstruments, into sink: any RecordSink
  ) async throws(ReactorError) -> PageReading {
    let joined = try await joined(response, to: resource, page: page)
    let response = joined?.response ?? response
    let start = instruments.stopwatch.reading()
    instruments.observer(.started(.parse))
    guard var body = try await content(of: response, to: resource) else { return PageReading(withoutRecords: response) }
    let decoded = try await decoded(body)
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
      try refuseUnreadTail(outcome, decoded)
    }
    let reading = PageReading(
      response, outcome, records, responseBytes: responseBytes, parse: instruments.stopwatch.reading() - start)
    try judge(reading, page: page)
    return reading
  }

  /// Refuses a response that reports an error, or that lacks required records.
  private func judge(_ reading: PageReading, page: Int) throws(ReactorError) {
    let demands = ResponseRecords.Demands(plan, page: page)
    if demands.isGraphQL { try reading.refuseGraphQLErrors() }
    if let missing = reading.outcome.missing, !demands.mayEnd { throw missing }
  }

  /// Writes the record of a parent whose response has none: an empty object, mapped as any other record.
  ///
  /// Expressions of the schema and added fields have the parent's values; all other fields are missing. The record was
  /// not received, so neither `where` nor a program of `reshape` sees it.
  ///
  /// - Parameter resource: the request whose response has no records, for a rejected record
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
  /// The body of a response that may contain records; nil when it has none, and then no body is read.
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
  /// The response to a writing request may only confirm it. But a flow that declares `records` or a schema requires
  /// records.
  private func mayBeEmpty(_ resource: Resource) -> Bool {
    switch resource.method {
    case .POST, .PUT, .PATCH, .DELETE: plan.records.path == nil && plan.records.schema.schema.keepsWholeRecords
    default: false
    }
  }
}

extension Pull {
  /// The response as JSON; nil for a response that is JSON itself.
  func decoded(_ body: ResponseBody) async throws(ReactorError) -> DecodedResponse? {
    guard let format = plan.records.format else { return nil }
    return try await DecodedResponse(
      body, as: format, layout: plan.records.xmlLayout, columns: plan.records.columnNames,
      maxBytes: plan.transfer.maxBytes)
  }

  /// Refuses a page whose last record cannot be read, if that record gives the next page.
  ///
  /// The pull would end at this page as if it were the last one.
  func refuseUnreadTail(_ outcome: RecordReader.Outcome, _ decoded: DecodedResponse) throws(ReactorError) {
    guard plan.pages?.readsLastRecord ?? false, let last = decoded.flaws.last, last == outcome.report.total - 1 else {
      return
    }
    throw ReactorError(
      .parser, "the last record of the page cannot be read, so the next page is not known", recordIndex: last)
  }
}
