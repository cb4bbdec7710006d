internal import Expressions
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Reshape

extension RecordsPlan {
  /// The changes to a record, in the order in which they are applied.
  var mappingExplanation: [FlowExplanation.Item] {
    var items: [FlowExplanation.Item] = []
    if let change = transform?.change {
      if let flatten = change.flatten {
        items.append(
          .init(
            "  change",
            "flatten \(flatten.depth.map { $0 == 1 ? "1 level" : "\($0) levels" } ?? "all levels") with '\(flatten.separator)'"
          ))
      }
      for rename in change.rename {
        items.append(.init("  change", "rename \(JSONPath(singular: rename.steps).text) to \(rename.name)"))
      }
      for path in change.remove { items.append(.init("  change", "remove \(path.text)")) }
      for member in change.add {
        items.append(.init("  change", "add \(member.name): \(Self.text(member.value))"))
      }
    }
    if let condition = transform?.condition {
      let references = condition.references.map(\.root)
      let isBefore = references.contains("source") && !references.contains("record")
      items.append(
        .init("  where", condition.text + (isBefore ? " (before it is mapped)" : "") + "; others are left out"))
    }
    if let deletion = transform?.deletion {
      items.append(
        .init(
          "  delete when", deletion.condition.text + "; the record with that key is removed from the result"))
    }
    return items
  }

  /// How the response is reshaped; nil when it is not.
  var reshapeExplanation: FlowExplanation.Item? {
    if let program = transform?.recordProgram { return .init("  reshape", "each record by \(program.text)") }
    return transform?.responseProgram.map {
      .init(
        "  reshape",
        "the whole response (held in memory, at most \(RecordLimits().heldBytes >> 20) MiB) by \($0.text)")
    }
  }

  private static func text(_ document: ExpressionDocument) -> String {
    switch document {
    case .constant(let value): String(decoding: JSONWriter.bytes(value), as: UTF8.self)
    case .template(let template): template.sourceText
    case .array(let elements): "[" + elements.map(text).joined(separator: ", ") + "]"
    case .object(let members): "{" + members.map { "\($0.name): \(text($0.value))" }.joined(separator: ", ") + "}"
    }
  }
}
