public import SourceDiagnostics

/// One request for each record or value of its parents.
///
/// A combination has one record of every parent and is one partition. Partitions are in the order of the combinations,
/// in which the last parent varies fastest. If no parent is a flow, all combinations are known before the run.
///
/// `Source` is the type of the parents' sources: as the file contains them, or with the values that a run uses.
public struct Each<Source: Sendable>: Sendable {
  /// One source of records, with the name of its records in templates.
  public struct Parent: Sendable {
    /// The source of the records.
    public var source: Source
    /// The source as messages show it: `shop.customers`, `2 values`, `out/customers.jsonl`.
    public var words: String
    /// The name of a record in templates. The default is `parent` or `value`.
    public var name: Located<String>
    /// The list of `only`, which replaces the source unless the list is empty. Nil if no list is declared, or after it
    /// was decided whether the list replaces the source.
    public var instead: ReplacementList?
    /// The maximum number of records, counted from the first; nil means all records.
    public var limit: Int?
    /// The declared fields that identify a record; empty if none are declared.
    public var key: [Located<String>] = []
    /// The key in the schema of the source's records. For another flow, it is known when all files are read.
    public var schemaKey: [String] = []
    /// The source location of `only: changed`, by which only new and changed records are requested; nil if not
    /// declared.
    public var onlyChanged: SourceRange?

    /// The fields that identify a record. If there are none, a record is identified by the request for it.
    public var identifyingFields: [String] { key.isEmpty ? schemaKey : key.map(\.value) }
  }

  /// The source location of the declaration.
  public var range: SourceRange
  /// The sources whose records are combined, at least one. Several sources are a product.
  public var parents: [Parent]
  /// The maximum number of partitions that run at the same time, at least 1.
  ///
  /// The order of the result does not depend on this number.
  public var concurrency = 4
  /// Whether a failed partition is left out and reported. If false, the first failure fails the flow.
  ///
  /// If all partitions fail, the flow always fails.
  public var skipsFailed = true
  /// The maximum number of partitions, or records of batches, that may fail and be skipped; nil if not declared.
  public var maxFailed: CountOrShare?
  /// The batches; nil means one record per request. Only allowed with a single parent.
  public var batch: RequestBatch?
  /// The source location of `empty: keep`, which creates a record for a parent whose response has no records; nil if
  /// not declared.
  public var keepsEmpty: SourceRange?
  /// Fields that are added to every record, in the order written.
  ///
  /// Their templates may use the parents. Only allowed without a schema.
  public var add: [(name: Located<String>, value: Located<TemplatedJSON>)] = []

  /// The names of the parents' records in templates, one name for each parent.
  public var names: [String] { parents.map(\.name.value) }

  /// Whether a parent has `only: changed`.
  public var asksOnlyChanged: Bool { parents.contains { $0.onlyChanged != nil } }

  /// The same parents with their sources converted. The declared lists that replace sources are dropped.
  ///
  /// - Parameter source: converts the source of a parent; it is called for every parent, even after it returned nil
  /// - Returns: nil if the closure returned nil for a parent
  public func withSources<Other: Sendable>(_ source: (Parent) -> Other?) -> Each<Other>? {
    let others = parents.compactMap { parent in
      source(parent).map { other in
        Each<Other>.Parent(
          source: other, words: parent.words, name: parent.name, limit: parent.limit, key: parent.key,
          schemaKey: parent.schemaKey, onlyChanged: parent.onlyChanged)
      }
    }
    guard others.count == parents.count else { return nil }
    return Each<Other>(
      range: range, parents: others, concurrency: concurrency, skipsFailed: skipsFailed, maxFailed: maxFailed,
      batch: batch, keepsEmpty: keepsEmpty, add: add)
  }
}

extension Each {
  /// Creates an `each` without batches, which skips failed partitions.
  public init(_ parents: [Parent], at range: SourceRange) { self.init(range: range, parents: parents) }
}

extension Each.Parent {
  /// Creates a parent of which all records are requested.
  public init(_ source: Source, words: String, name: Located<String>) {
    self.init(source: source, words: words, name: name)
  }
}
