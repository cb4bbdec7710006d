internal import JSONSyntax
internal import ReactorCore

/// Why a text is no report that can be joined with others.
package struct ReportError: Error, Sendable, Hashable {
  /// Lower case, no full stop.
  package let message: String

  /// Says why.
  package init(message: String) { self.message = message }
}

extension RunReport {
  /// Reads what `json` writes.
  package init(parsing bytes: [UInt8]) throws(ReportError) {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: bytes)
    } catch {
      throw ReportError(message: "it is not JSON: \(error)")
    }
    let whole = Members(value, "the report")
    guard value["v"]?.int64 == Self.version else {
      throw ReportError(message: "it is not a JSON report of version \(Self.version)")
    }
    var shard: Shard?
    if let text = try whole.optional("shard", \.string) {
      guard let read = Shard(text) else { throw ReportError(message: "'shard' is '\(text)'") }
      shard = read
    }
    var flows: [Flow] = []
    for flow in try whole.get("flows", \.array) { flows.append(try Flow(Members(flow, "a flow"))) }
    self.init(
      tool: try whole.get("tool", \.string), isComplete: try whole.get("complete", \.bool),
      exit: Int32(clamping: try whole.get("exit", \.int64)), shard: shard, hasTiming: value["duration_ms"] != nil,
      duration: try whole.optional("duration_ms", \.int64),
      problems: try whole.get("problems", \.array).map(Problem.init), flows: flows)
  }

  /// The members of an object that is read.
  fileprivate struct Members {
    let value: JSONValue
    let name: String

    init(_ value: JSONValue, _ name: String) {
      self.value = value
      self.name = name
    }

    func get<Value>(_ member: String, _ read: (JSONValue) -> Value?) throws(ReportError) -> Value {
      guard let found = value[member].flatMap(read) else {
        throw ReportError(message: "'\(member)' of \(name) is missing or of the wrong kind")
      }
      return found
    }

    func optional<Value>(_ member: String, _ read: (JSONValue) -> Value?) throws(ReportError) -> Value? {
      guard let found = value[member], found != .null else { return nil }
      return try get(member, read)
    }

    func count(_ member: String) throws(ReportError) -> Int {
      let number = try get(member, \.int64)
      guard number >= 0, let count = Int(exactly: number) else {
        throw ReportError(message: "'\(member)' of \(name) is below zero")
      }
      return count
    }

    /// The members `line` and `column`, where they are.
    func place() throws(ReportError) -> ReactorError.Location? {
      guard value["line"] != nil else { return nil }
      return ReactorError.Location(line: try count("line"), column: try count("column"))
    }
  }
}

extension RunReport.Flow {
  fileprivate init(_ members: RunReport.Members) throws(ReportError) {
    let word = try members.get("status", \.string)
    guard let status = Status(rawValue: word) else { throw ReportError(message: "'status' of a flow is '\(word)'") }
    self.init(
      id: try members.get("id", \.string), file: try members.get("file", \.string), line: try members.count("line"),
      status: status)
    isAdded = try members.optional("added", \.bool) ?? false
    source = try members.optional("source", \.string)
    miss = try members.optional("miss", \.string)
    retries = try members.value["retries"].map { _ throws(ReportError) in try members.count("retries") } ?? 0
    records = try members.count("records")
    rejected = try members.count("rejected")
    filtered = try members.value["filtered"].map { _ throws(ReportError) in try members.count("filtered") } ?? 0
    for value in try members.get("rejections", \.array) {
      let rejection = RunReport.Members(value, "a rejection")
      rejections.append(
        Rejection(
          index: try rejection.count("index"), pointer: try rejection.get("pointer", \.string),
          reason: try rejection.get("reason", \.string)))
    }
    bytes = try members.count("bytes")
    path = try members.optional("path", \.string)
    rejectedPath = try members.optional("rejected_path", \.string)
    save = try members.get("save", \.string)
    started = try members.optional("started_ms", \.int64)
    duration = try members.optional("duration_ms", \.int64)
    if let times = members.value["steps_ms"] {
      steps = FlowStep.allCases.compactMap { step in
        times[step.rawValue]?.int64.map { Step(step: step, duration: $0) }
      }
    }
    if let error = members.value["error"], error != .null {
      failure = try Failure(RunReport.Members(error, "an error"))
    }
    for value in try members.optional("diffs", \.array) ?? [] {
      differences.append(try Difference(RunReport.Members(value, "a difference")))
    }
    if members.value["diffs"] != nil { differencesLeftOut = try members.count("diffs_left_out") }
    cassette = try members.optional("cassette", \.string)
    golden = try members.optional("golden", \.string)
    details = (try members.optional("details", \.array) ?? []).compactMap(\.string)
    for value in try members.get("warnings", \.array) {
      let warning = RunReport.Members(value, "a warning")
      warnings.append(
        Warning(
          kind: try warning.get("kind", \.string), message: try warning.get("message", \.string),
          path: try warning.optional("path", \.string), place: try warning.place()))
    }
  }
}

extension RunReport.Flow.Difference {
  fileprivate init(_ members: RunReport.Members) throws(ReportError) {
    self.init(
      path: try members.get("path", \.string), key: try members.optional("key", \.string),
      jsonPath: try members.get("json_path", \.string), expected: try members.optional("expected", \.string),
      actual: try members.optional("actual", \.string), file: try members.get("mapping_file", \.string),
      line: try members.count("mapping_line"), response: try members.optional("response", \.string))
  }
}

extension RunReport.Flow.Failure {
  fileprivate init(_ members: RunReport.Members) throws(ReportError) {
    self.init(
      kind: try members.get("kind", \.string), message: try members.get("message", \.string),
      status: try members.optional("status", \.int64).map { Int(clamping: $0) },
      record: try members.optional("record", \.int64).map { Int(clamping: $0) },
      pointer: try members.optional("pointer", \.string), path: try members.optional("path", \.string),
      help: try members.optional("help", \.string), place: try members.place())
  }
}
