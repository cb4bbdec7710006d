/// A request body in one of its forms.
public enum BodyDeclaration: Sendable {
  /// A JSON document whose strings may hold templates.
  case json(Located<TemplatedJSON>)
  /// `application/x-www-form-urlencoded` pairs.
  case form([NamedTemplate])
  /// Text as it is.
  case text(Located<Template>)
  /// A GraphQL request: a JSON document whose responses are looked through for `errors`.
  case graphql(Located<TemplatedJSON>)
  /// The records that the flow is asked for each of.
  case records(SentRecordsDeclaration)

  /// Whether it depends on what is known only while the flow runs.
  public var isDynamic: Bool {
    switch self {
    case .json(let document), .graphql(let document): document.value.isDynamic
    case .form(let pairs): pairs.contains { $0.value.value.isDynamic }
    case .text(let template): template.value.isDynamic
    case .records: true
    }
  }

  /// Whether a template in it takes a name from its scope.
  func uses(_ root: String) -> Bool {
    switch self {
    case .json(let document), .graphql(let document): document.value.uses(root)
    case .form(let pairs): pairs.contains { $0.value.value.uses(root) }
    case .text(let template): template.value.uses(root)
    case .records(let records): records.envelope?.value.uses(root) ?? false
    }
  }

  /// Whether it is a JSON document.
  var isJSON: Bool {
    switch self {
    case .json, .graphql: true
    case .form, .text: false
    case .records(let records): records.format == .json
    }
  }

  /// The records that are sent, if it is these.
  public var records: SentRecordsDeclaration? { if case .records(let records) = self { records } else { nil } }

  /// Whether it is a GraphQL request.
  public var isGraphQL: Bool { if case .graphql = self { true } else { false } }
}
