extension Construct {
  /// A file with a gap for the keys of one construct, for testing the construct's examples.
  package struct Frame: Sendable {
    /// The text of the file. A line with `◆` is replaced by the construct's keys.
    let text: String
    /// Lines that the construct requires. A line is left out if the example has its key.
    let supplies: [String]
    /// Keys that make a supplied line unnecessary, by the key of the supplied line.
    let alternatives: [String: String]
    /// Whether the file is a schema file.
    package let isSchemaFile: Bool

    init(
      _ text: String, supplies: [String] = [], alternatives: [String: String] = [:], isSchemaFile: Bool = false
    ) {
      self.text = text
      self.alternatives = alternatives
      self.supplies = supplies
      self.isSchemaFile = isSchemaFile
    }

    /// A flow file that declares some variables and secrets, and the given flows.
    static func file(
      _ flows: String, supplies: [String] = [], alternatives: [String: String] = [:]
    ) -> Frame {
      Frame(
        """
        reactor: 1
        vars: { since: { type: date, default: 2024-01-01 }, region: eu, page_size: { type: integer, default: 100 }, retries: { type: integer, default: 4 } }
        secrets: [SHOP_TOKEN]
        stores: { shop: { sqlite: out/shop.db }, archive: { sqlite: out/archive.db } }
        http: { base_url: https://api.example.com }
        schemas:
          customer: { fields: { id: integer, city: { from: $.address.city, type: string } } }
          tagged: { fields: { tag: { from: "$.tags[0]", type: string } } }
        flows:

        """ + indented(flows, by: 2), supplies: supplies, alternatives: alternatives)
    }

    /// A flow file whose flow `customers` has the given keys.
    static func flow(
      _ keys: String, supplies: [String] = [], alternatives: [String: String] = [:]
    ) -> Frame {
      file(
        "regions: { resource: /regions }\ncustomers:\n" + indented(keys, by: 2), supplies: supplies,
        alternatives: alternatives)
    }

    /// The lines, each indented by `count` spaces.
    static func indented(_ lines: String, by count: Int) -> String {
      lines.split(separator: "\n").map { String(repeating: " ", count: count) + $0 }.joined(separator: "\n")
    }

    /// The supplied lines that a fragment needs in addition to its own lines.
    func supplied(beside lines: [String]) -> [String] {
      supplies.filter { supply in
        // The type of a computed field is inferred from its value.
        if supply == "type: string", lines.contains(where: { $0.hasPrefix("value:") }) { return false }
        guard let key = supply.split(separator: ":").first else { return false }
        let keys = [String(key)] + (alternatives[String(key)].map { [$0] } ?? [])
        return !lines.contains { line in keys.contains { line.hasPrefix("\($0):") } }
      }
    }

    /// Fills a fragment into the gap.
    ///
    /// Returns the file's text, and the offset in the file that corresponds to `offset` in the fragment.
    package func filled(with fragment: String, offset: Int = 0) -> (text: String, offset: Int) {
      let lines = fragment.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let supplied = supplied(beside: lines)
      var text = ""
      var index = 0
      for line in self.text.split(separator: "\n", omittingEmptySubsequences: false) {
        guard line.hasSuffix("◆") else {
          text += line + "\n"
          continue
        }
        let indent = String(line.dropLast())
        for line in supplied { text += indent + line + "\n" }
        var passed = 0
        for line in lines {
          if offset >= passed, offset <= passed + line.utf8.count {
            index = text.utf8.count + indent.utf8.count + offset - passed
          }
          passed += line.utf8.count + 1
          text += indent + line + "\n"
        }
      }
      return (text, index)
    }
  }
}
