import FlowSpec
import Importing
import SourceDiagnostics
import Testing

/// Streams of a template: one for each record of a server, or for each element of the configuration.
@Suite(.timeLimit(.minutes(1))) struct DynamicStreamImportTests {
  private static let retriever =
    "type: SimpleRetriever, requester: { type: HttpRequester, url_base: https://api.example.com, path: /tables }, record_selector: { extractor: { type: DpathExtractor, field_path: [tables] } }"

  /// A manifest with a template. Each text is YAML in braces without them; a mapping is a path and a value.
  private static func dynamic(
    _ mappings: (path: String, value: String)...,
    resolver: String = "type: HttpComponentsResolver, retriever: { \(retriever) }",
    requester: String = "path: template", stream: String = ""
  ) -> String {
    let mapping = mappings.map { "{ field_path: [\($0.path)], value: \"\($0.value)\" }" }.joined(separator: ", ")
    return """
      streams: []
      dynamic_streams:
        - type: DynamicDeclarativeStream
          name: rows
          stream_template:
            type: DeclarativeStream
            name: template
            primary_key: id
            retriever:
              type: SimpleRetriever
              requester: { type: HttpRequester, url_base: https://api.example.com, \(requester) }
              record_selector: { extractor: { type: DpathExtractor, field_path: [rows] } }
            \(stream.isEmpty ? "" : stream)
          components_resolver: { \(resolver), components_mapping: [\(mapping)] }
      spec:
        connection_specification:
          properties:
            api_key: { type: string, airbyte_secret: true }
            region: { type: string, default: eu }
            lists: { type: array, items: { type: string } }
            reports: { type: array, items: { type: object } }
      """
  }

  private static let name = (path: "name", value: "{{ components_values['name'] }}")
  private static let path = (
    path: "retriever, requester, path", value: "tables/{{ components_values['id'] }}/rows"
  )
  private static let schema =
    "schema_loader: { type: InlineSchemaLoader, schema: { type: object, properties: { id: { type: integer } } } }"

  @Test(arguments: listed + configured + lost)
  func `a template becomes a flow for each item`(_ test: ImportCase) throws {
    test.verify(try Imported(test.source))
  }

  static let listed = [
    ImportCase(
      "records of a server are listed in a file", dynamic(name, path, stream: schema),
      has: [
        "rows_items:\n    resource: /tables\n    records: $.tables",
        "name: { value: \"{{ string(coalesce(source.name, '')) }}\" }", "id: { from: $.id, type: json }",
        "persistence: flows/rows_items.jsonl", "file: rows_items.jsonl", "name: $.name", "id: $.id",
        "resource: \"/tables/{{ vars.id }}/rows\"",
        "persistence: \"out/rows-{{ replace(vars.name, '/', '_') }}.jsonl\"",
      ], lacks: ["components_", "template"]),
    ImportCase(
      "a value is a variable once, wherever it is used",
      dynamic(
        name, path, ("retriever, requester, request_parameters, table", "{{ components_values.id }}"),
        ("retriever, requester, request_headers, X-Table", "t-{{ components_values.labels['one'] }}"),
        ("retriever, requester, request_body_json, where", "{{ components_values['name'] | upper }}"),
        ("retriever, record_selector, extractor, field_path, 0", "{{ components_values.key }}"),
        ("retriever, requester, url_base", "https://{{ components_values.host }}.example.com"),
        stream: schema),
      has: [
        "query: { table: \"{{ vars.id }}\" }", "headers: { X-Table: \"t-{{ vars.one }}\" }",
        "one: { from: $.labels.one, type: json }",
        "where: { value: \"{{ upper(string(coalesce(source.name, ''))) }}\" }",
        "body: { json: { where: \"{{ vars.where }}\" } }", "records: \"$['{{ vars.key }}']\"",
        "base_url: \"https://{{ vars.host }}.example.com\"", "http:\n  base_url: https://api.example.com",
      ], lacks: ["id_2", "components_"]),
    ImportCase(
      "values of a router are fields of the listed records",
      dynamic(
        ("name", "{{ stream_slice['zone'] }}/{{ components_values['name'] }}"),
        ("retriever, requester, path", "{{ stream_slice.zone }}/{{ components_values['id'] }}"),
        resolver:
          "type: HttpComponentsResolver, retriever: { \(retriever), partition_router: { type: ListPartitionRouter, cursor_field: zone, values: [a, b] } }"
      ),
      has: [
        "each: { values: [a, b], as: zone }", "zone: { value: \"{{ zone }}\", type: json }",
        "value: \"{{ string(zone) + '/' + string(coalesce(source.name, '')) }}\"",
        "resource: \"/{{ vars.zone }}/{{ vars.id }}\"",
      ], lacks: ["components_"]),
    ImportCase(
      "a name that the file has already is not taken",
      dynamic(
        name, path,
        ("retriever, requester, request_parameters, r", "{{ components_values['region'] }}{{ config['region'] }}")),
      has: ["region: eu", "region_2: $.region_2", "r: \"{{ vars.region_2 }}{{ vars.region_3 }}\""]),
    ImportCase(
      "mappings without values of an item are filled in",
      dynamic(name, path, ("retriever, requester, request_parameters, r", "{{ config['region'] }}")),
      has: ["query: { r: \"{{ vars.region }}\" }"], lacks: ["from: $.region"]),
  ]

  private static let lists = "type: ConfigComponentsResolver, stream_config: { configs_pointer: [lists] }"
  private static let reports = "type: ConfigComponentsResolver, stream_config: { configs_pointer: [reports] }"

  static let configured = [
    ImportCase(
      "objects of the configuration are in a file", dynamic(name, path, resolver: reports, stream: schema),
      has: [
        "file: rows_items.jsonl", "name: $.name", "id: $.id", "resource: \"/tables/{{ vars.id }}/rows\"",
        "persistence: \"out/rows-{{ vars.name }}.jsonl\"",
        "# rows_items.jsonl: write an object on a line for each element of the configuration's 'reports', with 'name', 'id'",
      ], lacks: ["components_", "not imported", "rows_items:"]),
    ImportCase(
      "a name of several values",
      dynamic(("name", "{{ components_values.kind }}-{{ components_values.of.name }}"), path, resolver: reports),
      has: [
        "name: \"rows_{{ vars.kind }}_{{ vars.name }}\"", "name: $.of.name",
        "persistence: \"out/rows-{{ vars.kind }}-{{ vars.name }}.jsonl\"",
      ]),
    ImportCase(
      "texts of the configuration",
      dynamic(
        ("name", "{{ components_values['source_config_0'][1] }}"),
        ("retriever, requester, path", "lists/{{ components_values['source_config_0'][1] }}"), resolver: lists),
      has: [
        "for: { values: \"{{ vars.lists }}\", as: lists_item }", "resource: \"/lists/{{ vars.lists_item }}\"",
      ], lacks: ["jsonl\n      vars"]),
    ImportCase(
      "default values are flows beside the others",
      dynamic(
        name, ("retriever, requester, path", "{{ components_values.id }}/{{ components_values.part }}"),
        resolver:
          "type: ConfigComponentsResolver, stream_config: [{ configs_pointer: [reports], default_values: [{ name: one, id: 1 }, { name: two, id: 2 }] }, { configs_pointer: [more], default_values: [{ part: x }] }]"
      ),
      has: [
        "one:\n    resource: /1/x", "two:\n    resource: /2/x", "file: rows_items.jsonl", "part: $.part",
        "each combination of elements of the configuration's 'reports' and of 'more'",
      ]),
  ]

  static let lost = [
    ImportCase(
      "a method, a key and a schema of an item",
      dynamic(
        name, path, ("retriever, requester, http_method", "{{ components_values.method }}"),
        ("primary_key", "{{ components_values.key }}"),
        ("schema_loader, schema, properties, x", "{{ components_values.schema }}"), stream: schema),
      has: [
        "# not imported: primary_key: {{ components_values.key }}",
        "# not imported: http_method: {{ components_values.method }}",
        "# not imported: components_mapping of 'schema_loader.schema.properties.x': {{ components_values.schema }}",
      ], lacks: ["components_mapping_", "key: $.key", "schema: $.schema"], losses: [.schema, .request, .retriever]),
    ImportCase(
      "a value without a counterpart",
      dynamic(name, ("retriever, requester, path", "{{ components_values.id | unknown }}")),
      losses: [.expression]),
    ImportCase(
      "a secret in a value", dynamic(("name", "{{ components_values.name }}{{ config.api_key }}"), path),
      losses: [.retriever]),
    ImportCase(
      "a field that depends on the item", dynamic(name, ("retriever, '{{ components_values.x }}'", "a")),
      losses: [.retriever]),
    ImportCase("no value of an item", dynamic(("name", "a")), losses: [.retriever]),
    ImportCase(
      "a condition on a mapping",
      dynamic(name, path, resolver: reports).replacing(
        "{ field_path: [name],", with: "{ condition: \"{{ components_values.a }}\", field_path: [name],"),
      losses: [.retriever]),
    ImportCase(
      "a listing in code",
      dynamic(
        name, path, resolver: "type: HttpComponentsResolver, retriever: { type: CustomRetriever, class_name: a.B }"),
      losses: [.customCode]),
    ImportCase(
      "an element of a list of texts that is no text",
      dynamic(name, path, resolver: lists),
      losses: [.expression]),
    ImportCase(
      "no place in the configuration", dynamic(name, path, resolver: "type: ConfigComponentsResolver"),
      losses: [.configuration]),
  ]

  @Test func `each line of the file is a flow`() throws {
    let imported = try Imported(
      Self.dynamic(Self.name, Self.path, stream: Self.schema),
      items: ["rows_items.jsonl": "{\"name\": \"A/b\", \"id\": 7}\n{\"name\": \"c\", \"id\": 8}\n"])
    #expect(imported.flows.map(\.name) == ["rows_items", "rows_a_b", "rows_c"])
    #expect(imported.report.flows == ["rows_items", "rows"])
    #expect(imported.report.complete == ["rows_items", "rows"])
  }

  @Test func `a list is written beside the flow file`() throws {
    let manifest = SourceFile(path: "manifest.yaml", text: Self.dynamic(Self.name, Self.path))
    for (folder, path) in [("", "rows_items.jsonl"), ("a/b", "a/b/rows_items.jsonl")] {
      let text = try AirbyteImport(manifest, folder: folder).result().text
      #expect(text.contains("persistence: \(path)\n"), "\(text)")
      #expect(text.contains("file: rows_items.jsonl\n"))
    }
  }
}
