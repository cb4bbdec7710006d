import SourceDiagnostics

/// Finds what is wrong between flows: one id twice, one output file twice.
struct FlowChecks {
  private var ids: [String: SourceRange] = [:]
  private var outputs = OutputPaths()

  /// Looks at a file's flows in the light of those seen before.
  mutating func take(_ reading: FlowReader.FileReading, diagnostics: inout DiagnosticBag) {
    for name in reading.names {
      let id = "\(reading.declaration.stem).\(name.value)"
      guard let first = ids[id] else {
        ids[id] = name.range
        continue
      }
      diagnostics.report(
        Diagnostic(
          FlowCode.duplicateFlow.code, "flow '\(id)' is defined twice", at: name.range,
          notes: [Diagnostic.Note("it is defined here already", at: first)],
          help: "rename the flow or its file; a flow's id is the file's name and its own"))
    }
    for flow in reading.flows {
      for path in [flow.persistence?.path, flow.rejected].compactMap({ $0 }) {
        guard let text = path.value.constantText else { continue }
        if let conflict = outputs.take(text, of: flow.id, at: path.range) { diagnostics.report(conflict) }
      }
    }
  }
}
