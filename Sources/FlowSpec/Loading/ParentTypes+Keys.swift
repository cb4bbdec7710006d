import SourceDiagnostics

extension ParentTypes {
  /// What is wrong with what identifies a flow's parents, given their schemas.
  func keyErrors(in flow: FlowDeclaration) -> [Diagnostic] {
    (flow.each?.parents ?? []).flatMap { parent -> [Diagnostic] in
      switch parent.source {
      case .values, .expression: []
      case .file(let path, let schema): faults(in: parent, schema, words: "the file \(path.value.sourceText)")
      case .flow(let id):
        // Of a flow that is not there, or could not be read, nothing is known.
        ids.contains(id.value) ? faults(in: parent, schemas[id.value], words: "'\(id.value)'") : []
      }
    }
  }

  private func faults(in parent: EachParent, _ schema: SchemaDeclaration?, words: String) -> [Diagnostic] {
    if let place = parent.onlyChanged, parent.key.isEmpty, schema?.key.isEmpty ?? true {
      return [
        Diagnostic(
          .eachChanged,
          "nothing identifies the records of \(words), so that a changed one is not known again",
          at: place, help: "add 'key: FIELD' beside 'only', or a key to the parent's schema")
      ]
    }
    guard let schema else { return [] }
    let known = schema.fields.map(\.name)
    return parent.key.filter { !known.contains($0.value) }.map { name in
      let meant = NearMiss.suggestion(for: name.value, in: known)
      return Diagnostic(
        .unknownField, "the records of \(words) have no field '\(name.value)'", at: name.range,
        meant: meant, help: "the fields of '\(schema.name)' are \(known.joined(separator: ", "))")
    }
  }
}
