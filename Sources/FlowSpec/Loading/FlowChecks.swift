import SourceDiagnostics

/// Finds what is wrong between flows: one id twice, one output file twice.
struct FlowChecks {
  private var ids: [String: SourceRange] = [:]
  private var outputs = OutputPaths()

  /// Looks at a file's flows in the light of those seen before.
  mutating func take(_ reading: FlowReader.FileReading, diagnostics: inout DiagnosticBag) {
    ids.reserveCapacity(ids.count + reading.names.count)
    outputs.reserve(reading.flows.count)
    var repeated: Set<String> = []
    for name in reading.names {
      let id = "\(reading.declaration.stem).\(name.value)"
      guard let first = ids.updateValue(name.range, forKey: id) else { continue }
      ids[id] = first
      repeated.insert(id)
      diagnostics.report(
        Diagnostic(
          .duplicateFlow, "flow '\(id)' is defined twice", at: name.range,
          notes: [Diagnostic.Note("it is defined here already", at: first)],
          help: "rename the flow or its file; a flow's id is the file's name and its own"))
    }
    // By index: a loop over the elements copies every declaration.
    for place in reading.flows.indices {
      let id = reading.flows[place].id
      // A flow that was copied as a whole has one mistake: its name.
      if repeated.contains(id) { continue }
      check(reading.flows[place].persistence?.path, of: id, &diagnostics)
      check(reading.flows[place].rejected, of: id, &diagnostics)
    }
  }

  private mutating func check(_ path: Located<Template>?, of flow: String, _ diagnostics: inout DiagnosticBag) {
    guard let path, let text = path.value.constantText else { return }
    if let conflict = outputs.take(text, of: flow, at: path.range) { diagnostics.report(conflict) }
  }
}
