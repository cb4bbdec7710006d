internal import Expressions
internal import JSONSyntax

extension EachDeclaration {
  /// What the records depend on, as text: a persisted result of other parents is another one.
  public var identity: String {
    let sources = parents.map { parent in
      let source =
        switch parent.source {
        case .flow(let id): "flow \(id.value)"
        case .file(let path, _): "file \(path.value.sourceText)"
        case .expression(let expression, _): "values {{ \(expression.value.text) }}"
        case .values(let values): String(decoding: JSONWriter.bytes(.array(values)), as: UTF8.self)
        }
      let key = parent.key.isEmpty ? "" : " key \(parent.key.map(\.value).joined(separator: ","))"
      let only = parent.onlyChanged == nil ? "" : " only changed"
      return "\(parent.name.value) = \(source) \(parent.limit ?? -1)\(key)\(only)"
    }
    let batches = batch.map { ["batch \($0.size) \($0.results?.path.value.text ?? "")"] } ?? []
    return (sources + batches + add.map { "\($0.name.value) + \($0.value.value.sourceText)" }).joined(separator: "\n")
  }
}

extension TemplatedJSON {
  /// The document as text, templates as they are written.
  var sourceText: String {
    switch self {
    case .constant(let value): String(decoding: JSONWriter.bytes(value), as: UTF8.self)
    case .template(let template): template.value.sourceText
    case .array(let elements): "[\(elements.map(\.sourceText).joined(separator: ","))]"
    case .object(let members): "{\(members.map { "\($0.name):\($0.value.sourceText)" }.joined(separator: ","))}"
    }
  }
}
