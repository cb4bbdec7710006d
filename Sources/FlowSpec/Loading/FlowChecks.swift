public import SourceDiagnostics

/// Checks that no two flows have the same id or output file.
struct FlowChecks {
  private var ids: [String: SourceRange] = [:]
  private var outputs = OutputPaths()

  /// Checks the flows of a file against the flows of all earlier files.
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
        .duplicateFlow, "flow '\(id)' is defined twice", at: name.range,
        notes: [Diagnostic.Note("it is defined here already", at: first)],
        help: "rename the flow or its file; a flow's id is the file's name and its own")
    }
    // Loop over indices: a loop over the elements copies every declaration.
    for index in reading.flows.indices {
      let id = reading.flows[index].id
      // If a whole flow was copied, report only its repeated name, not its repeated paths too.
      if repeated.contains(id) { continue }
      check(reading.flows[index].persistence?.path, of: id, &diagnostics)
      check(reading.flows[index].rejected, of: id, &diagnostics)
    }
  }

  private mutating func check(_ path: Located<Template>?, of flow: String, _ diagnostics: inout DiagnosticBag) {
    guard let path, let text = path.value.constantText else { return }
    if let conflict = outputs.take(text, of: flow, at: path.range) { diagnostics.report(conflict) }
  }
}

/// Finds flows that write the same file.
///
/// It is used when files are loaded, for paths without templates, and again when all paths are resolved.
///
/// ```swift
/// var outputs = OutputPaths()
/// for (flow, path) in resolved {
///   if let conflict = outputs.take(path.text, of: flow.id, at: path.range) { diagnostics.report(conflict) }
/// }
/// ```
public struct OutputPaths: Sendable {
  private var owners: [String: (flow: String, range: SourceRange)] = [:]

  /// Creates an empty set of paths.
  public init() {}

  /// Reserves space for a number of paths.
  public mutating func reserve(_ paths: Int) { owners.reserveCapacity(owners.count + paths) }

  /// Adds an output path, relative to the output root. Returns an error if another flow has the same path.
  public mutating func take(_ path: String, of flow: String, at range: SourceRange) -> Diagnostic? {
    let key = OutputPathText.normalized(path)
    // Use one lookup: a path rarely has two flows. In that case the first flow is restored.
    guard let owner = owners.updateValue((flow, range), forKey: key) else { return nil }
    owners[key] = owner
    return Diagnostic(
      .duplicateOutput, "flows '\(owner.flow)' and '\(flow)' write the same file '\(path)'", at: range,
      notes: [Diagnostic.Note("'\(owner.flow)' writes it here", at: owner.range)], help: "give each flow its own file")
  }
}
