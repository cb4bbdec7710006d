internal import FlowCompiler
internal import FlowSpec
internal import SourceDiagnostics

/// Where a run leaves its plan to the next one: `.reactor/plan` below the output root, which holds the plan of the last
/// run that had one.
///
/// A plan counts for the very same inputs only: the program, the flow files and whatever else the loader looked at, the
/// values of variables, the time limit. It says nothing of results; these are looked at in each run. It can be deleted at
/// any time, and one that is lost, damaged or not written costs only the time for reading the files again.
struct PlanMemory: Sendable {
  /// Plans of fewer flows are made as fast as they are remembered.
  static let leastFlows = 100
  /// The largest plan taken, in bytes.
  private static let largest = 64 << 20

  private let path: String
  private let key: UInt64
  private let reader: SourceReader

  /// The memory for a run that takes all flows of these files; nil where its plan depends on more than can be told.
  init?(_ files: FlowFiles, _ order: AssemblyOrder, reader: SourceReader) {
    guard files.diagnostics.diagnostics.isEmpty, order.mode == .persistenceFirst || order.mode == .offline,
      !order.isFullRefresh, order.since == nil, !order.isRetryingRejected, let program = DiskFiles.program
    else { return nil }
    var digest = PlanDigest()
    for number in program { digest.take(number) }
    digest.take(ToolVersion.text)
    digest.take(reader.workingFolder)
    digest.take(order.timeout.map { $0.bitPattern } ?? 0)
    let variables = order.overrides.arguments.sorted { $0.key < $1.key }
    let inherited = order.overrides.environment.filter { $0.key.hasPrefix("REACTOR_VAR_") }.sorted { $0.key < $1.key }
    for values in [variables, inherited] {
      digest.take(UInt64(values.count))
      for (name, value) in values {
        digest.take(name)
        digest.take(value)
      }
    }
    for file in files.files {
      digest.take(file.path)
      digest.take(file.bytes)
    }
    key = digest.value
    path = LastRun.folder(order.root) + "plan"
    self.reader = reader
  }

  /// The plan of these inputs, where it is remembered.
  func recall() -> RememberedPlan? {
    guard let bytes = try? DiskFiles.bytes(of: path, limit: Self.largest), bytes.count <= Self.largest,
      let plan = RememberedPlan(bytes, key: key),
      plan.questions.allSatisfy({ $0.isAnsweredAlike(by: reader) })
    else { return nil }
    return plan
  }

  /// Leaves the plan to the next run. What goes wrong is not worth a word: that run reads the files, as this one did.
  func keep(_ flows: [RememberedFlow], asked questions: [LoaderQuestion]) {
    let plan = RememberedPlan(key: key, questions: questions, flows: flows)
    try? ReportFile.write(plan.bytes, to: path, survivesPowerLoss: false)
  }
}
