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
    let path = path(root)
    var division: ShardDivision
    do throws(WholeFile.AccessError) {
      if let known = try lines(in: path).division(of: run) {
        division = known
      } else {
        division = ShardDivision(of: ids, by: durations(root: root), count: count, run: run)
        if remembers { division = try remember(division, in: path) }
      }
    } catch {
      throw CommandError("the division of this run cannot be kept in '\(path)': \(error.message)", .notWritten)
    }
    guard division.count == count else {
      throw CommandError(
        "run '\(run)' was divided into \(division.count) parts, and this is one of \(count)",
        help: "start all parts of a run with the same number of parts; '\(path)' has the divisions of the latest runs")
    }
    return division
  }

  /// Writes a division, unless another part of the run has written one since; returns the one that holds.
  private static func remember(
    _ own: ShardDivision, in path: String
  ) throws(WholeFile.AccessError) -> ShardDivision {
    var division = own
    do throws(WholeFile.AccessError) {
      try WholeFile.replace(path) { () throws(WholeFile.AccessError) in
        var lines = try lines(in: path)
        if let known = lines.division(of: own.run) {
          division = known
        } else {
          lines = lines.suffix(most - 1) + [own.line]
        }
        return Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
      }
    } catch {
      // Where many parts start at once, the lock may be taken for long although the division is there.
      guard let known = try lines(in: path).division(of: own.run) else { throw error }
      division = known
    }
    return division
  }

  private static func lines(in path: String) throws(WholeFile.AccessError) -> [[UInt8]] {
    (try WholeFile.read(path, limit: largest)?.bytes ?? []).split(separator: UInt8(ascii: "\n")).map { Array($0) }
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

extension [[UInt8]] {
  /// The division of a run among lines.
  fileprivate func division(of run: String) -> ShardDivision? {
    lazy.compactMap { ShardDivision(line: $0) }.last { $0.run == run }
  }
}
