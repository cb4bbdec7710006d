import Importing
import Testing

/// Requests that list properties.
@Suite(.timeLimit(.minutes(1))) struct PropertyImportTests {
  private static let names = "property_list: [clicks, likes, shares]"
  private static let merged = "record_merge_strategy: { type: GroupByKeyMergeStrategy, key: id }"
  private static let endpoint =
    "property_list: { type: PropertiesFromEndpoint, property_field_path: [name], retriever: { type: SimpleRetriever, requester: { type: HttpRequester, url_base: https://api.example.com, path: /fields }, record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [] } } } }"

  /// A stream whose parameter `fields` lists properties.
  private static func listed(_ properties: String, stream: String = "") -> String {
    Manifest.with(
      Manifest.stream(
        requester: "path: /items, request_parameters: { fields: { type: QueryProperties, \(properties) } }",
        stream: stream))
  }

  private static func chunked(_ chunking: String, _ more: String = "", names: String = names) -> String {
    "\(names), property_chunking: { type: PropertyChunking, \(chunking) }\(more)"
  }

  static let cases: [ImportCase] = [
    ImportCase(
      "a list", listed(names), has: ["query: { fields: \"clicks,likes,shares\" }"], lacks: ["field_groups"]),
    ImportCase(
      "names that are in each request", listed("\(names), always_include_properties: [id, likes]"),
      has: ["query: { fields: \"id,likes,clicks,shares\" }"]),
    ImportCase(
      "groups by number", listed(chunked("property_limit_type: property_count, property_limit: 2, \(merged)")),
      has: [
        "query: { fields: \"{{ join(field_group, ',') }}\" }",
        "fields: [clicks, likes, shares]", "max: 2", "by: $.id", "partial: keep",
      ]),
    // Names of each group do not count there.
    ImportCase(
      "groups by number with names in each",
      listed(chunked("property_limit: 2, \(merged)", ", always_include_properties: [id, day]")),
      has: ["key: [id, day]", "max: 4"], lacks: ["max_bytes"]),
    // clicks, and likes, are 13 characters there, and 12 here.
    ImportCase(
      "groups by characters",
      listed(
        chunked("property_limit_type: characters, property_limit: 13, \(merged)", ", always_include_properties: [id]")),
      has: ["max_bytes: 15"], lacks: ["max:"]),
    ImportCase(
      "a key of several members",
      listed(
        chunked("property_limit: 2, record_merge_strategy: { type: GroupByKeyMergeStrategy, key: [day, the ad] }")),
      has: ["by: [$.day, \"$['the ad']\"]"]),
    ImportCase(
      "names that one request has all", listed(chunked("property_limit: 3, \(merged)")),
      has: ["query: { fields: \"clicks,likes,shares\" }"], lacks: ["field_groups"]),
    ImportCase(
      "no limit", listed(chunked(merged)), has: ["query: { fields: \"clicks,likes,shares\" }"], lacks: ["field_groups"]),
    ImportCase(
      "records without a key stay apart", listed(chunked("property_limit: 2")),
      has: ["# not imported: property_chunking without 'record_merge_strategy: GroupByKeyMergeStrategy'"],
      lacks: ["field_groups:"], losses: [.request]),
    ImportCase(
      "a key that is added",
      listed(
        chunked("property_limit: 2, \(merged)"),
        stream: "transformations: [{ type: AddFields, fields: [{ path: [id], value: \"{{ record['number'] }}\" }] }]"),
      lacks: ["field_groups:"], losses: [.request]),
    ImportCase(
      "a key that its transformations leave as it is",
      listed(
        chunked("property_limit: 2, \(merged)"),
        stream:
          "transformations: [{ type: KeysReplace, old: ' ', new: _ }, { type: KeysToSnakeCase }, { type: KeysToLower }]"
      ),
      has: ["by: $.id"]),
    ImportCase(
      "a key that is renamed",
      listed(
        chunked("property_limit: 2, \(merged)"), stream: "transformations: [{ type: KeysReplace, old: i, new: I }]"),
      lacks: ["field_groups:"], losses: [.request]),
    ImportCase(
      "names of the schema",
      listed("property_list: [id, clicks, name], property_selector: { type: JsonSchemaPropertySelector }"),
      has: ["query: { fields: \"id,name\" }"]),
    ImportCase(
      "names in other parts of the request",
      Manifest.with(
        Manifest.stream(
          requester:
            "path: /items, query_properties: { type: QueryProperties, \(chunked("property_limit: 2, \(merged)", names: "property_list: [day, clicks, week, 'clicks,likes']")) }, request_parameters: { period: \"{{ stream_partition.extra_fields['query_properties'][0] }}\", metric: \"{{ stream_partition.extra_fields['query_properties'][1] }}\" }"
        )),
      has: [
        "period: \"{{ optional(field_group[0]) }}\"", "metric: \"{{ optional(field_group[1]) }}\"",
        "fields: [day, clicks, week, \"clicks,likes\"]",
      ]),
    ImportCase(
      "names of an endpoint",
      listed(chunked("property_limit_type: characters, property_limit: 100, \(merged)", names: endpoint)),
      has: [
        "items_properties:", "each: { flow: items_properties, batch: 10000 }",
        "fields: \"{{ batch.map(x, string(x.name)) }}\"",
        "max_bytes: 99", "by: $.id",
      ]),
    ImportCase(
      "names of an endpoint in one request", listed("\(endpoint), always_include_properties: [id]"),
      has: ["fields: \"{{ join(['id'] + batch.map(x, string(x.name)), ',') }}\""], lacks: ["field_groups"]),
    ImportCase(
      "names of an endpoint beside a cursor",
      listed(
        chunked("property_limit: 2, \(merged)", names: endpoint),
        stream:
          "incremental_sync: { type: DatetimeBasedCursor, cursor_field: updated_at, datetime_format: '%Y-%m-%dT%H:%M:%SZ', start_datetime: \"{{ config['start_date'] }}\", start_time_option: { type: RequestOption, inject_into: request_parameter, field_name: since } }"
      ), has: ["# not imported: property_list: PropertiesFromEndpoint"], lacks: ["field_groups"], losses: [.request]),
  ]

  @Test(arguments: cases)
  func `properties become names of the request`(_ test: ImportCase) throws { test.verify(try Imported(test.source)) }
}
