import FlowModel
import FlowSpec
import SourceDiagnostics
import TestSupport
import Testing

/// Large and damaged input: bounded work, no crash.
@Suite struct SizeTests {
  /// A file of many flows, about 500 bytes each.
  static func large(flows: Int) -> String {
    var text =
      "reactor: 1\nvars: { since: { type: date, default: 2024-01-01 } }\nhttp: { base_url: https://a.example }\nflows:\n"
    for index in 0..<flows {
      text += """
          flow\(index):
            description: Everyone who ever ordered in region \(index), with all that belongs to them and some words more
            tags: [shop, daily, region-\(index)]
            resource:
              method: GET
              path: /regions/\(index)/customers
              query: { updated_since: "{{ vars.since }}", limit: 100 }
              headers: { Accept: application/json }
            records: $.data[*]
            schema: { key: id, fields: { id: integer, name: string, city: { from: $.address.city, type: string } } }
            persistence: { path: out/region-\(index).jsonl, expires_after: 1h }
            expect: { min: 1, total: $.total }

        """
    }
    return text
  }

  /// Large files are cut into chunks that are read in parallel.
  @Test func `the flows and the mistakes of a large file come in the order in which they are written`() {
    let lines = Self.large(flows: 500).split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // Every seventh flow has two mistakes.
      let number = line.hasPrefix("  flow") ? Int(line.dropFirst(6).dropLast()) : nil
      return number.map { $0 % 7 == 0 ? "\(line)\n    prunes: true\n    wait: maybe" : "\(line)" } ?? "\(line)"
    }
    let loaded = Project(lines.joined(separator: "\n")).load()
    let locations = loaded.diagnostics.diagnostics.compactMap { $0.range?.offsets.lowerBound }
    #expect(locations.count == (500 + 6) / 7 * 2)
    #expect(locations == locations.sorted())
    // A file with errors gives no flows.
    #expect(loaded.flows.isEmpty)
    #expect(Project(Self.large(flows: 500)).load().flows.map(\.name) == (0..<500).map { "flow\($0)" })
  }

  @Test(.timeLimit(.minutes(1)))
  func `two thousand flows in one file are read in linear time`() {
    let small = ProcessorTime.measure { _ = Project(Self.large(flows: 250)).load() }
    var count = 0
    let large = ProcessorTime.measure { count = Project(Self.large(flows: 2000)).load().flows.count }
    #expect(count == 2000)
    // Eight times the work; quadratic behaviour would be sixty-four times.
    #expect(large < small * 32)
  }

  /// Each variable may be computed from those before it, so each is read with a scope of its own.
  @Test(.timeLimit(.minutes(1)))
  func `twenty thousand variables in one file are read`() {
    let count = 20_000
    // Not in the order of their names.
    let names = (0..<count).map { "v\($0 * 7_919 % count)" }
    let variables = names.enumerated().map { index, name in
      index % 100 == 1 ? "  \(name): { value: \"{{ vars.\(names[index - 1]) }}-\" }\n" : "  \(name): text\n"
    }
    let text =
      "reactor: 1\nhttp: { base_url: https://a.example }\nvars:\n\(variables.joined())"
      + "flows: { a: { resource: \"/{{ vars.v1 }}\" } }\n"
    let loaded = Project(text).load()
    #expect(loaded.diagnostics.diagnostics.isEmpty, "\(loaded.diagnostics.diagnostics.prefix(3))")
    #expect(loaded.files.first?.variables.map(\.name.value) == names)
    let early = "{{ vars.\(names[count - 1]) }}"
    let other = Project(text.replacing("{{ vars.\(names[0]) }}-", with: early)).load()
    #expect(other.diagnostics.diagnostics.map(\.message) == ["variable '\(names[count - 1])' is not declared"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `many mistakes of one kind stay cheap`() {
    var text = "reactor: 1\nhttp: { base_url: https://a.example }\nschemas:\n"
    for index in 0..<2_000 { text += "  schema\(index): { fields: { id: integer } }\n" }
    text += "flows:\n"
    for index in 0..<2_000 { text += "  f\(index): { resource: /, schema: shcema\(index), prun: true }\n" }
    var count = 0
    let time = ProcessorTime.measure { count = Project(text).load().diagnostics.diagnostics.count }
    #expect(count == 4_000)
    #expect(time < ProcessorTime.bound)
  }

  @Test func `no cut of a file crashes the reader`() {
    let whole = Array(Self.large(flows: 1).utf8)
    for length in 0..<whole.count {
      let loaded = Project(String(decoding: whole.prefix(length), as: UTF8.self)).load()
      #expect(loaded.flows.count <= 1)
    }
  }

  @Test func `a value of any other kind does not crash the reader`() {
    let values = [
      "", "~", "[]", "{}", "[[a]]", "{ a: { b: c } }", "'{{'", "\"{{ vars.x }}\"", "\"\\0\"", "é", "-1", "$.a[",
    ]
    for name in ConstructName.allCases {
      for field in name.construct.fields {
        for value in values {
          let frame = name.construct.frame
          let text = frame.filled(with: "\(field.name): \(value)").text
          #expect(Project(text, isSchemaFile: frame.isSchemaFile).load().files.count <= 1)
        }
      }
    }
  }
}
