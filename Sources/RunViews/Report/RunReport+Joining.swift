extension RunReport {
  /// Several reports as one, with its flows in plan order and the problems of all, each once.
  ///
  /// The duration is that of the longest, since shards run beside each other.
  ///
  /// - Parameter exit: the exit code of the whole, which the caller works out of those of the parts.
  /// - Throws: when a flow is in two of them, or there is none.
  package static func joined(_ reports: [RunReport], exit: Int32) throws(ReportError) -> RunReport {
    guard var whole = reports.first else { throw ReportError(message: "there is no report to join") }
    var seen: [String: Int] = [:]
    whole.flows = []
    whole.problems = []
    var problems: Set<Problem> = []
    for report in reports {
      for flow in report.flows {
        guard let place = seen[flow.id] else {
          seen[flow.id] = whole.flows.count
          whole.flows.append(flow)
          continue
        }
        // Parents come along with their children, so that several machines may have run one: who selected it tells.
        guard flow.isAdded || whole.flows[place].isAdded else {
          throw ReportError(message: "'\(flow.id)' is in two of the reports")
        }
        if !flow.isAdded { whole.flows[place] = flow }
      }
      whole.problems += report.problems.filter { problems.insert($0).inserted }
    }
    // Plan order is that of the files by name, and of the lines in each.
    whole.flows.sort { ($0.file, $0.line, $0.id) < ($1.file, $1.line, $1.id) }
    whole.isComplete = reports.allSatisfy(\.isComplete) && missingShards(reports).isEmpty
    whole.exit = exit
    whole.shard = nil
    whole.hasTiming = reports.allSatisfy(\.hasTiming)
    whole.duration = reports.compactMap(\.duration).max()
    return whole
  }

  /// The parts of a divided selection that are not among some reports; empty where it was not divided.
  package static func missingShards(_ reports: [RunReport]) -> [Shard] {
    let shards = reports.compactMap(\.shard)
    guard let count = shards.map(\.count).max() else { return [] }
    let numbers = Set(shards.filter { $0.count == count }.map(\.number))
    return (1...count).filter { !numbers.contains($0) }.map { Shard($0, of: count) }
  }
}
