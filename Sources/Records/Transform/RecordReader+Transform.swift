internal import JSONSyntax
internal import ReactorCore
internal import Reshape

extension RecordReader {
  /// Reads records and transforms them.
  func readTransformed(
    _ body: ResponseBody, by transform: RecordTransform, emit: (RecordBatch) throws(ReactorError) -> Void,
    pause: () async throws(ReactorError) -> Void
  ) async throws(ReactorError) -> Outcome {
    let pipeline = RecordPipeline(
      transform, plan: plan, isStrict: isStrict, seeksFields: seeksFields, onRejected: onRejected)
    var outcome: Outcome
    if let program = transform.responseProgram {
      outcome = try await readReshaped(body, by: program, pipeline, emit: emit, pause: pause)
    } else {
      outcome = try await asTheyCome.read(body) { (batch) throws(ReactorError) in
        try pipeline.take(batch, emit: emit)
      } pause: { () async throws(ReactorError) in
        try await pause()
      }
    }
    let came = outcome.report
    outcome.report = pipeline.report
    outcome.report.includeRejections(of: came)
    outcome.report.came = came.total
    outcome.missingFields = pipeline.misspeltFields
    outcome.newMembers = pipeline.newMembers
    return outcome
  }

  /// Reads a response that a program receives as a whole; each result of the program is read as a response.
  private func readReshaped(
    _ body: ResponseBody, by program: Reshape, _ pipeline: RecordPipeline,
    emit: (RecordBatch) throws(ReactorError) -> Void, pause: () async throws(ReactorError) -> Void
  ) async throws(ReactorError) -> Outcome {
    do throws(ReactorError) {
      let text = try await body.collect(upTo: limits.heldBytes)
      let root: JSONValue
      do throws(JSONError) {
        root = try JSONValue(parsing: text)
      } catch {
        throw ReactorError.notJSON(error, text)
      }
      var index = 0
      var last: JSONValue?
      var missing: ReactorError?
      var hasher = Hasher()
      do throws(ReshapeStop<ReactorError>) {
        try program.run(root) { (result) throws(ReactorError) in
          var records: [JSONValue] = []
          do throws(ReactorError) {
            records = try selection.records(in: result)
          } catch {
            guard mayLackRecords else { throw error }
            missing = error
          }
          for record in records {
            if needsTail {
              last = record
              hasher.combine(record)
            }
            try pipeline.take(record, at: index, emit: emit)
            index += 1
          }
        }
      } catch {
        switch error {
        case .failed(let failure): throw ReactorError.parser("the response cannot be reshaped: \(failure.message)")
        case .refused(let error): throw error
        }
      }
      try pipeline.endRound(emit)
      try await pause()
      let tail = last.map { Tail(lastRecord: JSONWriter.bytes($0), fingerprint: hasher.finalize()) }
      var outcome = Outcome(
        report: PruneReport(kept: index), envelope: needsEnvelope ? text : nil, bytes: text.count, tail: tail)
      if wantsOutline { outcome.outline = root }
      outcome.missing = missing
      return outcome
    } catch {
      body.cancel()
      throw error
    }
  }
}

extension RecordSelection {
  /// The records in a value that is in memory.
  func records(in value: JSONValue) throws(ReactorError) -> [JSONValue] {
    switch self {
    case .lines: return [value]
    case .query(let path):
      let values = try path.found(in: value)
      if values.isEmpty {
        guard try path.findsEmptyList(in: value) else { throw Self.nothing(at: path.text) }
      }
      return values
    case .at(let steps):
      guard let found = value.value(at: steps) else { throw Self.nothing(at: JSONPath(singular: steps).text) }
      if case .array(let elements) = found { return elements }
      return found == .null && !steps.isEmpty ? [] : [found]
    case .array(let steps):
      guard let found = value.value(at: steps) else { throw Self.nothing(at: JSONPath(singular: steps).text) }
      guard case .array(let elements) = found else { throw .notAnArray(found.kindName, at: steps) }
      return elements
    case .elements(let steps):
      let text = JSONPath(singular: steps).text
      switch value.value(at: steps) {
      case nil: throw Self.nothing(at: text)
      case .array(let elements): return elements
      case .object(let object): return object.members.map(\.value)
      case .null where !steps.isEmpty: return []
      default: throw .parser("expected an array or an object where the records are, at \(text)")
      }
    }
  }

  private static func nothing(at path: String) -> ReactorError {
    .noRecords(at: path, noun: "reshaped response")
  }
}
