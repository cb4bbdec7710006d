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
    let start = instruments.stopwatch.reading()
    instruments.observer(.started(.parse))
    guard var body = try await content(of: response, to: resource) else { return PageReading(withoutRecords: response) }
    let decoded = try await decoded(body)
    body = decoded?.body ?? body
    let records = ResponseRecords(
      self, of: resource, page: page, ResponseRecords.Demands(plan, page: page), flaws: decoded?.flaws, into: sink)
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
}
