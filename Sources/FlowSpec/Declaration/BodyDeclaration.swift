/// A request body in one of its forms.
public enum BodyDeclaration: Sendable {
  /// A JSON document whose strings may hold templates.
  case json(Located<TemplatedJSON>)
  /// `application/x-www-form-urlencoded` pairs.
  case form([NamedTemplate])
  /// Text as it is.
  case text(Located<Template>)

  /// Whether it depends on what is known only while the flow runs.
  public var isDynamic: Bool {
    switch self {
    case .json(let document): document.value.isDynamic
    case .form(let pairs): pairs.contains { $0.value.value.isDynamic }
    case .text(let template): template.value.isDynamic
    }
  }

  /// Whether it is a JSON document.
  var isJSON: Bool { if case .json = self { true } else { false } }
}
