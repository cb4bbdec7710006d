internal import Expressions
package import FlowModel
internal import JSONSyntax

extension Each<EachSource> {
  /// The properties of the parents on which the result depends, as text.
  ///
  /// If this text changes, the persisted result is not used.
  ///
  /// - Parameter isIncremental: whether the flow requests only new records of each parent
  package func identity(isIncremental: Bool) -> String {
    let sources = parents.map { parent in
      let source = parent.source.identity(isIncremental: isIncremental)
      let key = parent.key.isEmpty ? "" : " key \(parent.key.map(\.value).joined(separator: ","))"
      let only = parent.onlyChanged == nil ? "" : " only changed"
      return "\(parent.name.value) = \(source) \(parent.limit ?? -1)\(key)\(only)"
    }
    let batches = batch.map { ["batch \($0.size) \($0.results?.path.value.text ?? "")"] } ?? []
    let empty = keepsEmpty == nil ? [] : ["empty keep"]
    return (sources + batches + empty + add.map { "\($0.name.value) + \($0.value.value.sourceText)" }).joined(
      separator: "\n")
  }
}

extension EachSource {
  /// The source as text, different for each source.
  ///
  /// - Parameter isIncremental: whether the flow requests only new records of each parent. If so, a list that replaces
  ///   the source changes which parents are requested, but not the parents to which the stored positions belong.
  fileprivate func identity(isIncremental: Bool) -> String {
    switch self {
    case .flow(let id): "flow \(id.value)"
    case .file(let path, _): "file \(path.value.sourceText)"
    case .rows(let rows): "\(rows.words) \(rows.text.value.sourceText)"
    case .expression(let expression, _): "values {{ \(expression.value.text) }}"
    case .replacement(_, let source) where isIncremental: source.identity(isIncremental: true)
    case .values(let values), .replacement(let values, _):
      String(decoding: JSONWriter.bytes(.array(values)), as: UTF8.self)
    case .union(let parts): "union " + parts.map { $0.identity(isIncremental: isIncremental) }.joined(separator: " | ")
    }
  }
}

extension TemplatedJSON {
  /// The document as text, with templates as they are written.
  var sourceText: String {
    switch self {
    case .constant(let value): String(decoding: JSONWriter.bytes(value), as: UTF8.self)
    case .template(let template): template.value.sourceText
    case .array(let elements): "[\(elements.map(\.sourceText).joined(separator: ","))]"
    case .object(let members): "{\(members.map { "\($0.name):\($0.value.sourceText)" }.joined(separator: ","))}"
    }
  }
}
