package import JSONSyntax
package import RunViews
internal import TimeSyntax

/// Writes a run as events of OpenLineage 2-0-2: the run, and each of its flows as a part of it.
package struct LineageEvents {
  /// Where the jobs are.
  private let namespace: String
  /// The name of the job of the whole run.
  private let job: String
  private let producer: JSONValue
  private let flows: [String: LineageFlow]
  private var random = SystemRandomNumberGenerator()

  /// Prepares events.
  ///
  /// - Parameter root: the output root as an absolute path
  package init(namespace: String, root: String, tool: String, _ flows: [String: LineageFlow]) {
    (self.namespace, self.flows) = (namespace, flows)
    job = "reactor run \(root)"
    producer = .string("urn:reactor:\(tool)")
  }

  /// The events of a run, in the order in which they would have been sent during it.
  package mutating func events(_ run: EndedRun) -> [JSONValue] {
    let id = identifier(run.began * 1000)
    let whole = Part(id: id, name: job, type: "RUN", began: run.began * 1000, ended: run.ended * 1000)
    var events = [event("START", whole)]
    for entry in run.entries {
      let began = (entry.startedAt ?? run.ended) * 1000
      var part = Part(
        id: identifier(began), name: entry.flow, type: "FLOW", began: began, ended: began + (entry.duration ?? 0))
      part.facets = [
        (
          "parent",
          facet(
            "1-0-1/ParentRunFacet",
            [
              ("run", .object(["runId": .string(id)])),
              ("job", .object(["namespace": .string(namespace), "name": .string(job)])),
            ])
        )
      ]
      if let flow = flows[entry.flow] {
        part.inputs = [flow.resource] + flow.parents.compactMap { flows[$0]?.result }
        part.output = flow.result
      }
      events.append(event("START", part))
      if entry.status == .passed { part.records = Int64(entry.records) }
      if let failure = entry.failure {
        part.facets.append(
          (
            "errorMessage",
            facet(
              "1-0-1/ErrorMessageRunFacet",
              [
                ("message", .string(failure.message)), ("programmingLanguage", "reactor"),
              ])
          ))
      }
      events.append(event(Self.end(entry.status), part))
    }
    let passed = run.entries.allSatisfy { $0.status == .passed }
    return events + [event(passed ? "COMPLETE" : "FAIL", whole)]
  }

  /// A run of a job: the whole run, or a flow of it.
  private struct Part {
    let id: String
    let name: String
    let type: String
    let began: Int64
    let ended: Int64
    var facets: [(name: String, value: JSONValue)] = []
    var inputs: [LineageFlow.Dataset] = []
    var output: LineageFlow.Dataset?
    var records: Int64?
  }

  private static func end(_ status: RunReport.Flow.Status) -> String {
    switch status {
    case .passed: "COMPLETE"
    case .failed, .error: "FAIL"
    case .cancelled: "ABORT"
    }
  }

  private func event(_ type: String, _ part: Part) -> JSONValue {
    let time = type == "START" ? part.began : part.ended
    let jobType = facet(
      "2-0-3/JobTypeJobFacet",
      [("processingType", "BATCH"), ("integration", "REACTOR"), ("jobType", .string(part.type))])
    return .object([
      "eventType": .string(type), "eventTime": .string(InstantText.text(milliseconds: time)),
      "run": .object(["runId": .string(part.id), "facets": Self.object(part.facets)]),
      "job": .object([
        "namespace": .string(namespace), "name": .string(part.name), "facets": .object(["jobType": jobType]),
      ]),
      "inputs": .array(part.inputs.map { Self.object(Self.members($0)) }),
      "outputs": .array(part.output.map { [output($0, records: part.records)] } ?? []),
      "producer": producer, "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
    ])
  }

  private func output(_ dataset: LineageFlow.Dataset, records: Int64?) -> JSONValue {
    var members = Self.members(dataset)
    if let records {
      let facet = facet("1-0-2/OutputStatisticsOutputDatasetFacet", [("rowCount", .integer(records))])
      members.append(("outputFacets", .object(["outputStatistics": facet])))
    }
    return Self.object(members)
  }

  /// A facet, which names its schema: `1-0-1/ParentRunFacet`.
  private func facet(_ schema: String, _ members: [(name: String, value: JSONValue)]) -> JSONValue {
    let name = schema.split(separator: "/").last ?? ""
    let url = "https://openlineage.io/spec/facets/\(schema).json#/$defs/\(name)"
    return Self.object([("_producer", producer), ("_schemaURL", .string(url))] + members)
  }

  private static func members(_ dataset: LineageFlow.Dataset) -> [(name: String, value: JSONValue)] {
    [("namespace", .string(dataset.namespace)), ("name", .string(dataset.name))]
  }

  private static func object(_ members: [(name: String, value: JSONValue)]) -> JSONValue {
    .object(JSONObject(members.map { JSONObject.Member(name: $0.name, value: $0.value) }))
  }

  /// A UUID of version 7 (RFC 9562), which begins with a time.
  private mutating func identifier(_ milliseconds: Int64) -> String {
    let high = UInt64(milliseconds) << 16 | 0x7000 | UInt64.random(in: 0..<0x1000, using: &random)
    let low = 0x8000_0000_0000_0000 | UInt64.random(in: 0..<0x4000_0000_0000_0000, using: &random)
    let digits = [high, low].map { number in
      let text = String(number, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    let (first, second) = (digits[0], digits[1])
    return
      "\(first.prefix(8))-\(first.dropFirst(8).prefix(4))-\(first.suffix(4))-\(second.prefix(4))-\(second.suffix(12))"
  }
}
