internal import Expressions
internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Reshape

extension DeclaredFlow {
  /// What becomes of a record on its way, in order.
  var mappingExplanation: [FlowExplanation.Item] {
    var items: [FlowExplanation.Item] = []
    let mapping = declaration.mapping
    if let change = mapping.change {
      if let flatten = change.flatten {
        items.append(
          .init(
            "  change",
            "flatten \(flatten.depth.map { $0 == 1 ? "1 level" : "\($0) levels" } ?? "all levels") with '\(flatten.separator)'"
          ))
      }
      for rename in change.rename {
        items.append(.init("  change", "rename \(rename.path.value.text) to \(rename.name)"))
      }
      for path in change.remove { items.append(.init("  change", "remove \(path.value.text)")) }
      for member in change.add {
        items.append(.init("  change", "add \(member.name.value): \(MappingText.of(member.value.value))"))
      }
    }
    if let condition = mapping.condition {
      let references = condition.value.references.map(\.root)
      let isBefore = references.contains("source") && !references.contains("record")
      items.append(
        .init("  where", condition.value.text + (isBefore ? " (before it is mapped)" : "") + "; others are left out"))
    }
    if let deletion = declaration.persistence?.deleteWhen {
      items.append(
        .init("  delete when", deletion.value.text + "; the record with that key is taken out of the result"))
    }
    return items
  }

  /// How the answer is reshaped.
  var reshapeExplanation: FlowExplanation.Item? {
    guard let reshape = declaration.mapping.reshape else { return nil }
    let text = reshape.program.value.text
    return reshape.isForEach
      ? .init("  reshape", "each record by \(text)")
      : .init("  reshape", "the whole answer (held, at most \(RecordLimits().heldBytes >> 20) MiB) by \(text)")
  }
}
