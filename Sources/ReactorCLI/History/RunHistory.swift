internal import DetachedThread
internal import FlowFolders
package import RunViews
package import Storage

/// The runs of all flows below an output root: a line for each flow of each run, the newest last.
///
/// The file is `.reactor/history.jsonl`. A run appends its lines when it ends. A damaged line is skipped, and a missing
/// file counts as empty. The file may be deleted.
package enum RunHistory {
  /// The size in bytes from which the oldest lines are removed.
  static let largest = 16 << 20

  private static let name = "history.jsonl"
  /// The number of bytes at the end of the file that are read for the expected durations.
  private static let recent = 2 << 20

  /// The path of the file below an output root.
  package static func path(_ root: String) -> String {
    let name = ".reactor/\(name)"
    return root.isEmpty ? name : root.hasSuffix("/") ? root + name : "\(root)/\(name)"
  }

  /// All entries, the newest last.
  package static func entries(root: String) -> [HistoryEntry] {
    // Another version may have written a larger file.
    entries(in: (try? DiskFiles.bytes(of: path(root), limit: 4 * largest)) ?? [])
  }

  /// The duration that each flow is expected to take, by id, as the newest part of the file says.
  package static func expectedDurations(root: String) -> [String: Duration] {
    let bytes = (try? DiskFiles.bytes(of: path(root), limit: 4 * largest)) ?? []
    // The first line of the part may be incomplete; it is skipped as a damaged one.
    let flows = FlowHealth.all(in: entries(in: Array(bytes.suffix(recent))))
    return flows.reduce(into: [:]) { $0[$1.flow] = $1.expectedDuration.map { .milliseconds($0) } }
  }

  /// Appends the entries of a run.
  ///
  /// - Throws: when the file cannot be written, also when other runs keep it locked for some seconds
  package static func append(_ entries: [HistoryEntry], root: String) throws(WholeFile.AccessError) {
    let lines = entries.concurrentChunks(minimum: 256) { $0.flatMap(\.line) }
    try LineLog.append(Array(lines.joined()), to: path(root), limit: largest) { kept(of: $0, within: largest / 2) }
  }

  /// The number of lines that a later version has written.
  package static func laterCount(root: String) -> Int {
    let bytes = (try? DiskFiles.bytes(of: path(root), limit: 4 * largest)) ?? []
    return bytes.split(separator: lineEnd).count(where: isLater)
  }

  private static let lineEnd = UInt8(ascii: "\n")

  private static func entries(in bytes: [UInt8]) -> [HistoryEntry] {
    bytes.split(separator: lineEnd).compactMap { isLater($0) ? nil : HistoryEntry(line: $0) }
  }

  /// Whether a line is of a later form. Such a line begins with the number of its form as the member `v`; the present
  /// form has none.
  private static func isLater(_ line: ArraySlice<UInt8>) -> Bool {
    let start = Array("{\"v\":".utf8)
    guard line.starts(with: start) else { return false }
    let digits = line.dropFirst(start.count).prefix { $0 >= 0x30 && $0 <= 0x39 }
    return Int64(String(decoding: digits, as: UTF8.self)).map(StateVersion.history.isLater) ?? false
  }

  /// The newest lines of each flow that fit into a size. The last line of each flow always stays, and every line of a
  /// later version.
  package static func kept(of bytes: [UInt8], within limit: Int) -> [UInt8] {
    let later = bytes.split(separator: lineEnd).lazy.filter(isLater).flatMap { $0 + [lineEnd] }
    let entries = entries(in: bytes)
    let lines = entries.map(\.line)
    var ages: [Int] = []
    var seen: [String: Int] = [:]
    // The age of a line is the number of later lines of its flow.
    for entry in entries.reversed() {
      ages.append(seen[entry.flow, default: 0])
      seen[entry.flow, default: 0] += 1
    }
    ages.reverse()
    var count = ages.max().map { $0 + 1 } ?? 1
    func size() -> Int { zip(lines, ages).reduce(0) { $1.1 < count ? $0 + $1.0.count : $0 } }
    while count > 1, size() > limit { count /= 2 }
    return Array(later) + zip(lines, ages).lazy.filter { $0.1 < count }.flatMap(\.0)
  }
}
