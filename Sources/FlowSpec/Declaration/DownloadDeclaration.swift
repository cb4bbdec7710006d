public import SourceDiagnostics

/// Responses that are stored as files, as they are received.
public struct DownloadDeclaration: Sendable {
  /// The source location of the key.
  public var range: SourceRange
  /// The path of the file of each request, relative to the output root.
  public var path: Located<Template>
}
