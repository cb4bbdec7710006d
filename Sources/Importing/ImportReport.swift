public import JSONSyntax

/// What an import carried over, and what it could not.
public struct ImportReport: Sendable, Hashable {
  /// What a part of the source needs that was not carried over.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Code that is not in the manifest.
    case customCode = "custom-code"
    /// A component that is not known.
    case unknown
    /// A reference that leads nowhere.
    case reference
    case request, authentication, pages, records, transformation, schema, expression
    case incremental
    case partitions
    case errors
    case rate
    case format
    case retriever
    case configuration
    /// A construct that this version's own check does not accept.
    case check
  }

  /// A part that was not carried over, or that was not needed.
  public struct Entry: Sendable, Hashable {
    /// The kind of what is missing.
    public var kind: Kind
    /// The part, such as `paginator: CustomPaginationStrategy`.
    public var what: String
    /// What it would need.
    public var needs: String
    /// The path in the source, such as `streams[0].retriever.paginator`.
    public var path: String
    /// The line of the source, from 1; 0 when the part has no line.
    public var line: Int
    /// The flow whose part it is; nil for the whole file.
    public var flow: String?
  }

  /// The number of streams in the source.
  public internal(set) var streams = 0
  /// The names of the flows that were written, in order.
  public internal(set) var flows: [String] = []
  /// The flows without a loss.
  public var complete: [String] {
    let touched = Set(losses.compactMap(\.flow))
    return flows.filter { !touched.contains($0) }
  }
  /// What was not carried over.
  public internal(set) var losses: [Entry] = []
  /// What has no meaning for flows, such as the state format of the other program.
  public internal(set) var unneeded: [Entry] = []

  /// The report as JSON.
  public var json: JSONValue {
    var kinds: [JSONObject.Member] = []
    for kind in Kind.allCases {
      let count = losses.count { $0.kind == kind }
      if count > 0 { kinds.append(JSONObject.Member(name: kind.rawValue, value: .integer(Int64(count)))) }
    }
    return .object([
      "v": .integer(1),
      "streams": .integer(Int64(streams)),
      "flows": .array(flows.map { .string($0) }),
      "complete": .array(complete.map { .string($0) }),
      "losses_by_kind": .object(JSONObject(kinds)),
      "losses": .array(losses.map(\.json)),
      "unneeded": .array(unneeded.map(\.json)),
    ])
  }
}

extension ImportReport.Entry {
  /// The entry as JSON.
  fileprivate var json: JSONValue {
    .object([
      "kind": .string(kind.rawValue), "what": .string(what), "needs": .string(needs), "path": .string(path),
      "line": .integer(Int64(line)), "flow": flow.map { .string($0) } ?? .null,
    ])
  }

  /// The entry as a comment of the flow file.
  var comment: String { "not imported: \(what) (line \(line)); it would need \(needs)" }
}

/// The error for a source that cannot be imported at all.
public struct ImportError: Error, Sendable, Hashable {
  /// What is wrong: lower case, no full stop.
  public let message: String
  /// How to fix it.
  public let help: String?

  init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}
