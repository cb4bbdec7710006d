public import JSONSyntax

/// What an import carried over, and what it could not.
public struct ImportReport: Sendable, Hashable {
  /// The word for the parts that become flows, in the program that the file comes from.
  public enum Noun: String, Sendable, Hashable {
    case stream, request, resource
  }

  /// The kind of feature that a part of the source would need; the part was not carried over.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Code, which is not run: a script, a function, or a class that is not in the file.
    case customCode = "custom-code"
    /// An unknown component.
    case unknown
    /// A reference to something that does not exist.
    case reference
    case request, authentication, pages, records, transformation, schema, expression
    case incremental
    case partitions
    case errors
    case rate
    case format
    case retriever
    case configuration
    /// A construct that `reactor check` of this version does not accept.
    case check
  }

  /// A part that was not carried over, or that was not needed.
  public struct Entry: Sendable, Hashable {
    /// The kind of the feature that the part would need.
    public var kind: Kind
    /// The part, such as `paginator: CustomPaginationStrategy`.
    public var what: String
    /// The feature that the part would need; for a part that was not needed, the reason.
    public var needs: String
    /// The path in the source, such as `streams[0].retriever.paginator`.
    public var path: String
    /// The line of the source, from 1; 0 when the part has no line.
    public var line: Int
    /// The flow that the part belongs to; nil for the whole file.
    public var flow: String?
  }

  /// The word for the parts that become flows.
  public let noun: Noun
  /// The number of parts in the source that should become flows.
  public internal(set) var found = 0
  /// The names of the flows that were written, in order.
  public internal(set) var flows: [String] = []
  /// The names of the flows of which every part was carried over.
  public var complete: [String] {
    let touched = Set(losses.compactMap(\.flow)).union(affected)
    return flows.filter { !touched.contains($0) }
  }
  /// The names of flows that are affected by a loss that concerns the whole file or one of its folders.
  public internal(set) var affected: Set<String> = []
  /// The names of the secrets that replace values of the source. The values are in no text of the import.
  public internal(set) var secrets: [String] = []
  /// The parts that were not carried over.
  public internal(set) var losses: [Entry] = []
  /// Parts that have no meaning for flows, such as the state format of the other program.
  public internal(set) var unneeded: [Entry] = []

  init(noun: Noun) { self.noun = noun }

  /// The report as JSON. The member with the number of parts has the plural of ``noun`` as its name, such as `streams`.
  public var json: JSONValue {
    var kinds: [JSONObject.Member] = []
    for kind in Kind.allCases {
      let count = losses.count { $0.kind == kind }
      if count > 0 { kinds.append(JSONObject.Member(name: kind.rawValue, value: .integer(Int64(count)))) }
    }
    return .object([
      "v": .integer(1),
      "\(noun.rawValue)s": .integer(Int64(found)),
      "flows": .array(flows.map { .string($0) }),
      "complete": .array(complete.map { .string($0) }),
      "secrets": .array(secrets.map { .string($0) }),
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
