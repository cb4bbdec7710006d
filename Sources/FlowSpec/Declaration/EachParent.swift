public import Expressions
public import JSONSyntax
public import SourceDiagnostics

/// Where one part of an `each` takes its records from, and what templates call them.
public struct EachParent: Sendable {
  /// The kinds of parents.
  public enum Source: Sendable {
    /// The records of another flow of the same run, by its id.
    case flow(Located<String>)
    /// Texts and integers as written, at least one and each once.
    case values([JSONValue])
    /// The elements of a list that an expression gives, which is known before the run; with their type.
    case expression(Located<Expression>, ExpressionType)
    /// A persisted file below the output root, with the schema it was written with.
    case file(Located<Template>, schema: SchemaDeclaration?)
  }

  /// Where the records come from.
  public var source: Source
  /// What templates call a record: `parent` or `value` unless the flow says otherwise.
  public var name: Located<String>
  /// Only so many of the first records; nil for all.
  public var limit: Int?
  /// The fields of a record that identify it, where the flow names some.
  public var key: [Located<String>]
  /// The key of the schema of its records; of a flow's records it is known when all files are read.
  public var schemaKey: [String] = []
  /// Where it says that only new and changed records are asked for; nil where all are.
  public var onlyChanged: SourceRange?

  /// Builds a parent.
  public init(
    _ source: Source, name: Located<String>, limit: Int? = nil, key: [Located<String>] = [],
    onlyChanged: SourceRange? = nil
  ) {
    self.source = source
    self.name = name
    self.limit = limit
    self.key = key
    self.onlyChanged = onlyChanged
  }

  /// The fields that identify a record; empty where nothing but its request does.
  public var identifyingFields: [String] { key.isEmpty ? schemaKey : key.map(\.value) }

  /// What it is, as people call it: `shop.customers`, `2 values`, `out/customers.jsonl`.
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
  /// The ids of the flows whose records this one is asked for, in the order named.
  public var parents: [String] { each?.flows.map(\.value) ?? [] }
}
