import BatchRunner
import Foundation
import JSONSyntax
import ReactorCore
import RunViews
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventLineTests {
  static func log(hasTiming: Bool = true) -> [UInt8] {
    var form = EventLine(SampleRun.plan, hasTiming: hasTiming, mask: { $0.replacing(SampleRun.token, with: "***") })
    var bytes = form.head(SampleRun.plan, began: 1_790_000_000, tool: "9.9.9", shard: .init(2, of: 5))
    for (index, mutation) in (SampleRun.mutations + more).enumerated() {
      bytes += form.line(mutation, number: index + 1)
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
    .flowProgressed(0, .waitingForRun(path: "out/\(SampleRun.token).jsonl")),
    .flowProgressed(0, .missed(.unreadable(SampleRun.hostile))), .saveEnded(0, .persistence("late", path: "out/x")),
    .flowFinished(0, filtered, at: .zero),
    .flowStarted(99, at: .zero),
  ]

  private static var filtered: FetchSummary {
    FetchSummary(source: .network, records: 0, rejected: 1, filtered: 2, save: .withheld)
  }

  @Test(arguments: [true, false])
  func `the log of a run with every kind of change is the golden one`(hasTiming: Bool) throws {
    let name = hasTiming ? "events.ndjson" : "events-untimed.ndjson"
    try Golden.check(String(decoding: Self.log(hasTiming: hasTiming), as: UTF8.self), name)
  }

  @Test func `no line is left out and no secret is written`() throws {
    let text = String(decoding: Self.log(), as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 1 + SampleRun.mutations.count + Self.more.count)
    for (index, line) in lines.enumerated() {
      let value = try JSONValue(parsing: String(line))
      #expect(value["v"]?.int64 == 1)
      #expect(value["n"]?.int64 == Int64(index))
    }
    #expect(!text.contains("hush"))
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && $0.value != 0x202E) })
    #expect(!String(decoding: Self.log(hasTiming: false), as: UTF8.self).contains("_us"))
  }

  @Test func `the lines replayed give the last state`() throws {
    let state = try EventReplay.state(String(decoding: Self.log(), as: UTF8.self))
    let expected = RunReport(
      SampleRun.state(SampleRun.plan, SampleRun.mutations + Self.more), exit: 5, tool: "9.9.9",
      mask: { $0.replacing(SampleRun.token, with: "***") })
    #expect(RunReport(state, exit: 5, tool: "9.9.9") == expected)
  }

  @Test func `nothing of the state is missing in the lines, also of runs with retries and late changes`() throws {
    let error = ReactorError.server("busy", status: 503)
    let flows = ["a", "b", "c", "d", "e"].enumerated().map { index, id in
      var flow = RunnableFlow(
        id: id, file: "x.yaml", line: index + 1, after: id == "b" ? ["a"] : [], host: "http://h:1", path: "out/\(id)",
        timeout: .zero
      ) { _, _ throws(ReactorError) in throw .cancelled }
      flow.toleratesSaveFailure = id == "c"
      flow.isAdded = id == "a"
      return flow
    }
    let plan = RunPlan(flows, limits: RunLimits(jobs: 3, perHost: 2, maxFailures: 2))
    let mutations: [RunMutation] = [
      .started(at: .zero), .flowStarted(0, at: .milliseconds(1)), .flowProgressed(0, .started(.load)),
      .flowProgressed(0, .missed(.unreadable("torn"))), .flowProgressed(0, .finished(.load, .milliseconds(1))),
      .flowProgressed(0, .waiting(.seconds(2))), .flowProgressed(0, .waitingForRun(path: "out/a")),
      .flowProgressed(0, .retrying(attempt: 1, reason: .status(503), wait: .seconds(1))),
      .flowProgressed(0, .retrying(attempt: 2, reason: .job, wait: .seconds(60))),
      .flowProgressed(0, .received(bytes: 70)), .flowProgressed(0, .paged(pages: 1, records: 10)),
      .flowProgressed(0, .cutShort(error)), .flowProgressed(0, .paged(pages: 2, records: 19)),
      .flowProgressed(
        0, .warned(FlowWarning(.unreadableLimit, ReactorError(.server, "'X-Left' is 'none', and not a number")))),
      .flowProgressed(
        0, .warned(FlowWarning(.missingFields, .parser("no record has $.cty ('city'), the first has $.city")))),
      .flowProgressed(0, .warned(FlowWarning(.newMembers, .parser("records have members that are not known: city")))),
      .flowProgressed(0, .warned(FlowWarning(.movedList, .parser("the total at $.total changed from 3 to 4")))),
      .flowProgressed(0, .warned(FlowWarning(.sharedKey, .parser("1 record with the key of another parent's record")))),
      .flowProgressed(0, .warned(FlowWarning(.jobLeft, .server("job 17 cannot be deleted", status: 500)))),
      .flowProgressed(0, .pruned(PruneReport(kept: 19))), .flowProgressed(0, .saveDeferred),
      .flowFinished(
        0,
        FetchSummary(
          source: .network, miss: .unreadable("torn"), records: 19, bytes: 99, save: .deferred,
          timings: SampleRun.timings([.load: 1, .request: 7]), pages: 2), at: .milliseconds(9)),
      .flowStarted(1, at: .milliseconds(9)), .flowFailed(1, error, at: .milliseconds(10)),
      .flowQueued(1), .flowStarted(1, at: .milliseconds(11)), .flowProgressed(1, .started(.request)),
      .flowFinished(1, FetchSummary(source: .notModified, records: 4, save: .saved), at: .milliseconds(12)),
      .flowProgressed(1, .unstamped(.persistence("no room", path: "out/.reactor.stamps"))),
      .flowStarted(2, at: .milliseconds(12)),
      .flowFinished(2, FetchSummary(source: .network, records: 1, save: .deferred), at: .milliseconds(13)),
      .saveEnded(2, .persistence("no room", path: "out/c")),
      .flowFailed(3, error, at: .milliseconds(14)), .flowStarted(3, at: .milliseconds(14)),
      .flowFailed(3, .cancelled, at: .milliseconds(15)), .flowQueued(3), .flowStarted(3, at: .milliseconds(15)),
      .flowFailed(3, ReactorError(.parser, "no", recordIndex: 2, pointer: "/id"), at: .milliseconds(16)),
      .flowQueued(3), .flowStarted(3, at: .milliseconds(17)), .flowFailed(3, error, at: .milliseconds(18)),
      .saveEnded(0, .persistence("no room", path: "out/a")), .draining, .finished(at: .milliseconds(20)),
    ]
    var form = EventLine(plan)
    var bytes = form.head(plan, tool: "9.9.9")
    for (index, mutation) in mutations.enumerated() { bytes += form.line(mutation, number: index + 1) }
    let state = try EventReplay.state(String(decoding: bytes, as: UTF8.self))
    let expected = SampleRun.state(plan, mutations)
    #expect(state == expected)
    // The second failure cancels what waits: the plan says so, not a line.
    #expect(expected.stop == .failures && expected.flows[4].status == .cancelled)
    #expect(expected.flows[0].shortfall == error && expected.flows[0].pages == 2 && expected.flows[1].attempt == 2)
  }

  @Test func `the reference names every event of the schema`() throws {
    let page = try String(
      contentsOf: ForeignTool.repository.appendingPathComponent("docs/reference/event-log.md"), encoding: .utf8)
    let names = EventLine.schema.matches(of: /"((?:run|flow|step|save)\.[a-z_]+)"/).map { String($0.output.1) }
    #expect(Set(names).count == 34)
    for name in names { #expect(page.contains("`\(name)`"), "\(name)") }
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
      let ended = try ForeignTool.withFile(Array(EventLine.schema.utf8), "schema.json") { schema in
        try ForeignTool.withFile(Self.log(hasTiming: hasTiming), "events.ndjson") {
          try ForeignTool.run(python, ["-c", script, schema, $0])
        }
      }
      #expect(ended.output == "fits \(1 + SampleRun.mutations.count + Self.more.count)\n")
    }
  }

  @Test(arguments: [("run-event.schema.json", EventLine.schema), ("run-summary.schema.json", RunReport.schema)])
  func `the published schemas are the program's`(file: String, text: String) throws {
    try Golden.check(text, "../../../schemas/\(file)")
  }
}
