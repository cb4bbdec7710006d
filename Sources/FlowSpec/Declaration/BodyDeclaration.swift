/// A request body in one of its forms.
public enum BodyDeclaration: Sendable {
  /// A JSON document whose strings may hold templates.
  case json(Located<TemplatedJSON>)
  /// `application/x-www-form-urlencoded` pairs.
  case form([NamedTemplate])
  /// Text as it is.
  case text(Located<Template>)
  /// A GraphQL request: a JSON document whose answers are looked through for `errors`.
  case graphql(Located<TemplatedJSON>)

  /// Whether it depends on what is known only while the flow runs.
  public var isDynamic: Bool {
    switch self {
    case .json(let document), .graphql(let document): document.value.isDynamic
    case .form(let pairs): pairs.contains { $0.value.value.isDynamic }
    case .text(let template): template.value.isDynamic
    }
  }

  /// Whether a template in it takes a name from its scope.
  func uses(_ root: String) -> Bool {
    switch self {
    case .json(let document), .graphql(let document): document.value.uses(root)
    case .form(let pairs): pairs.contains { $0.value.value.uses(root) }
    case .text(let template): template.value.uses(root)
    }
  }

  /// Whether it is a JSON document.
  var isJSON: Bool {
    switch self {
    case .json, .graphql: true
    case .form, .text: false
    }
  }

  /// Whether it is a GraphQL request.
  public var isGraphQL: Bool { if case .graphql = self { true } else { false } }
}
