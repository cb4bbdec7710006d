package import Expressions
package import FlowModel
package import JSONSyntax

/// The source of a parent's records, as a file contains it.
package enum EachSource: Sendable {
  /// The records of another flow in the same run, given by its id.
  case flow(Located<String>)
  /// Texts and integers in the flow file: at least one, without duplicates.
  case values([JSONValue])
  /// A list that an expression returns before the run, and the type of its elements.
  case expression(Located<Expression>, ExpressionType)
  /// A persisted file below the output root, and the schema with which it was written.
  case file(Located<Template>, schema: SchemaDeclaration?)
  /// The rows of a table of a store, or of a query.
  case rows(StoredRows<Located<String>, Located<Template>>)
  /// The records of several sources, one source after the other: flows, values and files.
  ///
  /// Each value becomes a record whose only field is the parent's key. Of several records with the same key, the first
  /// is used; without a declared key, all are used.
  indirect case union([EachSource])
  /// Records with one field, made from the list of `only`. The records of the replaced source are not requested.
  indirect case replacement([JSONValue], of: EachSource)

  /// The source as messages show it.
  var words: String {
    switch self {
    case .flow(let id): id.value
    case .values(let values): Self.words(values)
    case .expression(let expression, _): "{{ \(expression.value.text) }}"
    case .file(let path, _): path.value.sourceText
    case .rows(let rows): rows.words
    case .union(let parts): parts.map(\.words).joined(separator: ", then ")
    case .replacement(let records, let source): "\(Self.words(records)) instead of \(source.words)"
    }
  }

  private static func words(_ values: [JSONValue]) -> String {
    values.count == 1 ? "1 value" : "\(values.count) values"
  }

  /// Whether the source contains records, not single values.
  var givesRecords: Bool {
    switch self {
    case .flow, .file, .rows, .union, .replacement: true
    case .values, .expression: false
    }
  }

  /// The ids of the flows whose records are used, in the order written.
  fileprivate var flows: [Located<String>] {
    switch self {
    case .flow(let id): [id]
    case .union(let parts): parts.flatMap(\.flows)
    case .values, .expression, .file, .rows, .replacement: []
    }
  }
}

extension StoredRows<Located<String>, Located<Template>> {
  /// The rows as messages show them.
  var words: String { isQuery ? "a query of \(store.value)" : "\(store.value):\(text.value.sourceText)" }
}

extension Each<EachSource> {
  /// The ids of the flows among the parents, with their locations.
  package var flows: [Located<String>] { parents.flatMap(\.source.flows) }
}

extension Each.Parent where Source == EachSource {
  /// Creates a parent whose records are all requested.
  init(_ source: EachSource, name: Located<String>) { self.init(source, words: source.words, name: name) }

  /// Replaces the source with the values of the list in `only`. If there are no values, the source stays.
  package mutating func replaceSource(by values: [JSONValue]) {
    guard let field = instead?.field.value else { return }
    instead = nil
    guard !values.isEmpty else { return }
    source = .replacement(
      values.map { .object(JSONObject([JSONObject.Member(name: field, value: $0)])) }, of: source)
    words = source.words
  }
}

extension FlowDeclaration {
  /// The ids of the parent flows, in the order written.
  package var parents: [String] { each?.flows.map(\.value) ?? [] }
}
