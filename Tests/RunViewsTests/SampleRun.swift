import BatchRunner
import ReactorCore
import RunViews
import SourceDiagnostics

/// Runs made of mutations alone, for the views to show.
enum SampleRun {
  /// What a server may say to harm whoever reads a report: workflow commands, markup, terminal codes, turned text.
  static let hostile =
    "no\u{1B}[31m\r\n::set-output name=x::y\n##[add-path]/evil\n<script>alert(1)</script> ]]> & | `x` *b* @team "
    + "\u{202E}gnp.exe\u{2069} \u{0}\u{FFFE} 100%"

  static let token = "hush-hush-4711"

  static func flow(
    _ id: String, _ file: String, _ line: Int, path: String? = nil, rejected: String? = nil, tolerates: Bool = false
  )
    -> RunnableFlow
  {
    var flow = RunnableFlow(
      id: id, file: file, line: line, host: "https://api.example.com:443", path: path, timeout: .seconds(30)
    ) { _, _ throws(ReactorError) in throw .cancelled }
    flow.rejectedPath = rejected
    flow.toleratesSaveFailure = tolerates
    return flow
  }

  static let plan = RunPlan([
    flow("eu.archive", "flows/eu.yaml", 4, path: "out/archive.csv"),
    flow("eu.rates", "flows/eu.yaml", 9, path: "out/rates.jsonl"),
    flow(
      "shop.customers", "flows/shop.yaml", 12, path: "out/customers.jsonl", rejected: "out/customers.rejected.jsonl"),
    flow("shop.orders", "flows/shop.yaml", 24, path: "out/orders.jsonl", rejected: "out/orders.rejected.jsonl"),
    flow("shop.stock", "flows/shop.yaml", 40, path: "out/stock.json", tolerates: true),
    flow("shop.late", "flows/shop.yaml", 52),
  ])

  static func milliseconds(_ number: Int) -> Duration { .milliseconds(1000 + number) }

  static func timings(_ steps: [FlowStep: Int]) -> FlowTimings {
    var timings = FlowTimings()
    for (step, time) in steps { timings[step] = .milliseconds(time) }
    return timings
  }

  /// Every way in which a flow can end, in an order of ends that is not the plan's.
  static let mutations: [RunMutation] = [
    .started(at: milliseconds(0)),
    .flowStarted(0, at: milliseconds(1)), .flowStarted(1, at: milliseconds(1)),
    .flowProgressed(1, .started(.load)), .flowProgressed(1, .missed(.expired)),
    .flowProgressed(1, .finished(.load, .milliseconds(2))), .flowProgressed(1, .started(.request)),
    .flowFinished(
      0, FetchSummary(source: .persistence, records: 1204, timings: timings([.load: 6])), at: milliseconds(8)),
    .flowStarted(2, at: milliseconds(8)), .flowStarted(3, at: milliseconds(9)),
    .flowProgressed(2, .received(bytes: 1024)),
    .flowFailed(1, .server(hostile + token, status: 503), at: milliseconds(93)),
    .flowStarted(4, at: milliseconds(94)),
    .flowProgressed(3, .pruned(strict)),
    .flowProgressed(3, .failed(.parse, ReactorError(.parser, "expected an integer", recordIndex: 4, pointer: "/id"))),
    .flowFailed(
      3,
      located(ReactorError(.parser, "expected an integer, found \"\(token)\"", recordIndex: 4, pointer: "/id"), 31, 22),
      at: milliseconds(120)),
    .flowProgressed(2, .warned(FlowWarning(.missingFields, misspelt))),
    .flowFinished(
      2,
      FetchSummary(
        source: .network, miss: .absent, records: 12, rejected: 2,
        rejections: [
          PruneReport.Rejection(index: 4, pointer: "/id", reason: "expected an integer, found the string \"C-5\""),
          PruneReport.Rejection(index: 7, pointer: "", reason: hostile),
        ], bytes: 2396, save: .deferred, timings: timings([.load: 1, .reach: 11, .request: 60, .parse: 31])),
      at: milliseconds(140)),
    .flowProgressed(2, .saveDeferred),
    .flowFinished(
      4,
      FetchSummary(
        source: .network, miss: .unreadable("it was changed"), records: 3, bytes: 99,
        save: .failedTolerated(.persistence("no space left", path: "out/stock.json")),
        timings: timings([.reach: 2, .request: 40, .save: 9])), at: milliseconds(151)),
    .cancelled, .draining, .flowProgressed(2, .finished(.save, .milliseconds(5))), .saveEnded(2, nil),
    .finished(at: milliseconds(160)),
  ]

  private static let misspelt = located(.parser("no record has $.nmae ('name'), the first has $.name\(token)"), 15, 48)

  private static func located(_ error: ReactorError, _ line: Int, _ column: Int) -> ReactorError {
    var error = error
    error.location = ReactorError.Location(line: line, column: column)
    return error
  }

  /// What a flow that fails with its first bad record tells of it.
  private static var strict: PruneReport {
    var report = PruneReport()
    report.reject(at: 4, because: MappedError("expected an integer, found \"\(token)\"", pointer: "/id"))
    return report
  }

  static var state: RunState { state(plan, mutations) }

  static func state(_ plan: RunPlan, _ mutations: [RunMutation]) -> RunState {
    var state = RunState(plan)
    for mutation in mutations { state.reduce(mutation) }
    return state
  }

  static let problem: Diagnostic = {
    let file = SourceFile(path: "flows/bad.yaml", bytes: Array("reactor: 1\nflows: { x: { resorce: /x } }\n".utf8))
    return Diagnostic(
      DiagnosticCode(rawValue: "flow.unknown-key"), "unknown key 'resorce' in a flow",
      at: SourceRange(file: file, offsets: 25..<32), help: "did you mean 'resource'?")
  }()

  static func report(hasTiming: Bool = true) -> RunReport {
    RunReport(
      state, exit: 5, began: 1_790_000_000, tool: "9.9.9", hasTiming: hasTiming, problems: [problem],
      mask: { $0.replacing(token, with: "***") })
  }

  /// A run of many flows of which some do not pass.
  static func large(_ count: Int, failing: (Int) -> Bool = { $0 % 2 == 0 }) -> RunReport {
    let plan = RunPlan((0..<count).map { flow("many.flow_\($0)", "flows/many.yaml", $0 + 3, path: "out/\($0).json") })
    var mutations: [RunMutation] = [.started(at: .zero)]
    for index in 0..<count {
      mutations.append(.flowStarted(index, at: .milliseconds(index)))
      if failing(index) {
        mutations.append(
          .flowFailed(
            index, .server(hostile + String(repeating: "x", count: 2000), status: 500), at: .milliseconds(index + 30)))
      } else {
        mutations.append(
          .flowFinished(
            index, FetchSummary(source: .network, records: 10, bytes: 100, save: .saved),
            at: .milliseconds(index + 20)))
      }
    }
    return RunReport(state(plan, mutations + [.finished(at: .milliseconds(count + 50))]), exit: 5, tool: "9.9.9")
  }
}
