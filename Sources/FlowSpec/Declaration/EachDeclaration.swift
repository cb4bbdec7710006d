public import Expressions
public import FlowTerms
public import JSONSyntax
public import SourceDiagnostics

/// Declares one request for each record or value of its parents.
///
/// A combination has one record of every parent. The last parent varies fastest. Each combination is one partition, and
/// partitions are in this order. If no parent is a flow, all combinations are known before the run.
public struct EachDeclaration: Sendable {
  /// The effect of a failed partition on the flow.
  public enum FailurePolicy: String, Sendable, Hashable, CaseIterable {
    /// The partition is left out and reported; the other partitions continue.
    ///
    /// If all partitions fail, the flow fails.
    case skip
    /// The flow fails when the first partition fails.
    case fail
  }

  /// The maximum number of partitions that run at the same time, unless the flow declares another number.
  public static let defaultConcurrency = 4
  /// Names that have another meaning in expressions and cannot be the name of a parent.
  public static let reservedNames: Set<String> = [
    "vars", "secrets", "env", "schema", "record", "response", "page", "cursor", "field_group", "result",
    "true", "false", "null", "in",
  ]

  /// The source location of the declaration.
  public var range: SourceRange
  /// The sources whose records are combined, at least one. Several sources are a product.
  public var parents: [EachParent]
  /// The maximum number of partitions that run at the same time, at least 1.
  ///
  /// The order of the result does not depend on this number.
  public var concurrency = EachDeclaration.defaultConcurrency
  /// The effect of a failed partition on the flow.
  public var onError = FailurePolicy.skip
  /// The maximum number of partitions, or records of batches, that may fail with `skip`; nil if not declared.
  public var maxFailed: CountOrShare?
  /// The declaration of batches; nil means one record per request. Only allowed with a single parent.
  public var batch: BatchDeclaration?
  /// The source location of `empty: keep`, which gives a parent without records a record; nil if not declared.
  public var keepsEmpty: SourceRange?
  /// Fields that are added to every record, in the order written.
  ///
  /// Their templates may use the parents. Only allowed without a schema.
  public var add: [(name: Located<String>, value: Located<TemplatedJSON>)] = []

  /// The names of the parents' records in templates, one name for each parent.
  public var names: [String] { parents.map(\.name.value) }

  /// Whether a parent has `only: changed`.
  public var asksOnlyChanged: Bool { parents.contains { $0.onlyChanged != nil } }

  /// The ids of the flows among the parents, with their locations.
  public var flows: [Located<String>] {
    parents.flatMap(\.source.flows)
  }
}

/// One source of an `each`, with the name of its records in templates.
public struct EachParent: Sendable {
  /// The kinds of sources.
  public enum Source: Sendable {
    /// The records of another flow in the same run, given by its id.
    case flow(Located<String>)
    /// Texts and integers in the flow file: at least one, without duplicates.
    case values([JSONValue])
    /// The elements of a list, which an expression returns before the run, and their type.
    case expression(Located<Expression>, ExpressionType)
    /// A persisted file below the output root, and the schema with which it was written.
    case file(Located<Template>, schema: SchemaDeclaration?)
    /// The rows of a table of a store, or of a query.
    case rows(StoredRowsDeclaration)
    /// The records of several sources, one source after the other: flows, values and files.
    ///
    /// A value is a record with the only field of the parent's key. Of records with an equal key the first is used;
    /// without a declared key all are.
    indirect case union([Source])
  }

  /// A list that replaces the records of the source, if it is not empty.
  public struct Instead: Sendable {
    /// The only field of each record.
    public var field: Located<String>
    /// Returns the values of the field, texts or integers; null or an empty list leaves the source in use.
    public var list: Located<Expression>
    /// The type of a value.
    var type: ExpressionType
  }

  /// The source of the records.
  public var source: Source
  /// The list that replaces the source, until it is known whether it has values; nil if none is declared.
  public var instead: Instead?
  /// The name of a record in templates. The default is `parent` or `value`.
  public var name: Located<String>
  /// The maximum number of records, counted from the first; nil means all records.
  public var limit: Int?
  /// The declared fields that identify a record; empty if none are declared.
  public var key: [Located<String>] = []
  /// The key in the schema of the source's records. For another flow, it is known when all files are read.
  public var schemaKey: [String] = []
  /// The source location of `only: changed`, if declared.
  public var onlyChanged: SourceRange?

  /// The fields that identify a record. If there are none, its request identifies the record.
  public var identifyingFields: [String] { key.isEmpty ? schemaKey : key.map(\.value) }

  /// Whether a list replaced the source, so that its other records are not requested now.
  public var isReplaced: Bool { replacedSource != nil }
  /// The source that a list replaced.
  var replacedSource: Source?

  /// Puts the values of `instead` in place of the source; without values the source stays.
  public mutating func replaceSource(by values: [JSONValue]) {
    guard let field = instead?.field.value else { return }
    instead = nil
    guard !values.isEmpty else { return }
    replacedSource = source
    source = .values(values.map { .object(JSONObject([JSONObject.Member(name: field, value: $0)])) })
  }

  /// The source as messages show it: `shop.customers`, `2 values`, `out/customers.jsonl`.
  public var words: String {
    replacedSource.map { "\(source.words) instead of \($0.words)" } ?? source.words
  }
}

extension EachParent.Source {
  /// The source as messages show it.
  fileprivate var words: String {
    switch self {
    case .flow(let id): id.value
    case .values(let values): values.count == 1 ? "1 value" : "\(values.count) values"
    case .expression(let expression, _): "{{ \(expression.value.text) }}"
    case .file(let path, _): path.value.sourceText
    case .rows(let rows): rows.words
    case .union(let parts): parts.map(\.words).joined(separator: ", then ")
    }
  }

  /// The ids of the flows whose records are used, in the order written.
  fileprivate var flows: [Located<String>] {
    switch self {
    case .flow(let id): [id]
    case .union(let parts): parts.flatMap(\.flows)
    case .values, .expression, .file, .rows: []
    }
  }
}

extension FlowDeclaration {
  /// The ids of the parent flows, in the order written.
  public var parents: [String] { each?.flows.map(\.value) ?? [] }
}
