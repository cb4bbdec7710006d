public import SourceDiagnostics

/// Everything that a set of flow files declares, and everything that is wrong with them.
public struct LoadedFlows: Sendable {
  /// The flows of all files without errors: files by path, flows in the order written.
  public var flows: [FlowDeclaration]
  /// All files that could be read as YAML, by path, also those with errors.
  public var files: [FileDeclaration]
  /// All problems of all files, by file and place.
  public var diagnostics: DiagnosticBag
}
