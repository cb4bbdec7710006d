internal import ByteCodings
internal import Expressions
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Storage

extension Pull {
  /// Stores the response to a request as a file, and writes a record about that file to the sink.
  ///
  /// A body that is cut short is requested again, as often as the flow's retries allow; the file is then written from
  /// its start.
  func download(
    _ resource: Resource, at template: PathTemplate, into sink: any RecordSink
  ) async throws(ReactorError) -> Outcome {
    let path = try template.download(in: plan.scope.with(values))
    try flow.environment.downloads.take(path, of: plan.id, for: item ?? "the response")
    var retry = 1
    while true {
      let response = try await network.response(for: resource)
      guard hasContent(response) else {
        let page = PageReading(withoutRecords: response)
        if page.isTooLarge { throw PageFollower.unshrinkable }
        return Outcome(page)
      }
      do throws(ReactorError) {
        return Outcome(try await store(response, to: resource, at: path, into: sink))
      } catch {
        let policy = plan.retryPolicy
        guard retry <= policy.retries, let reason = policy.reason(error, of: resource.method) else { throw error }
        let patience = flow.environment.patience
        let wait = policy.backoff.wait(beforeRetry: retry, random: patience.random())
        instruments.observer(.retrying(attempt: retry, reason: reason, wait: wait))
        try await patience.delay.wait(wait)
        retry += 1
      }
    }
  }

  /// Stores a body. The file has its final name before its record is written to the sink.
  private func store(
    _ response: Response, to resource: Resource, at path: OutputPath, into sink: any RecordSink
  ) async throws(ReactorError) -> PageReading {
    let start = instruments.stopwatch.reading()
    instruments.observer(.started(.parse))
    let file: ReceivedFile
    do throws(ReactorError) {
      file = try await ReceivedFile(at: path, in: flow.environment.root)
    } catch {
      response.body.cancel()
      throw error
    }
    do throws(ReactorError) {
      var digest = SHA256Digest()
      var size = 0
      while let chunk = try await response.body.next() {
        digest.update(chunk)
        size += chunk.count
        try await file.write(chunk)
      }
      digest.finish()
      let records = ResponseRecords(
        self, of: resource, page: 1, ResponseRecords.Demands(), flaws: nil, at: nil, into: sink)
      let facts = Self.facts(path, size, response.headers["Content-Type"], digest.hex)
      // Nothing is written to the sink between batches, because the file does not exist yet.
      var outcome = try await records.reader.read(ResponseBody(bytes: facts)) { (batch) throws(ReactorError) in
        try records.take(batch)
      }
      if outcome.report.kept > 0 {
        try await file.publish(at: flow.environment.wallClock.milliseconds)
      } else {
        await file.discard()
      }
      try await records.pause()
      try await records.finish()
      outcome.bytes = size
      return PageReading(
        response, outcome, records, responseBytes: nil, parse: instruments.stopwatch.reading() - start)
    } catch {
      response.body.cancel()
      await file.discard()
      throw error
    }
  }

  /// The record about a file, as JSON.
  private static func facts(_ path: OutputPath, _ size: Int, _ contentType: String?, _ digest: String) -> [UInt8] {
    let mediaType = (contentType ?? "").prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
    var record = JSONObject()
    record["path"] = .string(path.text)
    record["bytes"] = .integer(Int64(size))
    record["media_type"] = mediaType.isEmpty ? .null : .string(mediaType)
    record["sha256"] = .string(digest)
    return JSONWriter.bytes(.object(record))
  }
}
