public import SourceDiagnostics

/// Finds flows that would write one file: at load time for paths without templates, and again when all are resolved.
///
/// ```swift
/// var outputs = OutputPaths()
/// for (flow, path) in resolved {
///   if let conflict = outputs.take(path.text, of: flow.id, at: path.range) { diagnostics.report(conflict) }
/// }
/// ```
public struct OutputPaths: Sendable {
  private var owners: [String: (flow: String, range: SourceRange)] = [:]

  /// Starts empty.
  public init() {}

  /// Makes room for so many paths, so that they need not be moved while they are taken.
  public mutating func reserve(_ paths: Int) { owners.reserveCapacity(owners.count + paths) }

  /// Notes an output path, relative to the root; gives an error when another flow has it.
  public mutating func take(_ path: String, of flow: String, at range: SourceRange) -> Diagnostic? {
    let key = OutputPathText.normalized(path)
    // Looked for once: hardly any path is taken twice, and then the first owner is put back.
    guard let owner = owners.updateValue((flow, range), forKey: key) else { return nil }
    owners[key] = owner
    return Diagnostic(
      .duplicateOutput, "flow '\(flow)' would write '\(path)', which '\(owner.flow)' writes", at: range,
      notes: [Diagnostic.Note("'\(owner.flow)' writes it here", at: owner.range)], help: "give each flow its own file")
  }
}
