public import SourceDiagnostics

extension DiagnosticCatalogue {
  /// Every kind of problem that reading YAML finds, with an example of each where one can be shown.
  public static let yamlEntries: [Entry] =
    yamlByteEntries + yamlNodeEntries + yamlLimitEntries + yamlSyntaxEntries
}
