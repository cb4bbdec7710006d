public import SourceDiagnostics

extension FlowCode {
  static func entry(
    _ code: FlowCode, _ title: String, _ explanation: String, wrong: String?, right: String?
  ) -> DiagnosticCatalogue.Entry {
    DiagnosticCatalogue.Entry(
      code.code, title, explanation, wrong: wrong.map { $0 + "\n" }, right: right.map { $0 + "\n" })
  }
}

extension DiagnosticCatalogue {
  /// What the codes of flow files, schema files and templates mean.
  public static var flowEntries: [Entry] {
    FlowCode.keysEntries + FlowCode.valuesEntries + FlowCode.requestsEntries + FlowCode.authEntries
      + FlowCode.resultsEntries + FlowCode.pagesEntries + FlowCode.cursorEntries + FlowCode.mappingEntries
      + FlowCode.eachEntries + FlowCode.sendingEntries
      + FlowCode.schemasEntries + FlowCode.templatesEntries + FlowCode.expressionsEntries
  }
}
