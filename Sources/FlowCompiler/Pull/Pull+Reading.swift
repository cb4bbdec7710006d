internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import Records

extension Pull {
  /// One request and the records of its answer.
  func read(
    _ resource: Resource, page: Int = 1, by network: Network, _ instruments: FlowInstruments, into sink: any PartSink
  ) async throws(ReactorError) -> PageReading {
    try await read(try await network.response(for: resource), to: resource, page: page, instruments, into: sink)
  }

  /// The records of an answer.
  func read(
    _ response: Response, to resource: Resource, page: Int, _ instruments: FlowInstruments, into sink: any PartSink
  ) async throws(ReactorError) -> PageReading {
    let start = instruments.stopwatch.reading()
    instruments.observer(.started(.parse))
    var timings = response.timings
    guard var body = try await content(of: response, to: resource) else {
      return PageReading(
        status: response.status, headers: response.headers, url: response.url,
        outcome: RecordReader.Outcome(report: PruneReport(), envelope: nil, bytes: 0), timings: timings,
        isEnd: response.meaning == .noRecordsAndEnd)
    }
    let isPaged = declaration.pages != nil
    // Past the last page some servers leave the list out.
    let mayEnd = page > 1 && declaration.pages?.isCounted ?? false
    let isGraphQL = declaration.request.body?.isGraphQL ?? false
    let reader = RecordReader(
      plan: schema.plan, selection: RecordSelection(declaration.records?.value), isStrict: !declaration.prune,
      needsEnvelope: isPaged || isGraphQL || declaration.expect.total != nil, wantsOutline: judgesPages,
      needsTail: isPaged, seeksFields: seeksFields,
      mayLackRecords: isGraphQL || mayEnd, limits: handsOn ? .prompt : RecordLimits(),
      onRejected: letters?.taker(
        page: page, method: resource.method.rawValue, url: shownURL ?? shown.url(of: resource)),
      transform: transform)
    let out = RecordOutput(partOf: schema.plan, format: format, key: key)
    let lines =
      handsOn && (format != .jsonLines || key != nil) ? RecordOutput(partOf: schema.plan, format: .jsonLines) : nil
    var extended = RecordPart()
    var answer: [UInt8]?
    if holdsAnswer {
      let bytes = try await body.collect(upTo: RecordLimits().heldBytes)
      answer = bytes
      body = ResponseBody(bytes: bytes)
    }
    var greatest = declaration.cursor.flatMap { GreatestValue($0.field.value, of: schema.schema) }
    let outcome = try await reader.read(body) { (batch) throws(ReactorError) in
      if batch.isDeletion { return out.append(batch) }
      greatest?.take(batch)
      if let added {
        try added.append(batch, format: format, to: &extended.bytes)
        if lines != nil { try added.append(batch, format: .jsonLines, to: &extended.lines) }
        return
      }
      out.append(batch)
      lines?.append(batch)
    } pause: { () async throws(ReactorError) in
      try await letters?.flush()
      if !extended.isEmpty {
        try await sink.write(extended)
        extended = RecordPart()
      }
      // Whoever takes the records gets them at once.
      guard let piece = handsOn ? out.finish() : out.takePiece(), !piece.isEmpty else { return }
      try await sink.write(RecordPart(piece, lines: lines?.finish() ?? []))
    }
    if !extended.isEmpty { try await sink.write(extended) }
    let rest = RecordPart(out.finish(), lines: lines?.finish() ?? [])
    if !rest.isEmpty { try await sink.write(rest) }
    let page = PageReading(
      status: response.status, headers: response.headers, url: response.url, outcome: outcome, timings: timings)
    if isGraphQL { try page.refuseGraphQLErrors() }
    if let missing = outcome.missing, !mayEnd { throw missing }
    timings.parse = instruments.stopwatch.reading() - start
    return PageReading(
      status: response.status, headers: response.headers, url: response.url, outcome: outcome, timings: timings,
      greatest: greatest, answer: answer)
  }
}
