internal import FlowModel
package import SourceDiagnostics

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
        notes: [Diagnostic.Note("the flow is already defined here", at: first)],
        help: "rename the flow or its file; a flow's id is the name of its file and its own name")
    }
    // Loop over indices: a loop over the elements copies every declaration.
    for index in reading.flows.indices {
      let id = reading.flows[index].id
      // If a whole flow was copied, report only its repeated name, not its repeated paths too.
      if repeated.contains(id) { continue }
      let result = reading.flows[index].result
      for target in result.targets + [result.rejected].compactMap({ $0 }) {
        check(target.path, of: id, &diagnostics)
        check(target.table, in: reading.declaration.path, of: id, &diagnostics)
      }
    }
  }

  private mutating func check(_ path: Located<Template>?, of flow: String, _ diagnostics: inout DiagnosticBag) {
    guard let path, let text = path.value.constantText else { return }
    if let conflict = outputs.take(text, of: flow, at: path.range) { diagnostics.report(conflict) }
  }

  private mutating func check(
    _ table: WrittenTable?, in file: String, of flow: String, _ diagnostics: inout DiagnosticBag
  ) {
    guard let table, let text = table.name.value.constantText else { return }
    let database = "\(file) \(table.store.value)"
    if let conflict = outputs.take(table: text, of: database, by: flow, at: table.name.range) {
      diagnostics.report(conflict)
    }
  }
}

/// Finds files and tables that are written twice, by two flows or by one.
///
/// It is used when files are loaded, for paths without templates, and again when all paths are resolved.
///
/// ```swift
/// var outputs = OutputPaths()
/// for (flow, path) in resolved {
///   if let conflict = outputs.take(path.text, of: flow.id, at: path.range) { diagnostics.report(conflict) }
/// }
/// ```
package struct OutputPaths: Sendable {
  private var owners: [String: (flow: String, range: SourceRange)] = [:]

  /// Creates an empty set of paths.
  package init() {}

  /// Reserves memory for a number of paths.
  package mutating func reserve(_ paths: Int) { owners.reserveCapacity(owners.count + paths) }

  /// Adds an output path, relative to the output root. Returns an error if another flow, or this one, already has this
  /// path.
  package mutating func take(_ path: String, of flow: String, at range: SourceRange) -> Diagnostic? {
    take(OutputPathText.normalized(path), "file", path, flow, range)
  }

  /// Adds a table of a database. Returns an error if another flow, or this one, already has this table.
  ///
  /// - Parameter database: a text that identifies the database
  package mutating func take(
    table: String, of database: String, by flow: String, at range: SourceRange
  ) -> Diagnostic? {
    // No path has a line end. Some databases fold the case of names.
    take("\(database)\n\(table.lowercased())", "table", table, flow, range)
  }

  private mutating func take(
    _ key: String, _ noun: String, _ shown: String, _ flow: String, _ range: SourceRange
  ) -> Diagnostic? {
    // Use one lookup: a path rarely has two flows. In that case the first flow is restored.
    guard let owner = owners.updateValue((flow, range), forKey: key) else { return nil }
    owners[key] = owner
    let isOneFlow = owner.flow == flow
    let message =
      isOneFlow
      ? "'\(flow)' writes the \(noun) '\(shown)' twice"
      : "flows '\(owner.flow)' and '\(flow)' write the same \(noun) '\(shown)'"
    return Diagnostic(
      .duplicateOutput, message, at: range,
      notes: [
        Diagnostic.Note(
          isOneFlow ? "the \(noun) is also declared here" : "'\(owner.flow)' writes it here", at: owner.range)
      ],
      help: isOneFlow ? "leave one of them out" : "give each flow its own \(noun)")
  }
}
