extension Construct {
  /// A file with a gap for one construct, in which examples are tested.
  public struct Frame: Sendable {
    /// The file; a line with `◆` is replaced by the construct's keys.
    let text: String
    /// Lines that the construct needs, left out if the example has the key itself.
    let supplies: [String]
    /// Keys that replace supplied ones, by the supplied key.
    let alternatives: [String: String]
    /// Whether it is a file of schemas.
    public let isSchemaFile: Bool

    init(
      _ text: String, supplies: [String] = [], alternatives: [String: String] = [:], isSchemaFile: Bool = false
    ) {
      self.text = text
      self.alternatives = alternatives
      self.supplies = supplies
      self.isSchemaFile = isSchemaFile
    }

    /// The names of a file, with its flows.
    static func file(_ flows: String, supplies: [String] = []) -> Frame {
      Frame(
        """
        reactor: 1
        vars: { since: { type: date, default: 2024-01-01 }, region: eu }
        secrets: [SHOP_TOKEN]
        http: { base_url: https://api.example.com }
        schemas:
          customer: { fields: { id: integer, city: { from: $.address.city, type: string } } }
          tagged: { fields: { tag: { from: "$.tags[0]", type: string } } }
        flows:

        """ + indented(flows, by: 2), supplies: supplies)
    }

    /// A file with a flow `customers` of some keys.
    static func flow(_ keys: String, supplies: [String] = []) -> Frame {
      file("regions: { resource: /regions }\ncustomers:\n" + indented(keys, by: 2), supplies: supplies)
    }

    /// Lines behind some spaces.
    static func indented(_ lines: String, by count: Int) -> String {
      lines.split(separator: "\n").map { String(repeating: " ", count: count) + $0 }.joined(separator: "\n")
    }

    /// The lines that the construct needs in addition to a fragment.
    func supplied(beside lines: [String]) -> [String] {
      supplies.filter { supply in
        // A computed field takes its type from its value.
        if supply == "type: string", lines.contains(where: { $0.hasPrefix("value:") }) { return false }
        guard let key = supply.split(separator: ":").first else { return false }
        let keys = [String(key)] + (alternatives[String(key)].map { [$0] } ?? [])
        return !lines.contains { line in keys.contains { line.hasPrefix("\($0):") } }
      }
    }

    /// The file with a fragment in the gap, and the offset in the file of an offset in the fragment.
    public func filled(with fragment: String, offset: Int = 0) -> (text: String, offset: Int) {
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
