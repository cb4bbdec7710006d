public import SourceDiagnostics
public import YAMLSyntax

/// Reads flow files and the schema files that belong to them.
///
/// ```swift
/// let loaded = FlowLoader(reader: .nothing).load([SourceFile(path: "flows/shop.yaml", bytes: bytes)])
/// for flow in loaded.flows { print(flow.id) }
/// ```
///
/// All problems of all files are found in one pass. A file with errors contributes no flows; the others still do.
public struct FlowLoader: Sendable {
  private let reader: SourceReader
  private let limits: YAMLLimits

  /// Takes the way to schema files and the bounds of every file.
  public init(reader: SourceReader, limits: YAMLLimits = YAMLLimits()) {
    self.reader = reader
    self.limits = limits
  }

  /// Reads files that are already in memory. Of files with one path the first is taken.
  public func load(_ files: [SourceFile]) -> LoadedFlows {
    var seen: Set<String> = []
    let unique = files.filter { seen.insert(PathText.normalized($0.path)).inserted }.sorted { $0.path < $1.path }
    var folders = SchemaFolders(reader: reader, limits: limits)
    var checks = FlowChecks()
    var loaded = LoadedFlows(flows: [], files: [], diagnostics: DiagnosticBag())
    for file in unique {
      var diagnostics = DiagnosticBag()
      let outer = folders.schemas(for: file.path)
      if let root = YAMLDocument.parse(file, limits: limits, diagnostics: &diagnostics) {
        var reader = FlowReader(file)
        let reading = reader.flowFile(root, outer: outer)
        diagnostics.merge(reader.diagnostics)
        loaded.files.append(reading.declaration)
        checks.take(reading, diagnostics: &diagnostics)
        if !diagnostics.hasErrors { loaded.flows += reading.flows }
      }
      loaded.diagnostics.merge(diagnostics)
    }
    loaded.diagnostics.merge(folders.diagnostics)
    loaded.diagnostics = loaded.diagnostics.sorted
    return loaded
  }
}

extension DiagnosticBag {
  /// By file and place.
  fileprivate var sorted: DiagnosticBag {
    var bag = DiagnosticBag()
    for diagnostic in diagnostics.sortedByPlace() { bag.report(diagnostic) }
    return bag
  }
}
