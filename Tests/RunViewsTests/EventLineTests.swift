import BatchRunner
import Foundation
import JSONSyntax
import ReactorCore
import RunViews
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventLineTests {
  static func log(hasTiming: Bool = true) -> [UInt8] {
    var form = EventLine(SampleRun.plan, hasTiming: hasTiming, mask: { $0.replacing(SampleRun.token, with: "***") })
    var bytes = form.head(SampleRun.plan, tool: "9.9.9", shard: .init(2, of: 5))
    for (place, mutation) in (SampleRun.mutations + more).enumerated() {
      bytes += form.line(mutation, number: place + 1)
    }
    return bytes
  }

  /// Changes that the sample lacks; most come too late to change the state.
  static let more: [RunMutation] = [
    .flowProgressed(0, .pruned(PruneReport(kept: 3))), .flowProgressed(0, .saveWithheld),
    .flowProgressed(0, .retrying(attempt: 1, reason: .status(503), wait: .milliseconds(750))),
    .flowProgressed(0, .retrying(attempt: 2, reason: .reset, wait: .seconds(2))),
    .flowProgressed(0, .retrying(attempt: 1, reason: .rule(200), wait: .zero)),
    .flowProgressed(0, .waiting(.seconds(30))),
    .flowProgressed(0, .missed(.unreadable(SampleRun.hostile))), .saveEnded(0, .persistence("late", path: "out/x")),
    .flowFinished(
      0, FlowResult(source: .network, records: 0, rejected: 1, save: .withheld, filtered: 2), at: .zero),
    .flowStarted(99, at: .zero),
  ]

  @Test(arguments: [true, false])
  func `the log of a run with every kind of change is the golden one`(hasTiming: Bool) throws {
    let name = hasTiming ? "events.ndjson" : "events-untimed.ndjson"
    try Golden.check(String(decoding: Self.log(hasTiming: hasTiming), as: UTF8.self), name)
  }

  @Test func `no line is left out and no secret is told`() throws {
    let text = String(decoding: Self.log(), as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 1 + SampleRun.mutations.count + Self.more.count)
    for (place, line) in lines.enumerated() {
      let value = try JSONValue(parsing: String(line))
      #expect(value["v"]?.int64 == 1)
      #expect(value["n"]?.int64 == Int64(place))
    }
    #expect(!text.contains("hush"))
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && $0.value != 0x202E) })
    #expect(!String(decoding: Self.log(hasTiming: false), as: UTF8.self).contains("_us"))
  }

  @Test func `the lines replayed give the last state`() throws {
    let lines = try String(decoding: Self.log(), as: UTF8.self).split(separator: "\n").map {
      try JSONValue(parsing: String($0))
    }
    let flows = try #require(lines[0]["flows"]?.array)
    var state = RunState(
      RunPlan(
        flows.map { flow in
          RunnableFlow(
            id: flow["id"]?.string ?? "", file: flow["file"]?.string ?? "", line: Int(flow["line"]?.int64 ?? 0),
            host: flow["host"]?.string ?? "", path: flow["path"]?.string, rejectedPath: flow["rejected_path"]?.string,
            timeout: .zero,
            toleratesSaveFailure: flow["tolerates_save_failure"]?.bool ?? false
          ) { _, _ throws(ReactorError) in throw .cancelled }
        }))
    let places = Dictionary(uniqueKeysWithValues: flows.enumerated().map { ($1["id"]?.string ?? "", $0) })
    for line in lines.dropFirst() {
      if let mutation = try EventReplay.mutation(line, places) { state.reduce(mutation) }
    }
    let expected = RunReport(
      SampleRun.state(SampleRun.plan, SampleRun.mutations + Self.more), exit: 5, tool: "9.9.9",
      mask: { $0.replacing(SampleRun.token, with: "***") })
    #expect(RunReport(state, exit: 5, tool: "9.9.9") == expected)
  }

  @Test func `every line fits the schema`() throws {
    guard let python = try ForeignTool.python(for: "event lines checked by jsonschema") else { return }
    let script = """
      import json, sys, jsonschema
      schema = json.load(open(sys.argv[1]))
      jsonschema.Draft7Validator.check_schema(schema)
      check = jsonschema.Draft7Validator(schema)
      lines = [json.loads(line) for line in open(sys.argv[2], encoding='utf-8')]
      for line in lines: check.validate(line)
      bad = [dict(line, surprise=1) for line in lines] + [{**line, 'v': 2} for line in lines]
      assert not any(check.is_valid(line) for line in bad)
      print('fits', len(lines))
      """
    for hasTiming in [true, false] {
      let ended = try ForeignTool.withFile(Array(EventSchema.text.utf8), "schema.json") { schema in
        try ForeignTool.withFile(Self.log(hasTiming: hasTiming), "events.ndjson") {
          try ForeignTool.run(python, ["-c", script, schema, $0])
        }
      }
      #expect(ended.output == "fits \(1 + SampleRun.mutations.count + Self.more.count)\n")
    }
  }

  @Test(arguments: [("run-event.schema.json", EventSchema.text), ("run-summary.schema.json", RunReportSchema.text)])
  func `the published schemas are the program's`(file: String, text: String) throws {
    let path = ForeignTool.repository.appendingPathComponent("schemas/\(file)")
    #expect(try String(contentsOf: path, encoding: .utf8) == text)
  }
}
