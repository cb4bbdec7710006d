public import JSONSyntax

/// JSON whose strings may be templates; a string that is one whole template keeps the type of its value.
public indirect enum TemplatedJSON: Sendable {
  /// A value without templates.
  case constant(JSONValue)
  /// A template and where it was written.
  case template(Located<Template>)
  /// A list.
  case array([TemplatedJSON])
  /// Members in order.
  case object([(name: String, value: TemplatedJSON)])

  /// A text, which stays one whatever its templates hold.
  init(text: Located<Template>) {
    self = text.value.constantText.map { .constant(.string($0)) } ?? .template(text)
  }

  /// Whether a template in it needs what is known only while the flow runs.
  public var isDynamic: Bool {
    switch self {
    case .constant: false
    case .template(let template): template.value.isDynamic
    case .array(let elements): elements.contains { $0.isDynamic }
    case .object(let members): members.contains { $0.value.isDynamic }
    }
  }

  /// Whether a template in it takes a name from its scope.
  func uses(_ root: String) -> Bool {
    switch self {
    case .constant: false
    case .template(let template): template.value.uses(root)
    case .array(let elements): elements.contains { $0.uses(root) }
    case .object(let members): members.contains { $0.value.uses(root) }
    }
  }
}
