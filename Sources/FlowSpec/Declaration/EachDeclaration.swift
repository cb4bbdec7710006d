public import Expressions
public import FlowTerms
public import JSONSyntax
public import SourceDiagnostics

/// One request for each of some records or values: one partition for each combination, in order.
///
/// A combination takes one record of every parent; the last parent varies fastest. Without a flow among the parents all
/// combinations are known before the run.
public struct EachDeclaration: Sendable {
  /// What a failed partition means for the flow.
  public enum FailurePolicy: String, Sendable, Hashable, CaseIterable {
    /// The partition is left out and reported; the others go on. A flow whose partitions all fail has failed.
    case skip
    /// The flow fails with the first.
    case fail
  }

  /// How many partitions may be under way at once unless the flow says otherwise.
  public static let defaultConcurrency = 4
  /// Names with another meaning in expressions, which no parent may have.
  public static let reservedNames: Set<String> = [
    "vars", "secrets", "env", "record", "response", "page", "cursor", "result", "true", "false", "null", "in",
  ]

  /// Its source location.
  public var range: SourceRange
  /// What is combined, at least one; more than one is a product.
  public var parents: [EachParent]
  /// The maximum number of partitions at once, at least 1; the order of the result does not depend on it.
  public var concurrency = EachDeclaration.defaultConcurrency
  /// What a failed partition means for the flow.
  public var onError = FailurePolicy.skip
  /// How many partitions, or records of batches, may fail with `skip`; nil if not declared.
  public var maxFailed: CountOrShare?
  /// The batches of records; nil for one record a request. Only with a single parent.
  public var batch: BatchDeclaration?
  /// Fields that every record gets, in the order written; their templates may use the parents. Only without a schema.
  public var add: [(name: Located<String>, value: Located<TemplatedJSON>)] = []

  /// The names under which templates find the parents' records, one for each parent.
  public var names: [String] { parents.map(\.name.value) }

  /// Whether a parent has `only: changed`.
  public var asksOnlyChanged: Bool { parents.contains { $0.onlyChanged != nil } }

  /// The ids of the flows among the parents, with their locations.
  public var flows: [Located<String>] {
    parents.compactMap { if case .flow(let id) = $0.source { id } else { nil } }
  }
}

/// One source of an `each`, and the name of its records in templates.
public struct EachParent: Sendable {
  /// The kinds of parents.
  public enum Source: Sendable {
    /// The records of another flow of the same run, by its id.
    case flow(Located<String>)
    /// Texts and integers as written, at least one and each once.
    case values([JSONValue])
    /// The elements of a list that an expression gives before the run, with their type.
    case expression(Located<Expression>, ExpressionType)
    /// A persisted file below the output root, with the schema it was written with.
    case file(Located<Template>, schema: SchemaDeclaration?)
  }

  /// Where the records come from.
  public var source: Source
  /// The name of a record in templates; default `parent` or `value`.
  public var name: Located<String>
  /// The maximum number of records, from the first; nil for all.
  public var limit: Int?
  /// The fields that identify a record, if declared.
  public var key: [Located<String>] = []
  /// The key of the schema of its records; for another flow it is known when all files are read.
  public var schemaKey: [String] = []
  /// The location of `only: changed`, if declared.
  public var onlyChanged: SourceRange?

  /// The fields that identify a record; empty: its request identifies it.
  public var identifyingFields: [String] { key.isEmpty ? schemaKey : key.map(\.value) }

  /// Its name in messages: `shop.customers`, `2 values`, `out/customers.jsonl`.
  public var words: String {
    switch source {
    case .flow(let id): id.value
    case .values(let values): values.count == 1 ? "1 value" : "\(values.count) values"
    case .expression(let expression, _): "{{ \(expression.value.text) }}"
    case .file(let path, _): path.value.sourceText
    }
  }
}

extension FlowDeclaration {
  /// The ids of the parent flows, in the order named.
  public var parents: [String] { each?.flows.map(\.value) ?? [] }
}

/// Several of the parents' records in one request.
public struct BatchDeclaration: Sendable {
  /// How a response reports the records of the batch.
  public struct Results: Sendable {
    /// Where the results are, one for each record and in their order.
    public var path: Located<JSONPath>
    /// Whether the server rejected a record, given its `result`.
    public var failed: Located<Expression>
    /// The reason, as text; nil is the result itself.
    public var reason: Located<Expression>?
  }

  /// The maximum number of records in one request, at least 1.
  public var size: Int
  /// The results in the response; nil: a batch passes or fails as a whole.
  public var results: Results?
}

extension EachDeclaration {
  /// The names of the parents in templates, with their types; the types of other flows' records are unknown here.
  var members: [ExpressionType.Member] {
    parents.map { ExpressionType.Member($0.name.value, type($0.source.type)) }
  }

  /// The type in templates, given the type of a record.
  func type(_ record: ExpressionType) -> ExpressionType { batch == nil ? record : .list(record) }
}

extension EachParent.Source {
  fileprivate var type: ExpressionType {
    switch self {
    case .flow: .dynamic
    case .file(_, let schema): schema?.recordType ?? .dynamic
    case .expression(_, let type): type
    case .values(let values):
      if values.allSatisfy({ $0.string != nil }) {
        .string
      } else if values.allSatisfy({ $0.int64 != nil }) {
        .int
      } else {
        .dynamic
      }
    }
  }
}

extension EachDeclaration {
  /// What the records depend on, as text: with other parents a persisted result is not used.
  public var identity: String {
    let sources = parents.map { parent in
      let source =
        switch parent.source {
        case .flow(let id): "flow \(id.value)"
        case .file(let path, _): "file \(path.value.sourceText)"
        case .expression(let expression, _): "values {{ \(expression.value.text) }}"
        case .values(let values): String(decoding: JSONWriter.bytes(.array(values)), as: UTF8.self)
        }
      let key = parent.key.isEmpty ? "" : " key \(parent.key.map(\.value).joined(separator: ","))"
      let only = parent.onlyChanged == nil ? "" : " only changed"
      return "\(parent.name.value) = \(source) \(parent.limit ?? -1)\(key)\(only)"
    }
    let batches = batch.map { ["batch \($0.size) \($0.results?.path.value.text ?? "")"] } ?? []
    return (sources + batches + add.map { "\($0.name.value) + \($0.value.value.sourceText)" }).joined(separator: "\n")
  }
}

extension TemplatedJSON {
  /// The document as text, templates as they are written.
  var sourceText: String {
    switch self {
    case .constant(let value): String(decoding: JSONWriter.bytes(value), as: UTF8.self)
    case .template(let template): template.value.sourceText
    case .array(let elements): "[\(elements.map(\.sourceText).joined(separator: ","))]"
    case .object(let members): "{\(members.map { "\($0.name):\($0.value.sourceText)" }.joined(separator: ","))}"
    }
  }
}
