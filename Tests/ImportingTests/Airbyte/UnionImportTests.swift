import Importing
import Testing

/// Partitions of several sources, one source after the other.
@Suite(.timeLimit(.minutes(1))) struct UnionImportTests {
  private static func parent(_ name: String, key: String = "id", field: String = "p", more: String = "") -> String {
    "{ type: ParentStreamConfig, parent_key: \(key), partition_field: \(field), stream: { $ref: \"#/definitions/\(name)\" } \(more) }"
  }

  private static func manifest(_ router: String, path: String = "/p/{{ stream_partition['p'] }}/parts") -> String {
    func stream(_ name: String, _ fields: String) -> String {
      """
        \(name):
          type: DeclarativeStream
          name: \(name)
          primary_key: id
          retriever:
            type: SimpleRetriever
            requester: { type: HttpRequester, url_base: https://api.example.com, path: /\(name) }
            record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [] } }
          schema_loader: { type: InlineSchemaLoader, schema: { type: object, properties: { \(fields) } } }
      """
    }
    return """
      version: 6.0.0
      type: DeclarativeSource
      definitions:
      \(stream("boards", "id: { type: string }, slug: { type: string }"))
      \(stream("teams", "id: { type: string }, info: { type: object }"))
      streams:
        - { $ref: "#/definitions/boards" }
        - { $ref: "#/definitions/teams" }
        - type: DeclarativeStream
          name: parts
          primary_key: id
          retriever:
            type: SimpleRetriever
            requester: { type: HttpRequester, url_base: https://api.example.com, path: "\(path)" }
            record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [] } }
            partition_router: \(router)
          schema_loader: { type: InlineSchemaLoader, schema: { properties: { id: { type: string } } } }
      spec: { connection_specification: { properties: { names: { type: array, items: { type: string } } } } }
      """
  }

  private static func substream(_ configs: String...) -> String {
    "{ type: SubstreamPartitionRouter, parent_stream_configs: [\(configs.joined(separator: ", "))] }"
  }

  private static func union(_ routers: String...) -> String {
    "{ type: UnionPartitionRouter, partition_field: p, partition_routers: [\(routers.joined(separator: ", "))] }"
  }

  private static let list = "{ type: ListPartitionRouter, cursor_field: p, values: [a, b] }"

  static let cases = [
    ImportCase(
      "a list and a parent", manifest(union(list, substream(parent("boards")))),
      has: ["union: [{ values: [a, b] }, boards]", "key: id", "path: \"/p/{{ parent.id }}/parts\""].map {
        $0.replacing("path: ", with: "")
      }),
    ImportCase(
      "values of the configuration",
      manifest(
        union("{ type: ListPartitionRouter, cursor_field: p, values: \"{{ config.get('names', []) }}\" }", list)),
      has: ["union:", "values: [a, b]", "key: p", "{{ parent.p }}"]),
    ImportCase(
      "unions of unions", manifest(union(list, union(substream(parent("teams")), substream(parent("boards"))))),
      has: ["union: [{ values: [a, b] }, teams, boards]", "key: id"]),
    ImportCase(
      "keys with different names",
      manifest(union(substream(parent("boards", key: "slug")), substream(parent("teams")))),
      has: ["union: [boards, teams]", "key: p", "from: $.slug", "from: $.id", "{{ parent.p }}"]),
    ImportCase(
      "keys in objects",
      manifest(union(substream(parent("teams", key: "info/code")), substream(parent("boards", key: "slug")))),
      has: ["from: $.info.code", "from: $.slug", "key: p"]),
    ImportCase(
      "several parents of one router", manifest(substream(parent("boards"), parent("teams"))),
      has: ["each: { union: [boards, teams] }", "{{ parent.id }}"], lacks: ["key: p"]),
    ImportCase(
      "an option of several parents",
      manifest(
        substream(
          parent("boards", more: ", request_option: { type: RequestOption, inject_into: header, field_name: X-P }"),
          parent("teams", more: ", request_option: { type: RequestOption, inject_into: header, field_name: X-P }")),
        path: "/parts"), has: ["union: [boards, teams]", "X-P: \"{{ parent.id }}\""]),
    ImportCase(
      "a union in a product",
      manifest(
        "[\(union(list, substream(parent("boards")))), { type: ListPartitionRouter, cursor_field: s, values: [x] }]",
        path: "/p/{{ stream_partition['p'] }}/{{ stream_partition['s'] }}"),
      has: ["union: [{ values: [a, b] }, boards]", "as: p", "as: s", "/p/{{ p.id }}/{{ s }}"]),
    ImportCase(
      "a field beside the key",
      manifest(
        union(list, substream(parent("boards", more: ", extra_fields: [[slug]]"))),
        path: "/p/{{ stream_partition['p'] }}/{{ stream_slice.extra_fields['slug'] }}"),
      has: ["coalesce(parent.slug, '')"]),
  ]

  private static func groups(_ inner: String, _ more: String = "") -> String {
    manifest(
      "{ type: GroupingPartitionRouter, group_size: 20, underlying_partition_router: \(inner) \(more) }",
      path: "/p/{{ stream_partition['p'] | join('-') }}")
  }

  static let groups = [
    ImportCase(
      "groups of a list", groups(list), has: ["each: { values: [a, b], batch: 20 }", "\"/p/{{ join(batch, '-') }}\""]),
    ImportCase(
      "groups of a union", groups(union(list, substream(parent("boards")))),
      has: ["union: [{ values: [a, b] }, boards]", "key: id", "batch: 20", "join(batch.map(x, x.id), '-')"]),
    ImportCase(
      "groups of records that their key tells", groups(substream(parent("boards"))),
      has: ["each: { flow: boards, batch: 20 }"]),
    ImportCase(
      "groups of values that several records may have", groups(substream(parent("boards", key: "slug"))),
      has: ["each: { union: [boards], key: slug, batch: 20 }", "batch.map(x, x.slug)"]),
    ImportCase(
      "groups with repeated values", groups(substream(parent("boards", key: "slug")), ", deduplicate: false"),
      has: ["each: { flow: boards, batch: 20 }"]),
    ImportCase(
      "groups of several parents", groups(substream(parent("boards"), parent("teams"))),
      has: ["each: { union: [boards, teams], key: id, batch: 20 }"]),
    ImportCase(
      "groups of several parents with repeated values",
      groups(substream(parent("boards"), parent("teams")), ", deduplicate: false"),
      has: ["each: { union: [boards, teams], batch: 20 }"]),
  ]

  @Test(arguments: groups) func `groups become batches`(_ row: ImportCase) throws {
    row.verify(try Imported(row.source))
  }

  @Test(arguments: cases) func `sources are used one after the other`(_ row: ImportCase) throws {
    row.verify(try Imported(row.source))
  }

  static let lost = [
    ImportCase(
      "another name of a partition",
      manifest(union(list, "{ type: ListPartitionRouter, cursor_field: q, values: [c] }"), path: "/p"),
      has: ["# not imported: partition_router: UnionPartitionRouter"], losses: [.partitions]),
    ImportCase(
      "groups in a union",
      manifest(
        union(list, "{ type: GroupingPartitionRouter, group_size: 2, underlying_partition_router: \(list) }"),
        path: "/p"),
      losses: [.partitions]),
    ImportCase(
      "options that differ",
      manifest(
        substream(
          parent("boards", more: ", request_option: { type: RequestOption, inject_into: header, field_name: X-P }"),
          parent("teams")), path: "/p"), has: ["# not imported: 2 parent streams of one router"], losses: [.partitions]),
    ImportCase(
      "a field that has the name already",
      manifest(
        union(
          "{ type: SubstreamPartitionRouter, parent_stream_configs: [\(parent("boards", key: "slug", field: "id"))] }",
          "{ type: SubstreamPartitionRouter, parent_stream_configs: [\(parent("teams", key: "info/code", field: "id"))] }"
        ).replacing("partition_field: p, partition_routers", with: "partition_field: id, partition_routers"), path: "/p"
      ),
      has: ["# not imported: the parent 'boards' of several"], losses: [.partitions]),
  ]

  @Test(arguments: lost) func `what cannot be translated is named`(_ row: ImportCase) throws {
    row.verify(try Imported(row.source))
  }
}
