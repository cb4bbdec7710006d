public import FlowSpec
public import SourceDiagnostics

/// Translates an export of Insomnia (v4 in JSON, v5 in YAML) into a flow file: each request becomes a flow.
///
/// What cannot be carried over becomes a comment in the text and an entry of the report. Credentials become secrets;
/// their values are neither in the text nor in the report. Time and memory are linear in the size of the export.
public struct InsomniaImport {
  private let file: SourceFile
  private let environment: String?
  private let writes: Bool
  private let check: ([FlowDeclaration]) -> DiagnosticBag

  /// Creates an import.
  ///
  /// - Parameters:
  ///   - file: the export.
  ///   - environment: the name of a sub-environment whose values are added to those of the base environment.
  ///   - writes: whether requests that may change the server become flows too.
  ///   - check: finds more errors in flows that FlowSpec has loaded.
  public init(
    _ file: SourceFile, environment: String? = nil, writes: Bool = false,
    check: @escaping ([FlowDeclaration]) -> DiagnosticBag = { _ in DiagnosticBag() }
  ) {
    self.file = file
    self.environment = environment
    self.writes = writes
    self.check = check
  }

  /// Translates the export.
  ///
  /// - Throws: `ImportError` for a file that is not an export, or that does not contain the environment.
  public func result() throws(ImportError) -> ImportResult {
    let root = try SourceText.value(file)
    let name = PrintableText.of(file.path)
    let log = ImportLog(.request)
    var reader = InsomniaReader(log: log, environment: environment)
    if root["resources"]?.list != nil {
      reader.read(resources: root)
    } else if let type = root["type"]?.text, type.hasSuffix("insomnia.rest/5.0") || type.contains("insomnia.rest/5") {
      guard root["collection"]?.list != nil else {
        throw ImportError("'\(name)' has no requests: it is '\(PrintableText.of(type))'", help: "export the collection")
      }
      reader.read(collection: root)
    } else {
      throw ImportError(
        "'\(name)' is not an Insomnia export: it has neither 'resources' nor a 'type' with 'insomnia.rest/5'",
        help: "export the collection as 'Insomnia v5' or 'Insomnia v4 (JSON)'")
    }
    if let environment, !reader.environments.contains(environment) {
      let known = reader.environments.map { "'\($0)'" }.joined(separator: ", ")
      throw ImportError(
        "'\(name)' has no environment '\(PrintableText.of(environment))'",
        help: known.isEmpty ? "it has only a base environment" : "its environments are \(PrintableText.of(known))")
    }
    if environment == nil, !reader.environments.isEmpty {
      log.skip(
        "environments: \(reader.environments.joined(separator: ", "))",
        reason: "--environment NAME uses the values of one of them; otherwise set them with --var",
        at: OutputMapping.Origin(root))
    }
    let table = VariableTable(log, notation: InsomniaText.template)
    var translator = CollectionTranslator(
      reader.collection, log: log, table: table, writes: writes ? .included : .leftOut, outline: { _ in nil })
    return try CheckedFile(translator.file().mapping, log: log, check: check).result()
  }
}
