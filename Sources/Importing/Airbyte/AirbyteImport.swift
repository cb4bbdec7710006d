public import SourceDiagnostics
public import FlowSpec

/// Translates a declarative manifest of Airbyte into a flow file.
///
/// ```swift
/// let result = try AirbyteImport(SourceFile(path: "manifest.yaml", bytes: bytes)).result()
/// print(result.text, result.report.losses.count)
/// ```
///
/// What cannot be carried over becomes a comment in the text and an entry of the report. The text has passed FlowSpec's
/// loader. Time and memory are linear in the size of the manifest, with its references followed.
public struct AirbyteImport {
  private let file: SourceFile
  private let folder: String
  private let schemaFile: (String) -> [UInt8]?
  private let check: ([FlowDeclaration]) -> DiagnosticBag

  /// Creates an import.
  ///
  /// - Parameters:
  ///   - file: the manifest.
  ///   - folder: the folder of the flow file below the output root; empty for the root itself. Files that list items,
  ///     for generated flows, are written there.
  ///   - schemaFile: returns the content of a file with a JSON schema, by its path beside the manifest.
  ///   - check: finds more errors in flows that FlowSpec has loaded.
  public init(
    _ file: SourceFile, folder: String = "flows", schemaFile: @escaping (String) -> [UInt8]? = { _ in nil },
    check: @escaping ([FlowDeclaration]) -> DiagnosticBag = { _ in DiagnosticBag() }
  ) {
    self.file = file
    self.folder = folder
    self.schemaFile = schemaFile
    self.check = check
  }

  /// Translates the manifest.
  ///
  /// - Throws: `ImportError` for a file that is not a manifest.
  public func result() throws(ImportError) -> ImportResult {
    let root = try SourceText.yaml(file)
    let reader = ManifestReader(root)
    guard reader.names.contains("streams") || reader.names.contains("dynamic_streams") else {
      throw ImportError(
        "'\(PrintableText.of(file.path))' is not a declarative manifest: it has no 'streams'",
        help: "give the manifest.yaml of a low-code connector")
    }
    var translator = ManifestTranslator(reader, TranslationContext(folder: folder, schemaFile: schemaFile))
    translator.translate()
    // A second pass drops defaults that differ between uses of a value. Each use then writes its own default.
    let conflicts = translator.context.variables.conflicts
    if !conflicts.isEmpty {
      let context = TranslationContext(folder: folder, schemaFile: schemaFile)
      context.variables.withoutDefault = conflicts
      translator = ManifestTranslator(reader, context)
      translator.translate()
    }
    translator.context.report.secrets = translator.context.variables.secretNames
    let context = translator.context
    return try CheckedFile(translator.file.mapping, log: context, examples: context.examples, check: check).result()
  }
}
