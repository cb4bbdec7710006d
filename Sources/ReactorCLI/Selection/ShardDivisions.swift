internal import FlowFolders
internal import RunViews
internal import Storage

/// The divisions of the latest runs over an output root, one line each: `.reactor/shards.jsonl`.
///
/// The first part of a run writes its division, and all other parts read it. The file may be deleted when no run is
/// active.
enum ShardDivisions {
  /// The number of runs whose divisions are kept.
  private static let most = 8
  private static let largest = 64 << 20

  private static func path(_ root: String) -> String {
    root.isEmpty ? ".reactor/shards.jsonl" : "\(root)/.reactor/shards.jsonl"
  }

  /// The division of a run.
  ///
  /// - Parameters:
  ///   - ids: the selected flows
  ///   - remembers: whether the division is written if the run has none yet; without that it is only a preview
  static func division(
    of ids: [String], for task: EngineTask, root: String, remembers: Bool
  ) throws(CommandError) -> ShardDivision? {
    guard let run = task.run else { return nil }
    let count = task.shard.count
    func divided() -> ShardDivision {
      ShardDivision(of: ids, by: durations(root: root), count: count, run: run)
    }
    let path = path(root)
    if let known = lines(in: path).compactMap({ ShardDivision(line: $0) }).last(where: { $0.run == run }) {
      return try checked(known, count, path)
    }
    guard remembers else { return divided() }
    var division: ShardDivision?
    do throws(WholeFile.AccessError) {
      // Another part may have written its division since.
      try WholeFile.replace(path) {
        var lines = lines(in: path)
        division = lines.compactMap { ShardDivision(line: $0) }.last { $0.run == run }
        if division == nil {
          let own = divided()
          division = own
          lines = lines.suffix(most - 1) + [own.line]
        }
        return Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
      }
    } catch {
      throw CommandError("the division of this run cannot be written to '\(path)': \(error.message)", .notWritten)
    }
    return try division.map { known throws(CommandError) in try checked(known, count, path) }
  }

  private static func checked(
    _ known: ShardDivision, _ count: Int, _ path: String
  ) throws(CommandError) -> ShardDivision {
    guard known.count == count else {
      throw CommandError(
        "run '\(known.run)' was divided into \(known.count) parts, and this is one of \(count)",
        help: "start all parts of a run with the same number of parts; '\(path)' has the divisions of the latest runs")
    }
    return known
  }

  private static func lines(in path: String) -> [[UInt8]] {
    ((try? DiskFiles.bytes(of: path, limit: largest)) ?? []).split(separator: UInt8(ascii: "\n")).map { Array($0) }
  }

  /// The milliseconds that each flow took when it last requested its records.
  private static func durations(root: String) -> [String: Int64] {
    var durations: [String: Int64] = [:]
    for entry in RunHistory.entries(root: root) where entry.status == .passed && entry.source == "network" {
      durations[entry.flow] = entry.duration
    }
    return durations
  }
}
