import FlowCompiler
import FlowModel
import FlowRuntime
import FlowSpec
import ImportCLI
import Importing
import JSONSyntax
import SourceDiagnostics
import Testing

/// A file after its import. Its text has been loaded, checked and compiled.
struct Imported {
  let text: String
  let report: ImportReport
  let flows: [FlowDeclaration]

  /// Imports a manifest of Airbyte.
  ///
  /// - Parameter items: files of items beside the flow file, by their names
  init(
    _ manifest: String, files: [String: String] = [:], items: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try AirbyteImport(
      SourceFile(path: "manifest.yaml", text: manifest), schemaFile: { files[$0].map { Array($0.utf8) } },
      check: { FlowCompiler.problems(in: $0) }
    ).result()
    self.init(result, items: items, sourceLocation: sourceLocation)
  }

  /// Imports a collection of Postman.
  init(
    postman collection: String, environments: [String] = [], writes: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try PostmanImport(
      SourceFile(path: "shop.json", text: collection),
      environments: environments.map { SourceFile(path: "environment.json", text: $0) }, writes: writes,
      outline: { ResponseOutline($0) }, check: { FlowCompiler.problems(in: $0) }
    ).result()
    self.init(result, sourceLocation: sourceLocation)
  }

  /// Imports an export of Insomnia.
  init(
    insomnia export: String, environment: String? = nil, writes: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try InsomniaImport(
      SourceFile(path: "shop.yaml", text: export), environment: environment, writes: writes,
      check: { FlowCompiler.problems(in: $0) }
    ).result()
    self.init(result, sourceLocation: sourceLocation)
  }

  /// Imports a configuration of dlt.
  init(dlt config: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let result = try DltImport(
      SourceFile(path: "config.json", text: config), check: { FlowCompiler.problems(in: $0) }
    ).result()
    self.init(result, sourceLocation: sourceLocation)
  }

  /// Expects that everything said to be carried over is accepted by `check` and `explain`.
  private init(_ result: ImportResult, items: [String: String] = [:], sourceLocation: SourceLocation) {
    text = result.text
    report = result.report
    let reader = SourceReader(
      names: { (folder) throws(SourceReadError) in
        items.keys.map { "flows/\($0)".split(separator: "/") }.filter { $0.dropLast().joined(separator: "/") == folder }
          .compactMap { $0.last.map(String.init) }
      },
      bytes: { (path) throws(SourceReadError) in Array((items[String(path.dropFirst("flows/".count))] ?? "").utf8) })
    let loaded = FlowLoader(reader: reader).load([SourceFile(path: "flows/import.yaml", text: result.text)])
    flows = loaded.flows
    var problems = loaded.diagnostics
    problems.merge(FlowCompiler.problems(in: loaded.flows))
    let secrets = Dictionary(
      loaded.files.flatMap { $0.secrets.map { ($0.value, Secret("unset-secret")) } },
      uniquingKeysWith: { first, _ in first })
    let compilation = FlowCompiler(inputs: FlowCompiler.Inputs(secrets: secrets)).compile(loaded.flows)
    problems.merge(compilation.diagnostics)
    // A variable without a default is given in a run.
    let errors = problems.diagnostics.filter {
      $0.severity == .error && $0.code.rawValue != "template.unset-variable"
        && $0.message != "the key is not a private key in PEM"
    }
    // Without flows there is no file to load, only a report.
    if !report.flows.isEmpty {
      #expect(
        errors.isEmpty, "\(errors.map { "\($0.code.rawValue) \($0.message)" })\n\(result.text)",
        sourceLocation: sourceLocation)
      let generates = text.contains("\n    for:")
      let names = loaded.flows.map { flow in
        report.flows.filter { flow.name == $0 || generates && flow.name.hasPrefix("\($0)_") }.max {
          $0.count < $1.count
        }
      }
      if !generates || !items.isEmpty {
        let found = names.enumerated().filter { $0.offset == 0 || names[$0.offset - 1] != $0.element }.map(\.element)
        #expect(found == report.flows, sourceLocation: sourceLocation)
      }
    }
    // Every loss that belongs to a part of the file stands there too.
    for loss in report.losses where !report.flows.isEmpty && (loss.flow.map { report.flows.contains($0) } ?? true) {
      #expect(
        result.text.contains("# not imported: \(loss.what.prefix(60))"), "\(loss)\n\(result.text)",
        sourceLocation: sourceLocation)
    }
  }
}

/// Manifests of one stream or a few.
enum Manifest {
  /// A manifest.
  static func with(
    _ streams: String..., spec: String = "", more: String = "", properties: String = ""
  ) -> String {
    """
    version: 6.0.0
    type: DeclarativeSource
    check: { type: CheckStream, stream_names: [items] }
    \(more)
    streams:
    \(streams.joined(separator: "\n"))
    spec:
      type: Spec
      connection_specification:
        type: object
        required: [api_key, start_date]
        properties:
          api_key: { type: string, airbyte_secret: true }
          start_date: { type: string, format: date-time }
          region: { type: string, default: eu }
          state: { type: string }
          site: { type: string, default: "https://login.example.com" }
          limit: { type: integer }
          size: { type: integer, default: 100 }
          names: { type: array, items: { type: string }, default: [a, b] }
    \(properties.isEmpty ? "" : lines(properties, by: 6))
          credentials:
            type: object
            oneOf:
              - { type: object, required: [kind, token], properties: { kind: { type: string, const: token }, token: { type: string, airbyte_secret: true } } }
              - { type: object, properties: { kind: { type: string, const: oauth }, client_id: { type: string }, client_secret: { type: string, airbyte_secret: true }, refresh_token: { type: string, airbyte_secret: true } } }
    \(spec)
    """
  }

  /// A stream; each text is YAML in braces without them.
  static func stream(
    _ name: String = "items", key: String = "id", requester: String = "path: /items", retriever: String = "",
    stream: String = "",
    fields: String =
      "id: { type: integer }, name: { type: [string, 'null'] }, updated_at: { type: string, format: date-time }"
  ) -> String {
    """
      - type: DeclarativeStream
        name: \(name)
        primary_key: \(key)
        retriever:
          type: SimpleRetriever
          requester: { type: HttpRequester, url_base: https://api.example.com/v1, \(requester) }
          record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [data] } }
    \(retriever.isEmpty ? "" : lines(retriever, by: 6))
        schema_loader: { type: InlineSchemaLoader, schema: { type: object, properties: { \(fields) } } }
    \(stream.isEmpty ? "" : lines(stream, by: 4))
    """
  }

  private static func lines(_ text: String, by indent: Int) -> String {
    text.split(separator: "\n").map { String(repeating: " ", count: indent) + $0 }.joined(separator: "\n")
  }
}
