public import FlowSpec
public import SourceDiagnostics

/// Translates a collection of Postman (v2.0 and v2.1) into a flow file: each request becomes a flow.
///
/// What cannot be carried over becomes a comment in the text and an entry of the report. Credentials become secrets;
/// their values are neither in the text nor in the report. Time and memory are linear in the size of the collection.
public struct PostmanImport {
  private let file: SourceFile
  private let environments: [SourceFile]
  private let writes: Bool
  private let outline: ResponseOutline.Reader
  private let check: ([FlowDeclaration]) -> DiagnosticBag

  /// Creates an import.
  ///
  /// - Parameters:
  ///   - file: the collection.
  ///   - environments: environments whose values replace those of the collection; the last one wins.
  ///   - writes: whether requests that may change the server become flows too.
  ///   - outline: reads saved responses.
  ///   - check: finds more errors in flows that FlowSpec has loaded.
  public init(
    _ file: SourceFile, environments: [SourceFile] = [], writes: Bool = false,
    outline: @escaping ResponseOutline.Reader = { _ in nil },
    check: @escaping ([FlowDeclaration]) -> DiagnosticBag = { _ in DiagnosticBag() }
  ) {
    self.file = file
    self.environments = environments
    self.writes = writes
    self.outline = outline
    self.check = check
  }

  /// Translates the collection.
  ///
  /// - Throws: `ImportError` for a file that is not a collection, or not an environment.
  public func result() throws(ImportError) -> ImportResult {
    let root = try SourceText.value(file)
    let name = PrintableText.of(file.path)
    let collection = root["collection"]?.members == nil ? root : root["collection"] ?? root
    guard collection["item"]?.list != nil else {
      if collection["requests"]?.list != nil, collection["order"] != nil {
        throw ImportError("'\(name)' is a collection of version 1", help: "export it as a collection v2.1")
      }
      throw ImportError(
        "'\(name)' is not a Postman collection: it has no list 'item'", help: "export it as a collection v2.1")
    }
    let scope = VariableScope()
    let log = ImportLog(.request)
    var reader = PostmanReader(log: log)
    reader.define(collection["variable"], in: scope)
    for file in environments {
      let environment = try SourceText.value(file)
      guard let values = environment["values"], values.list != nil else {
        throw ImportError(
          "'\(PrintableText.of(file.path))' is not a Postman environment: it has no list 'values'",
          help: "export the environment")
      }
      reader.define(values, in: scope)
    }
    reader.read(collection, in: scope)
    let table = VariableTable(log, notation: PostmanText.template)
    var translator = CollectionTranslator(
      reader.collection, log: log, table: table, writes: writes ? .included : .leftOut, outline: outline)
    return try CheckedFile(translator.file().mapping, log: log, check: check).result()
  }
}
