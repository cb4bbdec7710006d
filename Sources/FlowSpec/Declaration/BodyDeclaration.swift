/// A request body in one of its forms.
public enum BodyDeclaration: Sendable {
  /// A JSON document whose strings may hold templates.
  case json(Located<TemplatedJSON>)
  /// `application/x-www-form-urlencoded` pairs.
  case form([NamedTemplate])
  /// Text as it is.
  case text(Located<Template>)

  /// Whether it is a JSON document.
  var isJSON: Bool { if case .json = self { true } else { false } }
}
