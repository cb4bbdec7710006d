internal import FlowSpec
internal import JSONSyntax
package import RunViews

/// How each flow ended when it was last run: what `--last-failed` and `result:` ask for.
///
/// The file is `.reactor/last-run.json` below the output root. A run replaces the entries of its own flows and leaves the
/// others as they are, also those that another run writes meanwhile. A missing or damaged file has no entries.
package struct LastRun: Sendable, Hashable {
  /// The word for a flow that was never run.
  package static let unknown = "new"
  /// Every word that `result:` may ask for.
  package static let words = RunReport.Flow.Status.allCases.map(\.rawValue) + [unknown]

  private static let name = "last-run.json"
  private static let version: Int64 = 1
  /// The largest file taken, in bytes.
  private static let largest = 64 << 20

  private var results: [String: String] = [:]
  /// The flows among them that this run has taken.
  private var taken: Set<String> = []
  /// Whether anything was taken that was not known.
  package private(set) var isNews = false

  /// Nothing is known.
  package init() {}

  /// What the file below a root says.
  package init(root: String) { self.init(try? DiskFiles.bytes(of: Self.path(root), limit: Self.largest)) }

  /// What a file says.
  private init(_ bytes: [UInt8]?) {
    guard let bytes, bytes.count <= Self.largest, let value = try? JSONValue(parsing: bytes),
      value["v"]?.int64 == Self.version, case .object(let flows)? = value["flows"]
    else { return }
    for member in flows.members {
      if let word = member.value.string, Self.words.contains(word) { results[member.name] = word }
    }
  }

  /// How a flow ended, or `new`.
  package subscript(_ id: String) -> String { results[id] ?? Self.unknown }

  /// Whether a flow is to be run again: it did not pass, or was never run.
  package func isOpen(_ id: String) -> Bool { self[id] != RunReport.Flow.Status.passed.rawValue }

  /// Reserves memory for so many flows.
  mutating func reserve(_ flows: Int) {
    results.reserveCapacity(max(results.count, flows))
    taken.reserveCapacity(flows)
  }

  /// Takes how a flow ended.
  package mutating func take(_ id: String, _ status: RunReport.Flow.Status) {
    taken.insert(id)
    if results.updateValue(status.rawValue, forKey: id) != status.rawValue { isNews = true }
  }

  /// Writes what was taken, joined with the present content of the file.
  ///
  /// - Throws: when it cannot be written, also when other runs write it for some seconds
  package func save(root: String) throws(ReportFile.InvalidReport) {
    try ReportFile.update(Self.path(root), limit: Self.largest, survivesPowerLoss: false) { present in
      var joined = LastRun(present)
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

  /// The file's path for a root.
  package static func path(_ root: String) -> String { folder(root) + name }

  /// The folder below a root for the state of its runs, with a slash at the end.
  static func folder(_ root: String) -> String {
    let name = ".reactor/"
    return root.isEmpty ? name : root.hasSuffix("/") ? root + name : "\(root)/\(name)"
  }
}
