public import FlowSpec
public import SourceDiagnostics

/// Translates a configuration of dlt's REST API source into a flow file: each resource becomes a flow.
///
/// What cannot be carried over becomes a comment in the text and an entry of the report. Credentials become secrets;
/// their values are neither in the text nor in the report. Time and memory are linear in the size of the configuration.
public struct DltImport {
  private let file: SourceFile
  private let check: ([FlowDeclaration]) -> DiagnosticBag

  /// Creates an import.
  ///
  /// - Parameters:
  ///   - file: the configuration: the dictionary that `rest_api_source` gets, or a `dlt.yml` with such a source.
  ///   - check: finds more errors in flows that FlowSpec has loaded.
  public init(
    _ file: SourceFile, check: @escaping ([FlowDeclaration]) -> DiagnosticBag = { _ in DiagnosticBag() }
  ) {
    self.file = file
    self.check = check
  }

  /// Translates the configuration.
  ///
  /// - Throws: `ImportError` for a file that is not such a configuration.
  public func result() throws(ImportError) -> ImportResult {
    let root = try SourceText.value(file)
    let name = PrintableText.of(file.path)
    var config = root
    var others: [SourceNode.Member] = []
    if root["resources"] == nil, let sources = root["sources"]?.members {
      let known = sources.filter { $0.value["resources"]?.list != nil }
      guard let first = known.first else {
        throw ImportError("'\(name)' has no source of the type 'rest_api'", help: "give the one with 'resources'")
      }
      config = first.value
      others = known.filter { $0.name != first.name }
    }
    guard config["resources"]?.list != nil else {
      throw ImportError(
        "'\(name)' is not a configuration of the REST API source: it has no list 'resources'",
        help: "give the dictionary with 'client' and 'resources', as JSON or YAML")
    }
    let log = ImportLog(.resource)
    var translator = DltTranslator(config, log: log)
    translator.translate()
    for other in others {
      translator.note(.configuration, "the source '\(other.name)'", "a file of its own", other.value)
    }
    return try CheckedFile(translator.file.mapping, log: log, check: check).result()
  }
}
