internal import FlowSpec
internal import JSONSyntax
internal import SourceDiagnostics
package import RunViews
package import Storage

/// The status with which each flow ended in its last run, for `--last-failed` and `result:`.
///
/// The file is `.reactor/last-run.json` below the output root. A run replaces the entries of its own flows and leaves
/// all other entries unchanged, also entries that another run writes at the same time. A missing or damaged file
/// counts as empty.
package struct LastRun: Sendable, Hashable {
  /// The status word of a flow that has never run.
  package static let unknown = "new"
  /// All words that `result:` accepts.
  package static let words = RunReport.Flow.Status.allCases.map(\.rawValue) + [unknown]

  private static let name = "last-run.json"
  private static let version: Int64 = 1
  /// The maximum size of a file that is read, in bytes.
  private static let largest = 64 << 20

  private var results: [String: String] = [:]
  /// The ids of the flows whose status this run has recorded.
  private var taken: Set<String> = []
  /// Whether this run recorded a status that differs from the file.
  package private(set) var isNews = false

  /// Creates an empty store.
  package init() {}

  /// Reads the file below an output root.
  package init(root: String) { self.init(try? DiskFiles.bytes(of: Self.path(root), limit: Self.largest)) }

  /// Parses the content of a file.
  private init(_ bytes: [UInt8]?) {
    guard let bytes, bytes.count <= Self.largest, let value = try? JSONValue(parsing: bytes),
      value["v"]?.int64 == Self.version, case .object(let flows)? = value["flows"]
    else { return }
    for member in flows.members {
      if let word = member.value.string, Self.words.contains(word) { results[member.name] = word }
    }
  }

  /// The status with which a flow ended, or `new`.
  package subscript(_ id: String) -> String { results[id] ?? Self.unknown }

  /// Whether a flow must run again, because it did not pass or has never run.
  package func isOpen(_ id: String) -> Bool { self[id] != RunReport.Flow.Status.passed.rawValue }

  /// Reserves memory for this number of flows.
  mutating func reserve(_ flows: Int) {
    results.reserveCapacity(max(results.count, flows))
    taken.reserveCapacity(flows)
  }

  /// Records the status with which a flow ended.
  package mutating func take(_ id: String, _ status: RunReport.Flow.Status) {
    taken.insert(id)
    if results.updateValue(status.rawValue, forKey: id) != status.rawValue { isNews = true }
  }

  /// Writes the recorded statuses, joined with the present content of the file.
  ///
  /// - Throws: when the file cannot be written, also when other runs keep it locked for some seconds
  package func save(root: String) throws(WholeFile.AccessError) {
    // The file is read again under the lock: another run may have replaced it.
    try WholeFile.replace(Self.path(root), survivesPowerLoss: false) {
      var joined = LastRun(root: root)
      for id in taken { joined.results[id] = results[id] }
      return joined.bytes
    }
  }

  private var bytes: [UInt8] {
    let flows = results.sorted { $0.key < $1.key }.map { JSONObject.Member(name: $0.key, value: .string($0.value)) }
    return PlainJSON.bytes(.object(["v": .integer(Self.version), "flows": .object(JSONObject(distinct: flows))])) + [
      0x0A
    ]
  }

  /// The path of the file below an output root.
  package static func path(_ root: String) -> String { folder(root) + name }

  /// The folder below an output root that stores the state of runs, with a slash at the end.
  static func folder(_ root: String) -> String {
    let name = ".reactor/"
    return root.isEmpty ? name : root.hasSuffix("/") ? root + name : "\(root)/\(name)"
  }
}
