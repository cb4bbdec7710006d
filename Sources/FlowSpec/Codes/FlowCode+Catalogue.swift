public import SourceDiagnostics

extension FlowCode {
  static func entry(
    _ code: FlowCode, _ title: String, _ explanation: String, wrong: Sample? = nil,
    right: Sample? = nil
  ) -> DiagnosticCatalogue.Entry {
    DiagnosticCatalogue.Entry(code.code, title, explanation, wrong: wrong?.text, right: right?.text)
  }

  /// A whole file that shows a mistake, or how it is put right.
  struct Sample: ExpressibleByStringLiteral {
    let text: String

    init(_ text: String) { self.text = text + "\n" }

    init(stringLiteral text: String) { self.init(text) }

    /// A file with one flow, `customers`; without a resource as its first key it asks for `/customers`.
    static func flow(vars: String? = nil, secrets: String? = nil, _ keys: String) -> Sample {
      let names =
        (vars.map { "vars: { \($0) }\n" } ?? "") + (secrets.map { "secrets: [\($0)]\n" } ?? "")
      return Sample(
        "reactor: 1\n\(names)http: { base_url: https://api.example.com }\nflows:\n  customers:\n"
          + indented(keys.hasPrefix("resource:") ? keys : "resource: /customers\n" + keys))
    }

    /// A file with one schema, `customer`.
    static func schema(_ keys: String) -> Sample {
      Sample("reactor: 1\nschemas:\n  customer:\n" + indented(keys))
    }

    private static func indented(_ lines: String) -> String {
      lines.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }.joined(
        separator: "\n")
    }
  }
}

extension DiagnosticCatalogue {
  /// What the codes of flow files, schema files and templates mean.
  public static var flowEntries: [Entry] {
    FlowCode.keysEntries + FlowCode.valuesEntries + FlowCode.requestsEntries + FlowCode.authEntries
      + FlowCode.resultsEntries + FlowCode.pagesEntries + FlowCode.cursorEntries
      + FlowCode.mappingEntries
      + FlowCode.eachEntries + FlowCode.sendingEntries
      + FlowCode.schemasEntries + FlowCode.templatesEntries + FlowCode.expressionsEntries
  }
}
