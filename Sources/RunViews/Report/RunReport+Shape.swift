package import JSONSyntax
internal import SourceDiagnostics
internal import ReactorCore

extension RunReport {
  /// The report as one JSON object; `docs/reference/run-summary.md` describes it.
  package var json: JSONValue { Self.shape.json(self, isTimed: hasTiming) }

  /// The object on one line, with a line end.
  ///
  /// No character in it can control a terminal or change the direction of text.
  package var jsonLine: [UInt8] { PlainJSON.bytes(json) + [0x0A] }

  /// The JSON Schema of `json`: `schemas/run-summary.schema.json`.
  package static let schema = SchemaDocument.text(
    title: "reactor run summary", "What 'reactor run --format json' prints on standard output.", shape.schema,
    definitions: [
      ("problem", Problem.schema), (Flow.shape.name, Flow.shape.schema),
      (Flow.Rejection.shape.name, Flow.Rejection.shape.schema), (Flow.Failure.shape.name, Flow.Failure.shape.schema),
      (Flow.Warning.shape.name, Flow.Warning.shape.schema), (Flow.Difference.shape.name, Flow.Difference.shape.schema),
    ])

  /// Reads a report that `json` wrote.
  package init(parsing bytes: [UInt8]) throws(ReportError) {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: bytes)
    } catch {
      throw ReportError(message: "it is not JSON: \(error)")
    }
    guard value["v"]?.int64 == Self.version else {
      throw ReportError(message: "it is not a JSON report of version \(Self.version)")
    }
    self = try Self.shape.read(value)
    hasTiming = value["duration_ms"] != nil
  }

  private static let shape = ObjectShape<RunReport>(
    "report", empty: RunReport(tool: "", isComplete: false, exit: 0, hasTiming: false, flows: []),
    [
      .version(version), .init("tool", \.tool, .text, "Version of the program."),
      .init("complete", \.isComplete, .flag, "False when the run was stopped early."),
      .init("exit", \.exit, .integer, "The exit code."),
      .init(
        ifAny: "shard", \.shard, .shard,
        "Which part of a divided selection it was: 2/5, or 2/5@0f3a9c12 in the division with that name."),
      .init(computed: "counts", \.flows, .statusCounts, "Flows by status."),
      .init(computed: "records", \.records, .count, "Records that fit, of all flows."),
      .init(computed: "rejected", \.rejected, .count, "Records that did not fit, of all flows."),
      .init(computed: "bytes", \.bytes, .count, "Decoded bytes of all responses."),
      .init(
        computed: "filtered", \.filtered, .count, "Records left out by 'where' and the like; absent when it is 0.",
        .when { $0.filtered > 0 }),
      .init(
        ifAny: "started_at", \.startedAt, .text,
        "When the run began: ISO 8601, in UTC; absent with --no-timing, and in reports of older versions."),
      .init("duration_ms", \.duration, .orNull(.integer), "From start to end; absent with --no-timing.", .timed),
      .init(
        ifAny: "trace_id", \.traceID, .text,
        "The id of the trace of the run; absent with --no-timing, and when neither '--otlp' nor 'http.traceparent' use it."
      ),
      .init("problems", \.problems, .list(.problem), "Problems of the flow files."),
      .init("flows", \.flows, .list(.object(Flow.shape)), "The flows in plan order."),
    ])
}

extension ShapeMember {
  /// The member with the version of the format, which a reader checks before all other members.
  static func version(_ version: Int64) -> Self {
    .init(
      computed: "v", \.self,
      .init(["const": .integer(version)], write: { _, _ in .integer(version) }, read: { _ in nil }),
      "Version of this format.")
  }
}

extension ValueShape where Value == RunReport.Shard {
  static var shard: Self {
    .init(["type": .string("string")], write: { shard, _ in .string(shard.text) }) { $0.string.flatMap(Value.init) }
  }
}

extension ValueShape where Value == [RunReport.Flow] {
  /// The value of the member `counts`: the number of flows, in total and for each status.
  fileprivate static var statusCounts: Self {
    let statuses = RunReport.Flow.Status.allCases
    let schema = ObjectShape<[RunReport.Flow]>(
      "counts", empty: [],
      [.init(computed: "selected", \.count, .count)] + statuses.map { .init(computed: $0.rawValue, \.count, .count) })
    return .init(
      schema.schema,
      write: { flows, _ in
        let counts = statuses.map { status in (status.rawValue, flows.count { $0.status == status }) }
        return .object(
          JSONObject(
            ([("selected", flows.count)] + counts).map { .init(name: $0.0, value: .integer(Int64($0.1))) }))
      }, read: { _ in nil })
  }
}

extension ValueShape where Value == RunReport.Problem {
  fileprivate static var problem: Self {
    .init(["$ref": .string("#/definitions/problem")], write: { problem, _ in problem.json }, read: { .init($0) })
  }
}

extension RunReport.Problem {
  /// The schema of the members on which every reader may rely; `Diagnostic.json` writes them.
  fileprivate static var schema: JSONObject {
    let text = JSONValue.object(ValueShape<String>.text.schema)
    let ordinal = JSONValue.object(ValueShape<Int>.ordinal.schema)
    return JSONObject([
      .init(name: "type", value: .string("object")),
      .init(
        name: "required", value: .array(["severity", "code", "message", "notes", "fixes"].map { .string($0) })),
      .init(
        name: "properties",
        value: .object([
          "severity": .object(ValueShape<String>.words(["error", "warning"]).schema), "code": text, "message": text,
          "file": text, "line": ordinal, "column": ordinal, "help": text,
        ])),
    ])
  }
}
