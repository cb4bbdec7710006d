internal import Expressions
internal import FlowModel
internal import FlowSpec
internal import JSONSyntax
internal import Records
internal import Reshape
internal import SourceDiagnostics

extension FlowDeclaration {
  /// The names from outside the records, such as variables, that expressions about records use.
  ///
  /// Each name has its source location.
  var mappingReferences: [(reference: Expression.Reference, range: SourceRange)] {
    var found: [(reference: Expression.Reference, range: SourceRange)] = []
    func add(_ template: Template, _ range: SourceRange) {
      for segment in ExpressionTemplate(template).segments {
        guard case .expression(let expression) = segment else { continue }
        found += expression.references.map { (reference: $0, range: range) }
      }
    }
    func add(_ document: TemplatedJSON) {
      switch document {
      case .constant: break
      case .template(let template): add(template.value, template.range)
      case .array(let elements): for element in elements { add(element) }
      case .object(let members): for member in members { add(member.value) }
      }
    }
    if let condition = pull.mapping.condition {
      found += condition.value.references.map { (reference: $0, range: condition.range) }
    }
    if let deletion = result.deleteWhen {
      found += deletion.value.references.map { (reference: $0, range: deletion.range) }
    }
    for member in pull.mapping.change?.add ?? [] { add(member.value.value) }
    if let fields = schema?.fields {
      // By index, because a loop over the elements copies every field, and few fields have an expression.
      for index in fields.indices { if let value = fields[index].value { add(value.template, value.range) } }
    }
    return found
  }

  /// The changes to the records as text; nil without changes. A persisted result with other changes is not used.
  ///
  /// The schema's own fields are not included, because the schema's fingerprint covers them.
  func mappingIdentity(_ scope: ResolutionScope) -> String? {
    var lines: [String] = []
    if let reshape = pull.mapping.reshape {
      lines.append("reshape \(reshape.isForEach) \(reshape.program.value.text)")
    }
    if let change = pull.mapping.change {
      if let flatten = change.flatten { lines.append("flatten \(flatten.separator) \(flatten.depth ?? -1)") }
      lines += change.rename.map { "rename \($0.path.value.text) \($0.name)" }
      lines += change.remove.map { "remove \($0.value.text)" }
      lines += change.add.map { "add \($0.name.value) \(MappingText.of($0.value.value))" }
    }
    if let condition = pull.mapping.condition { lines.append("where \(condition.value.text)") }
    if let deletion = result.deleteWhen { lines.append("delete when \(deletion.value.text)") }
    // The values of variables change the result, so they are included. Values of records are not known yet.
    for (reference, _) in mappingReferences where reference.root == "vars" || reference.root == "env" {
      let name = reference.firstMember ?? ""
      let text = reference.root == "vars" ? scope.variables[name]?.text : scope.environment[name]
      lines.append("\(reference.root) \(name) \(text ?? "")")
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}

/// Formats a document with templates as one line of text.
enum MappingText {
  static func of(_ document: TemplatedJSON) -> String {
    switch document {
    case .constant(let value): String(decoding: JSONWriter.bytes(value), as: UTF8.self)
    case .template(let template): template.value.sourceText
    case .array(let elements): "[" + elements.map(of).joined(separator: ", ") + "]"
    case .object(let members): "{" + members.map { "\($0.name): \(of($0.value))" }.joined(separator: ", ") + "}"
    }
  }
}
