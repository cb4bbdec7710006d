package import Expressions
package import FlowTerms
package import JSONSyntax
internal import Records

/// How a flow splits its requests into partitions.
///
/// A partition is one combination of the parents' records, or a batch of them.
package struct EachPlan: Sendable {
  /// The parents, at least one. The last one varies fastest.
  package let parents: [ParentPlan]
  /// The maximum number of partitions that run at the same time, at least 1.
  package let concurrency: Int
  /// Whether a failed partition is left out; otherwise the first failure fails the flow.
  package let skipsFailed: Bool
  /// How many partitions, or records of batches, may fail; nil when the flow declares no limit.
  package var maxFailed: CountOrShare?
  /// How many records of the only parent go into one request; nil for one record.
  package var batch: BatchPlan?
  /// Whether a parent whose response has no records has one record, with the fields that come from the parent.
  package var keepsEmpty = false
  /// Fields that are added to every record.
  package var add: [ExpressionDocument.Member] = []
  /// Identifies the parents by their keys.
  let identity: ParentIdentity

  package init(_ parents: [ParentPlan], concurrency: Int, skipsFailed: Bool) {
    self.parents = parents
    self.concurrency = concurrency
    self.skipsFailed = skipsFailed
    identity = ParentIdentity(parents)
  }

  /// The ids of the flows among the parents, in their order.
  var flows: [String] { parents.flatMap(\.source.flows) }

  /// Whether some parents are requested only when they are new or changed.
  var asksOnlyChanged: Bool { parents.contains { $0.isOnlyChanged } }
}

/// One parent of an `each`: the source of its records and its name in templates.
package struct ParentPlan: Sendable {
  /// The source of a parent's records.
  package enum Source: Sendable {
    /// The records of another flow of the same run, by its id.
    case flow(String)
    /// Values that the flow file declares.
    case values([JSONValue])
    /// A persisted file, with the schema that wrote the file.
    case file(RecordPath, CompiledSchema)
    /// Rows of a database.
    case rows(StoredRows)
    /// The records of several sources, one source after the other. With a key, the first of equal ones is used.
    indirect case union([Source])

    /// The ids of the flows whose records are used.
    fileprivate var flows: [String] {
      switch self {
      case .flow(let id): [id]
      case .union(let parts): parts.flatMap(\.flows)
      case .values, .file, .rows: []
      }
    }
  }

  package let name: String
  package let source: Source
  /// A description of the parent, such as `shop.customers` or `2 values`.
  package let words: String
  /// The maximum number of records, counted from the first; nil for all.
  package var limit: Int?
  /// The fields that identify a record; empty when only the request identifies the record.
  package var key: [String] = []
  /// Whether there are more records that this run does not request, besides those beyond `limit`.
  package var isPart = false
  /// Whether only new and changed records are requested.
  package var isOnlyChanged = false

  package init(_ name: String, _ source: Source, words: String) {
    self.name = name
    self.source = source
    self.words = words
  }
}

/// Sends several records of the parent in one request.
package struct BatchPlan: Sendable {
  /// Finds, in a response, the records of a batch that the server refused.
  package struct Results: Sendable {
    /// The path of the results: one result for each record, in the order of the records.
    package let path: JSONPath
    /// Whether the server refused a record. The expression can use `result`.
    package let failed: Expression
    /// The reason as text; nil to use the whole result as the reason.
    package let reason: Expression?

    package init(path: JSONPath, failed: Expression, reason: Expression?) {
      self.path = path
      self.failed = failed
      self.reason = reason
    }
  }

  /// The maximum number of records in one request, at least 1.
  package let size: Int
  /// How refused records are found; nil when a batch succeeds or fails as a whole.
  package var results: Results?

  package init(size: Int) { self.size = size }
}
