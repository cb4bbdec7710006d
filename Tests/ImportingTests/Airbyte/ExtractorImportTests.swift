import FlowModel
import FlowSpec
import Importing
import JSONSyntax
import Reshape
import Testing

/// Records that no single path finds, compared with what the other program makes of a response.
@Suite(.timeLimit(.minutes(1))) struct ExtractorImportTests {
  private static func manifest(_ selector: String, decoder: String = "", more: String = "") -> String {
    Manifest.with(
      """
        - type: DeclarativeStream
          name: items
          primary_key: id
          retriever:
            type: SimpleRetriever
            requester: { type: HttpRequester, url_base: https://api.example.com, path: /items }
            record_selector: { type: RecordSelector, extractor: { \(selector) } }
            \(decoder)
          \(more)
          schema_loader: { type: InlineSchemaLoader, schema: { properties: { id: { type: string } } } }
      """)
  }

  private static func combined(_ paths: String..., more: String = "") -> String {
    let extractors = paths.map { "{ type: DpathExtractor, field_path: \($0) }" }.joined(separator: ", ")
    return "type: CombinedExtractor, extractors: [\(extractors)]\(more)"
  }

  private static func expanded(_ path: String, _ more: String = "") -> String {
    "type: DpathExtractor, field_path: [], record_expander: { type: RecordExpander, expand_records_from_field: \(path)\(more) }"
  }

  /// What the program of the only flow makes of a response, as JSON texts.
  private static func records(_ manifest: String, _ response: String) throws -> [String] {
    let imported = try Imported(manifest)
    #expect(imported.report.losses.map(\.what) == [], "\(imported.text)")
    let flow = try #require(imported.flows.first)
    let program = try #require(flow.pull.mapping.reshape, "\(imported.text)").program.value
    let whole = try JSONValue(parsing: Array(response.utf8))
    let inputs = flow.pull.mapping.reshape?.isForEach == true ? whole.array ?? [whole] : [whole]
    var found: [String] = []
    for input in inputs {
      try program.run(input) { (result: JSONValue) throws(Never) in found.append(result.text) }
    }
    return found
  }

  @Test(arguments: [
    (combined("[a]", "[b, c]"), #"{"a":[{"id":1},{"id":2}],"b":{"c":{"id":3}}}"#, [1, 2, 3]),
    (combined("[a]", "[b, c]"), #"{"b":{"c":[{"id":3}]}}"#, [3]),
    (combined("[a]", "[b, c]"), #"{"a":null,"b":[1]}"#, []), (combined("[a]", "[b]"), #"{"a":{},"b":[]}"#, []),
    (combined("[a]", "[b]"), #"[{"a":[{"id":1}]},{"b":{"id":2}},{"a":{"id":3}}]"#, [1, 3, 2]),
    (combined("[b, '*', c, '*']", "[a]"), #"{"a":{"id":9},"b":[{"c":[{"id":1}]},{"c":[{"id":2}]},{}]}"#, [1, 2, 9]),
    (combined("[b, '*']", "[]"), #"{"id":5,"b":{"x":{"id":1},"y":{"id":2}}}"#, [1, 2, 5]),
    (combined("[a]", "[b]", "[c]", more: ", mode: first_match"), #"{"b":[{"id":2}],"c":[{"id":3}]}"#, [2]),
    (combined("[a]", "[b]", more: ", mode: first_match"), #"{"a":{"id":1},"b":[{"id":2}]}"#, [1]),
    (combined("[a]", "[b]", more: ", mode: first_match"), #"{"a":[],"b":null}"#, []),
    (
      combined("[a]", "[b]", more: ", mode: first_match, skip_empty_records: true"),
      #"{"a":[null,{},""],"b":[null,{"id":2}]}"#, [2]
    ),
    (combined("[a]", "[b]", more: ", skip_empty_records: true"), #"{"a":[null,{"id":1}],"b":[0,[]]}"#, [1]),
    (combined("[a]", more: ", skip_empty_records: true"), #"{"a":[null,{"id":1}]}"#, [1]),
    (
      "type: CombinedExtractor, mode: first_match, extractors: [{ \(combined("[a]", "[b]")) }, { type: DpathExtractor, field_path: [c] }]",
      #"{"b":[{"id":2}],"c":[{"id":3}]}"#, [2]
    ),
    (
      "type: CombinedExtractor, extractors: [{ \(expanded("[l]")) }, { type: DpathExtractor, field_path: [c] }]",
      #"{"l":[{"id":2}],"c":[{"id":3}]}"#, [2, 3]
    ),
  ])
  func `several paths become one program`(_ selector: String, _ response: String, _ ids: [Int]) throws {
    #expect(try Self.records(Self.manifest(selector), response) == ids.map { #"{"id":\#($0)}"# }.map(Self.only))
  }

  /// The record that holds the whole response has more members.
  private static func only(_ text: String) -> String {
    text == #"{"id":5}"# ? #"{"id":5,"b":{"x":{"id":1},"y":{"id":2}}}"# : text
  }

  @Test(arguments: [
    (
      expanded("[l]"), #"[{"id":1,"l":[{"n":1},{"n":2}]},{"id":2,"l":[]},{"id":3},{"l":{"a":1}}]"#,
      [#"{"n":1}"#, #"{"n":2}"#]
    ),
    (
      expanded("[l]", ", on_no_records: emit_parent"), #"[{"l":[{"n":1}]},{"id":2,"l":[]}]"#,
      [#"{"n":1}"#, #"{"id":2,"l":[]}"#]
    ),
    (expanded("[l]"), #"[5,{"l":[{"n":1}]}]"#, ["5", #"{"n":1}"#]),
    (expanded("[s, '*', l]"), #"{"s":[{"l":[{"n":1}]},{"l":[{"n":2}]},{"l":3}]}"#, [#"{"n":1}"#, #"{"n":2}"#]),
    (
      expanded("[a, l]", ", merge_parent: true"), #"{"id":1,"n":0,"a":{"k":2,"l":[{"n":1},5]}}"#,
      [#"{"id":1,"n":1,"a":{"k":2}}"#, #"{"id":1,"n":0,"a":{"k":2},"value":5}"#]
    ),
    (
      expanded("[s, '*', l]", ", merge_parent: true"), #"{"s":[{"k":1,"l":[{"n":1}]},{"l":3}]}"#,
      [#"{"s":[{"k":1},{"l":3}],"n":1}"#]
    ),
    (
      expanded(
        "[l]",
        ", parent_fields: [{ parent_path: [id], record_path: [of, id] }, { parent_path: [no, x], record_path: [z] }]"),
      #"{"id":7,"l":[{"n":1}]}"#, [#"{"n":1,"of":{"id":7},"z":null}"#]
    ),
    (
      expanded("[l]", ", remain_original_record: true, parent_fields: [{ parent_path: [id], record_path: [id] }]"),
      #"{"id":7,"l":[{"id":1}]}"#, [#"{"id":7,"original_record":{"id":7,"l":[{"id":1}]}}"#]
    ),
  ])
  func `lists in records become records`(_ selector: String, _ response: String, _ records: [String]) throws {
    #expect(try Self.records(Self.manifest(selector), response) == records)
  }

  @Test func `elements of a list are read one by one`() throws {
    let decoder = "decoder: { type: JsonItemsDecoder, items_path: data.users }"
    let plain = try Imported(Self.manifest("type: DpathExtractor, field_path: []", decoder: decoder))
    #expect(plain.report.losses.isEmpty && plain.text.contains("records: $.data.users"), "\(plain.text)")
    let inner = try Imported(Self.manifest("type: DpathExtractor, field_path: [u]", decoder: decoder))
    #expect(inner.report.losses.isEmpty && inner.text.contains("records: $.data.users") && inner.text.contains("each:"))
    let items = Self.manifest(
      "type: DpathExtractor, field_path: [u]", decoder: "decoder: { type: JsonItemsDecoder, items_path: a.item }")
    for response in [#"{"a":[[{"u":{"id":1}}],[{"u":{"id":2}},{}]]}"#, #"{"a":{"item":[{"u":[{"id":1},{"id":2}]}]}}"#] {
      #expect(try Self.records(items, response) == [#"{"id":1}"#, #"{"id":2}"#])
    }
  }

  @Test func `a path in rows comes before the lists in their records`() throws {
    let manifest = Self.manifest(
      "type: DpathExtractor, field_path: [r], record_expander: { type: RecordExpander, expand_records_from_field: [l] }",
      decoder: "decoder: { type: JsonlDecoder }")
    #expect(try Self.records(manifest, #"{"r":{"l":[{"id":1}]}}"#) == [#"{"id":1}"#])
  }

  @Test(arguments: [
    (
      expanded("[l]", ", truncation_indicator_path: [m], truncated_list_retriever: { type: SimpleRetriever }"),
      ["record_expander of 'l'"]
    ),
    (combined("[a, '0']", "[b]"), ["extractor: CombinedExtractor of 'a.0', 'b'"]),
    (expanded("['a*']"), ["record_expander of 'a*'"]),
  ])
  func `what cannot be translated is named`(_ selector: String, _ losses: [String]) throws {
    #expect(try Imported(Self.manifest(selector)).report.losses.map(\.what) == losses)
  }

  private static func paginator(_ strategy: String) -> String {
    "paginator: { type: DefaultPaginator, page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: page }, pagination_strategy: { \(strategy) } }"
  }

  @Test(arguments: [
    ("type: PageIncrement, page_size: 2", true), ("type: OffsetIncrement, page_size: 2", true),
    (
      "type: CursorPagination, cursor_value: \"{{ response.next }}\", stop_condition: \"{{ last_page_size == 0 }}\"",
      true
    ),
    ("type: CursorPagination, cursor_value: \"{{ response.next }}\"", false),
  ])
  func `pages count the records that lists give`(_ strategy: String, _ isCounted: Bool) throws {
    let manifest = Self.manifest(
      Self.expanded("[l]").replacing("field_path: []", with: "field_path: [d]"), decoder: Self.paginator(strategy))
    let imported = try Imported(manifest)
    #expect(imported.report.losses.isEmpty)
    #expect(imported.flows.first?.pull.mapping.reshape?.isForEach == !isCounted, "\(imported.text)")
    if isCounted {
      #expect(try Self.records(manifest, #"{"d":[{"l":[{"n":1},{"n":2}]},{}]}"#) == [#"{"n":1}"#, #"{"n":2}"#])
    }
  }

  @Test func `records of rows that are counted are a loss`() throws {
    let manifest = Self.manifest(
      Self.expanded("[l]"),
      decoder: "decoder: { type: JsonlDecoder }\n      " + Self.paginator("type: PageIncrement, page_size: 2"))
    let losses = try Imported(manifest).report.losses.map(\.what)
    #expect(losses.contains("pages that count the records of a record_expander"))
  }

  @Test func `records that are left out and counted are a loss`() throws {
    let manifest = Self.manifest(
      Self.combined("[a]", "[b]", more: ", skip_empty_records: true"),
      decoder: Self.paginator("type: PageIncrement, page_size: 2"))
    #expect(try Imported(manifest).report.losses.map(\.what) == ["skip_empty_records"])
  }
}
