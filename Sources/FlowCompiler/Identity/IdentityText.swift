internal import Expressions
internal import FlowModel
internal import FlowSpec

/// The identity of a persisted result as text. Each line describes a part of the flow's declaration.
///
/// Templates and expressions are included as they are written in the flow file, with the values of their variables.
struct IdentityText {
  private let scope: ResolutionScope
  private(set) var text: String
  /// Whether the values of environment variables are included, not only their names.
  var countsEnvironment = true

  /// Creates an identity that starts with the given lines.
  init(_ text: String, in scope: ResolutionScope) {
    self.text = text
    self.scope = scope
  }

  mutating func add(_ line: String) {
    text += "\n"
    text += line
  }

  mutating func add(_ key: String, _ expression: Expression) {
    add("\(key) \(expression.text)")
    addValues(in: expression)
  }

  mutating func add(_ key: String, _ template: Template) {
    add("\(key) \(template.sourceText)")
    for segment in template.segments { addValues(in: segment) }
  }

  mutating func add(_ key: String, _ document: TemplatedJSON) {
    add("\(key) \(MappingText.of(document))")
    addValues(in: document) { _ in true }
  }

  mutating func add(_ key: String, _ named: [NamedTemplate]) {
    for one in named { add("\(key) \(one.name.value)", one.value.value) }
  }

  mutating func add(_ key: String, _ body: BodyDeclaration) {
    switch body {
    case .json(let document), .graphql(let document): add(key, document.value)
    case .form(let pairs): add(key, pairs)
    case .text(let template): add(key, template.value)
    case .records(let records): add("\(key) \(records.identity)")
    }
  }

  /// Adds the values in the templates of a document, without the document itself.
  mutating func addValues(in document: TemplatedJSON, where counts: (Template.Segment) -> Bool) {
    switch document {
    case .constant: break
    case .template(let template):
      for segment in template.value.segments where counts(segment) { addValues(in: segment) }
    case .array(let elements): for element in elements { addValues(in: element, where: counts) }
    case .object(let members): for member in members { addValues(in: member.value, where: counts) }
    }
  }

  mutating func addValues(in segment: Template.Segment) {
    switch segment {
    case .text, .secret: break
    case .variable(let name): addValue("vars", name)
    case .environment(let name): addValue("env", name)
    case .expression(let expression): addValues(in: expression)
    }
  }

  mutating func addValues(in expression: Expression) {
    for reference in expression.references where reference.root == "vars" || reference.root == "env" {
      addValue(reference.root, reference.firstMember ?? "")
    }
  }

  private mutating func addValue(_ root: String, _ name: String) {
    let value = root == "vars" ? scope.variables[name]?.text : countsEnvironment ? scope.environment[name] : nil
    add("\(root) \(name) \(value ?? "")")
  }
}
