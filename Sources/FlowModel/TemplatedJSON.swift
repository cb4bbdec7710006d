public import JSONSyntax

/// A JSON document whose strings may contain templates.
///
/// A string that is exactly one template keeps the type of the template's value.
public indirect enum TemplatedJSON: Sendable {
  /// A value without templates.
  case constant(JSONValue)
  /// A template with its source location.
  case template(Located<Template>)
  /// An array.
  case array([TemplatedJSON])
  /// An object, with its members in order.
  case object([(name: String, value: TemplatedJSON)])

  /// Whether the document is `{}`.
  package var isEmptyObject: Bool {
    switch self {
    case .constant(.object(let object)): object.members.isEmpty
    case .object(let members): members.isEmpty
    case .constant, .template, .array: false
    }
  }

  /// Creates a JSON string from a text. It stays a string, whatever the types of the values in its templates are.
  package init(text: Located<Template>) {
    self = text.value.constantText.map { .constant(.string($0)) } ?? .template(text)
  }

  /// All templates of the document.
  package var templates: [Template] {
    switch self {
    case .constant: []
    case .template(let template): [template.value]
    case .array(let elements): elements.flatMap(\.templates)
    case .object(let members): members.flatMap(\.value.templates)
    }
  }

  /// Whether the document needs values that are known only while the flow runs.
  public var isDynamic: Bool { templates.contains { $0.isDynamic } }

  /// Whether a template of the document uses a name.
  package func uses(_ root: String) -> Bool { templates.contains { $0.uses(root) } }
}
