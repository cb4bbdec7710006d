import FlowSpec
import Importing
import Testing

/// Schemas that a server describes (`DynamicSchemaLoader`).
@Suite(.timeLimit(.minutes(1))) struct DescribedSchemaImportTests {
  private static let usual = "schema_pointer: [fields], key_pointer: [label, name], type_pointer: [type]"

  /// A manifest with one stream; each text is YAML in braces without them.
  private static func described(
    _ identifier: String = usual, types: String = "", loader: String = "", stream: String = "primary_key: id",
    path: String = "fields"
  ) -> String {
    """
    streams:
      - type: DeclarativeStream
        name: items
        \(stream)
        retriever:
          type: SimpleRetriever
          requester: { type: HttpRequester, url_base: https://api.example.com, path: items }
          record_selector: { extractor: { type: DpathExtractor, field_path: [data] } }
        schema_loader:
          type: DynamicSchemaLoader
          retriever:
            type: SimpleRetriever
            requester: { type: HttpRequester, url_base: https://api.example.com, path: "\(path)" }
            record_selector: { extractor: { type: DpathExtractor, field_path: [] } }
          schema_type_identifier: { \(identifier), types_mapping: [\(types)] }
          \(loader)
    """
  }

  @Test(arguments: cases) func `a schema that a server describes becomes a described one`(_ test: ImportCase) throws {
    test.verify(try Imported(test.source, items: ["items_fields.jsonl": ""]))
  }

  static let cases = [
    ImportCase(
      "a flow persists the names and types of fields",
      described(
        types:
          "{ current_type: money, target_type: number }, { current_type: [text, email], target_type: string }, { current_type: date, target_type: date }, { current_type: tags, target_type: { field_type: array, items: string } }, { current_type: either, target_type: [string, number] }, { current_type: at, target_type: timestamp_with_timezone }"
      ),
      has: [
        "items_fields:\n    resource: /fields\n    reshape: { each: \".[\\\"fields\\\"][]?\" }",
        "name: { from: $.label.name, type: string }",
        "type: { value: \"{{ coalesce(source.type, 'string') }}\", type: string }",
        "persistence: flows/items_fields.jsonl", "key: id\n      fields:\n        id: json\n      described:",
        "file: items_fields.jsonl",
        "money: number", "text: string", "email: string", "tags: json", "either: json", "at: timestamp", "else: json",
      ], lacks: ["date: date", "not imported"]),
    ImportCase(
      "a record is a description, and all types are texts", described("key_pointer: [name]"),
      has: ["name: string", "type: { value: \"{{ 'string' }}\", type: string }"], lacks: ["reshape", "types:"]),
    ImportCase(
      "fields whose names a condition accepts",
      described(
        loader: "schema_filter: { type: RecordFilter, condition: \"{{ 'old' not in record and 'x' not in record }}\" }"),
      has: ["where: \"!('old' == source.label.name) && !('x' == source.label.name)\""], lacks: ["not imported"]),
    ImportCase(
      "a condition on the types of fields",
      described(loader: "schema_filter: { type: RecordFilter, condition: \"{{ record['a']['type'] == 'string' }}\" }"),
      has: ["# not imported: schema_filter"], losses: [.schema]),
    ImportCase(
      "a condition on names that change",
      described(
        loader:
          "schema_filter: { type: RecordFilter, condition: \"{{ 'old' not in record }}\" }\n      schema_transformations: [{ type: KeysToLower }]"
      ), has: ["# not imported: schema_filter"], lacks: ["where:"], losses: [.schema]),
    ImportCase(
      "a type on a condition",
      described(
        types:
          "{ current_type: formula, target_type: number, condition: \"{{ raw_schema['result'] == 'sum' }}\" }, { current_type: formula, target_type: boolean, condition: \"{{ raw_schema.result == 'check' }}\" }"
      ),
      has: [
        "coalesce(source.type, '') == 'formula' && coalesce(source.result, '') == 'sum' ? 'number' : coalesce(source.type, '') == 'formula' && coalesce(source.result, '') == 'check' ? 'boolean' : coalesce(source.type, 'string')"
      ]),
    ImportCase(
      "a type on a condition that the server has too",
      described(
        types:
          "{ current_type: number, target_type: string }, { current_type: formula, target_type: number, condition: \"{{ raw_schema.a }}\" }"
      ), has: ["number: string"], lacks: ["== 'formula'"], losses: [.schema]),
    ImportCase(
      "transformations of the schema",
      described(
        loader:
          "schema_transformations: [{ type: AddFields, fields: [{ path: [extra], value: \"{{ {'type': ['null', 'integer']} }}\" }] }, { type: KeysToLower }, { type: KeysToSnakeCase }]"
      ),
      has: [
        "extra: integer?",
        ".[\\\"label\\\"][\\\"name\\\"] |= (ascii_downcase) | .[\\\"label\\\"][\\\"name\\\"] |= (gsub(",
      ]),
    ImportCase(
      "a removed field is removed from the record",
      described(stream: "primary_key: id\n    transformations: [{ type: RemoveFields, field_pointers: [[note]] }]"),
      has: ["remove: [$.note]"]),
    ImportCase(
      "parts without a counterpart",
      described(
        loader:
          "schema_filter: { type: RecordFilter, condition: \"{{ record['a'] == 1 }}\" }\n      schema_transformations: [{ type: AddFields, fields: [{ path: [a], value: \"{{ config.x }}\" }] }, { type: RemoveFields, field_pointers: [[x]] }]"
      ), losses: [.schema, .unknown, .schema]),
    ImportCase(
      "no field that is declared", described(stream: "primary_key: []"),
      has: ["# not imported: schema_loader: DynamicSchemaLoader"], lacks: ["items_fields"], losses: [.schema]),
    ImportCase(
      "a place that is not known", described("key_pointer: ['{{ config.x }}']"), lacks: ["items_fields"],
      losses: [.schema]),
  ]

  @Test func `the fields of a stream of a template are described for each item`() throws {
    let stream = Self.described(path: "template/fields").split(separator: "\n").dropFirst()
      .map { "      " + $0.replacing("  - type: Decl", with: "    type: Decl") }.joined(separator: "\n")
    let imported = try Imported(
      """
      dynamic_streams:
        - name: rows
          stream_template:
      \(stream)
          components_resolver:
            type: HttpComponentsResolver
            retriever: { type: SimpleRetriever, requester: { type: HttpRequester, url_base: https://api.example.com, path: /tables } }
            components_mapping:
              - { field_path: [name], value: "{{ components_values.name }}" }
              - { field_path: [schema_loader, retriever, requester, path], value: "{{ components_values.id }}/fields" }
      """,
      items: [
        "rows_items.jsonl": #"{"name": "a/b", "id": 7}"#,
        "rows_fields/a_b.jsonl": #"{"name": "size", "type": "integer"}"#,
      ])
    #expect(imported.report.losses == [], "\(imported.text)")
    #expect(imported.flows.map(\.name) == ["rows_items", "rows_fields_a_b", "rows_a_b"], "\(imported.text)")
    #expect(imported.flows.last?.schema?.fields.map(\.name) == ["id", "size"], "\(imported.text)")
    #expect(imported.text.contains("resource: \"/{{ vars.id }}/fields\""))
    #expect(
      imported.text.contains("persistence: \"flows/rows_fields/{{ replace(vars.name, '/', '_') }}.jsonl\""),
      "\(imported.text)")
  }
}
