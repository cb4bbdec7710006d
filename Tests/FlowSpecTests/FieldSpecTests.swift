import FlowSpec
import SourceDiagnostics
import Testing

/// A key's example or mistake, with the construct it stands in.
struct FieldCase: Sendable, CustomTestStringConvertible {
  var construct: ConstructName
  var field: String
  var text: String
  var offset = 0
  var code: FlowCode?

  var testDescription: String { "\(construct.rawValue).\(field): \(text)" }

  static var examples: [FieldCase] {
    ConstructName.allCases.flatMap { name in
      name.construct.fields.flatMap { field in
        field.examples.map { FieldCase(construct: name, field: field.name, text: $0) }
      }
    }
  }

  static var mistakes: [FieldCase] {
    ConstructName.allCases.flatMap { name in
      name.construct.fields.flatMap { field in
        field.mistakes.map {
          FieldCase(construct: name, field: field.name, text: $0.text, offset: $0.offset, code: $0.code)
        }
      }
    }
  }

  /// The file around the text, and where the offset falls in it.
  var filled: (text: String, offset: Int) { construct.construct.frame.filled(with: text, offset: offset) }

  func load() -> LoadedFlows {
    Project(filled.text, isSchemaFile: construct.construct.frame.isSchemaFile).load()
  }
}

@Suite struct FieldSpecTests {
  @Test(arguments: FieldCase.examples)
  func `every example loads`(_ example: FieldCase) {
    let loaded = example.load()
    #expect(!loaded.diagnostics.hasErrors, "\(DiagnosticRenderer().render(loaded.diagnostics.diagnostics))")
  }

  @Test(arguments: FieldCase.mistakes)
  func `every mistake gives its code at the marked position`(_ mistake: FieldCase) {
    let loaded = mistake.load()
    let found = loaded.diagnostics.diagnostics.map { "\($0.code.rawValue)@\($0.range?.offsets.lowerBound ?? -1)" }
    let expected = "\(mistake.code?.rawValue ?? "")@\(mistake.filled.offset)"
    #expect(found.contains(expected), "\(DiagnosticRenderer().render(loaded.diagnostics.diagnostics))")
  }

  @Test(arguments: FieldCase.mistakes)
  func `a mistake is reported once`(_ mistake: FieldCase) {
    #expect(mistake.load().diagnostics.diagnostics.count == 1)
  }

  @Test(arguments: ConstructName.allCases)
  func `every key has a summary, an example of itself and a mistake`(_ name: ConstructName) {
    for field in name.construct.fields {
      #expect(field.summary.hasSuffix(".") && field.summary.count <= 150)
      #expect(!field.examples.isEmpty && !field.mistakes.isEmpty, "\(name.rawValue).\(field.name)")
      for example in field.examples {
        #expect("\n\(example)".contains("\n\(field.name):"), "\(name.rawValue).\(field.name)")
      }
    }
  }

  @Test(arguments: ConstructName.allCases)
  func `names are used once, also by keys of later versions`(_ name: ConstructName) {
    let names = name.construct.fields.map(\.name) + name.construct.later.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test(arguments: ConstructName.allCases.filter { !$0.construct.later.isEmpty })
  func `keys of later versions have their own error`(_ name: ConstructName) {
    for later in name.construct.later {
      let loaded = FieldCase(construct: name, field: later.name, text: "\(later.name): { a: b }").load()
      #expect(loaded.codes.contains("flow.unsupported-key") && !loaded.codes.contains("flow.unknown-key"))
    }
  }

  @Test(arguments: ConstructName.allCases.filter { $0.construct.shortForm != nil })
  func `short forms load wherever their construct is allowed`(_ name: ConstructName) {
    for example in name.construct.shortForm?.examples ?? [] {
      let text =
        switch name {
        case .variable: "reactor: 1\nvars: { v: \(example) }\nflows: {}\n"
        case .auth: flowFile("resource: /\nauth: \(example)")
        case .resource: flowFile("resource: \(example)")
        case .graphql: flowFile("resource: { method: POST, path: /, body: { graphql: \(example) } }")
        case .persistence: flowFile("resource: /\npersistence: \(example)")
        case .rejected: flowFile("resource: /\nrejected: \(example)")
        case .each: eachFile(example)
        case .eachPart: eachFile("[\(example)]")
        case .sentRecords:
          "schemas: { customer: { fields: { id: integer } } }\n"
            + flowFile(
              "each: { file: a.jsonl }\nresource: { method: POST, path: /, body: { records: \(example) } }")
        case .idempotency: flowFile("resource: { method: POST, path: /, idempotency: \(example) }")
        case .eachUnion: eachFile("{ key: id, union: [\(example)] }")
        case .eachBatch: eachFile("{ flow: customers, batch: \(example) }")
        case .download: flowFile("resource: /\ndownload: \(example)")
        case .decode: flowFile("resource: /\ndecode: \(example)")
        case .reshape: flowFile("resource: /\nreshape: \(example)")
        case .flatten: flowFile("resource: /\nchange: { flatten: \(example) }")
        case .field: flowFile("resource: /\nschema: { fields: { f: \(example) } }")
        case .element: flowFile("resource: /\nschema: { fields: { f: { type: list, of: \(example) } } }")
        case .pages: flowFile("resource: /\npages: \(example)")
        case .pagesSize:
          flowFile(
            "resource: /\npages: { by: page, query: p, size_query: n, size: \(example) }",
            top: "http: { base_url: https://api.example.com }\nvars: { page_size: 10 }")
        case .cursorQuery:
          flowFile(
            "resource: /\npersistence: { path: a.jsonl, mode: merge }\nschema: { key: id, fields: { id: integer } }\n"
              + "cursor: { field: id, query: \(example) }")
        case .schedule: flowFile("resource: /\nschedule: \(example)")
        case .retry: flowFile("resource: /\nretry: \(example)")
        case .jobRetry:
          flowFile(
            "resource: { method: POST, path: / }\njob: { id: response.id, poll: /a, done: response.a, "
              + "failed: response.b, download: /c, retry: \(example) }")
        case .honour: flowFile("resource: /\nretry: { follow: \(example) }")
        case .clientCertificate: flowFile("resource: /\nhttp: { client_certificate: \(example) }")
        case .rateFollow: flowFile("resource: /\nhttp: { rate: { follow: \(example) } }")
        case .rate: flowFile("resource: /\nhttp: { rate: \(example) }")
        default: ""
        }
      let loaded = Project(text).load()
      #expect(loaded.codes == [] && !text.isEmpty)
    }
  }
}

/// A file `shop` with a flow `customers`, and another one that is asked for each of something.
private func eachFile(_ each: String) -> String {
  "reactor: 1\nhttp: { base_url: https://a.example }\nflows:\n  customers: { resource: / }\n"
    + "  orders: { resource: /, each: \(each) }\n"
}
