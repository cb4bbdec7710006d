package import Expressions
package import FlowTerms
package import JSONSyntax
package import Records

/// What a flow asks for each of: one partition for each combination of its parents' records, or for a batch of them.
package struct EachPlan: Sendable {
  /// At least one; the last one varies fastest.
  package let parents: [ParentPlan]
  /// The most partitions under way at once, at least 1.
  package let concurrency: Int
  /// Whether a partition that fails is left out; else the flow fails with the first.
  package let skipsFailed: Bool
  /// How many partitions, or records of batches, may fail; nil where the flow does not say.
  package var maxFailed: CountOrShare?
  /// How many records of the only parent one request is for; nil for one.
  package var batch: BatchPlan?
  /// Fields that every record gets.
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
  var flows: [String] { parents.compactMap { if case .flow(let id) = $0.source { id } else { nil } } }

  /// Whether some of the parents are asked for only where they are new or changed.
  var asksOnlyChanged: Bool { parents.contains { $0.isOnlyChanged } }
}

/// Where one part of an `each` takes its records from, and what templates call them.
package struct ParentPlan: Sendable {
  /// The kinds of parents.
  package enum Source: Sendable {
    /// The records of another flow of the same run, by its id.
    case flow(String)
    /// Known values.
    case values([JSONValue])
    /// A persisted file, with the schema it was written with.
    case file(RecordPath, CompiledSchema)
  }

  package let name: String
  package let source: Source
  /// What it is, as people call it: `shop.customers`, `2 values`.
  package let words: String
  /// Only so many of the first records; nil for all.
  package var limit: Int?
  /// The fields that identify a record; empty where nothing but its request does.
  package var key: [String] = []
  /// Whether only new and changed records are asked for.
  package var isOnlyChanged = false

  package init(_ name: String, _ source: Source, words: String) {
    self.name = name
    self.source = source
    self.words = words
  }
}

/// Several of the parents' records in one request.
package struct BatchPlan: Sendable {
  /// How a response says which records of the batch were refused.
  package struct Results: Sendable {
    /// Where the results are, one for each record and in their order.
    package let path: JSONPath
    /// Whether a record was refused, given its `result`.
    package let failed: Expression
    /// Why, as text; nil is the result itself.
    package let reason: Expression?

    package init(path: JSONPath, failed: Expression, reason: Expression?) {
      self.path = path
      self.failed = failed
      self.reason = reason
    }
  }

  /// The most records of one request, at least 1.
  package let size: Int
  /// How the response is looked at; nil: a batch passes or fails as a whole.
  package var results: Results?

  package init(size: Int) { self.size = size }
}
