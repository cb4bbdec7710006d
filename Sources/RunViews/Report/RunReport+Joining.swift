extension RunReport {
  /// Joins several reports into one: the flows in plan order, and the problems of all reports without repetition.
  ///
  /// The duration is the longest one, because shards run at the same time; the start is the earliest one.
  ///
  /// - Parameter exit: the exit code of the joined report
  /// - Throws: when a flow is in two reports, or no report is given
  package static func joined(_ reports: [RunReport], exit: Int32) throws(ReportError) -> RunReport {
    guard var whole = reports.first else { throw ReportError(message: "no report to join") }
    let shards = reports.compactMap(\.shard)
    if let first = shards.first, let other = shards.first(where: { $0.division != first.division }) {
      throw ReportError(
        message: "shards \(first.text) and \(other.text) are of two divisions, so flows may be missing or repeated")
    }
    var seen: [String: Int] = [:]
    whole.flows = []
    whole.problems = []
    var problems: Set<Problem> = []
    for report in reports {
      for flow in report.flows {
        guard let index = seen[flow.id] else {
          seen[flow.id] = whole.flows.count
          whole.flows.append(flow)
          continue
        }
        // Several machines may run the same parent flow. The report of the machine that selected it is used.
        guard flow.isAdded || whole.flows[index].isAdded else {
          throw ReportError(message: "'\(flow.id)' is in two of the reports")
        }
        if !flow.isAdded { whole.flows[index] = flow }
      }
      whole.problems += report.problems.filter { problems.insert($0).inserted }
    }
    // Plan order means the order of the files by name, and of the lines in each file.
    whole.flows.sort { ($0.file, $0.line, $0.id) < ($1.file, $1.line, $1.id) }
    whole.isComplete = reports.allSatisfy(\.isComplete) && missingShards(reports).isEmpty
    whole.exit = exit
    whole.shard = nil
    whole.hasTiming = reports.allSatisfy(\.hasTiming)
    whole.startedAt = whole.hasTiming ? reports.compactMap(\.startedAt).min() : nil
    whole.duration = reports.compactMap(\.duration).max()
    return whole
  }

  /// The shards for which no report is given; empty when the selection was not divided.
  package static func missingShards(_ reports: [RunReport]) -> [Shard] {
    let shards = reports.compactMap(\.shard)
    guard let count = shards.map(\.count).max() else { return [] }
    let numbers = Set(shards.filter { $0.count == count }.map(\.number))
    return (1...count).filter { !numbers.contains($0) }.map { Shard($0, of: count, division: shards.first?.division) }
  }
}
