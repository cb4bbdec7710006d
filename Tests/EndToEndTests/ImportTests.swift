import JSONSyntax
import TestSupport
import Testing

/// Manifests that are imported and run against a server.
@Suite(.timeLimit(.minutes(2))) struct ImportTests {
  private static func response(_ body: String) -> [ScriptedServer.Step] {
    [
      .send(
        Array(
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
      )
    ]
  }

  /// Orders in pages of two, with the day of their last change, and the lines of each order.
  private static func shop() throws -> ScriptedServer {
    try ScriptedServer { request in
      guard request["authorization"] == "Bearer k3y" else {
        return [.send(Array("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n".utf8))]
      }
      let (path, query) = (request.target.prefix { $0 != "?" }, request.target)
      if path.hasSuffix("/lines") {
        let order = path.split(separator: "/")[2]
        return response(
          "{\"data\":[{\"no\":1,\"sku\":\"a\",\"gone\":false},{\"no\":2,\"sku\":\"b\(order)\",\"gone\":true}]}")
      }
      let all = (1...5).map {
        "{\"id\":\($0),\"total\":\($0).50,\"secret\":\"x\",\"meta\":{\"a\":\($0),\"b\":\"\"},\"updated_at\":\"2024-01-0\($0)T00:00:00Z\"}"
      }
      let since = query.firstMatch(of: /since=2024-01-0([0-9])/).flatMap { Int($0.1) } ?? 1
      let page = query.firstMatch(of: /page=([0-9]+)/).flatMap { Int($0.1) } ?? 1
      let found = all.dropFirst(since - 1).dropFirst((page - 1) * 2).prefix(2)
      return response("{\"data\":[\(found.joined(separator: ","))]}")
    }
  }

  private static func manifest(_ url: String) -> String {
    """
    version: 6.0.0
    type: DeclarativeSource
    definitions:
      requester: { type: HttpRequester, url_base: "\(url)/v1/", authenticator: { type: BearerAuthenticator, api_token: "{{ config['api_key'] }}" } }
      selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [data] } }
      orders:
        type: DeclarativeStream
        name: orders
        primary_key: id
        retriever:
          type: SimpleRetriever
          requester: { $ref: "#/definitions/requester", path: orders, request_parameters: { state: "{{ config.get('state') }}" } }
          record_selector: "#/definitions/selector"
          paginator:
            type: DefaultPaginator
            page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: page }
            pagination_strategy: { type: PageIncrement, page_size: 2, start_from_page: 1 }
        incremental_sync:
          type: DatetimeBasedCursor
          cursor_field: updated_at
          datetime_format: "%Y-%m-%dT%H:%M:%SZ"
          start_datetime: "{{ config['start_date'] }}"
          start_time_option: { type: RequestOption, inject_into: request_parameter, field_name: since }
        transformations:
          - { type: AddFields, fields: [{ path: [label], value: "{{ record['id'] }}: {{ config['region'] | upper }}" }] }
          - { type: RemoveFields, field_pointers: [[secret]] }
          - { type: RemoveFields, field_pointers: [[meta, a], [meta, b], [secret, x]], condition: "{{ not property }}" }
        schema_loader: { type: InlineSchemaLoader, schema: { type: object, properties: { id: { type: integer }, total: { type: number }, updated_at: { type: string, format: date-time }, secret: { type: string }, meta: { type: object } } } }
      lines:
        type: DeclarativeStream
        name: lines
        primary_key: [order_id, no]
        retriever:
          type: SimpleRetriever
          requester: { $ref: "#/definitions/requester", path: "orders/{{ stream_partition.order_id }}/lines" }
          record_selector: { $ref: "#/definitions/selector", record_filter: { condition: "{{ not record['gone'] }}" } }
          partition_router: { type: SubstreamPartitionRouter, parent_stream_configs: [{ stream: "#/definitions/orders", parent_key: id, partition_field: order_id }] }
        transformations: [{ type: AddFields, fields: [{ path: [order_id], value: "{{ stream_partition['order_id'] }}" }] }]
        schema_loader: { type: InlineSchemaLoader, schema: { type: object, properties: { order_id: { type: integer }, no: { type: integer }, sku: { type: string } } } }
    streams: ["#/definitions/orders", "#/definitions/lines"]
    spec:
      connection_specification:
        required: [api_key, start_date]
        properties:
          api_key: { type: string, airbyte_secret: true }
          start_date: { type: string, format: date-time }
          region: { type: string, default: eu }
          state: { type: string }
    """
  }

  @Test func `imported flows give the records of the manifest's streams`() async throws {
    let server = try Self.shop()
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(Self.manifest(server.url), to: "manifest.yaml")
    let imported = try await workspace.reactor("import", "airbyte", "manifest.yaml", "-o", "flows/shop.yaml")
    #expect(imported.status == 0 && imported.stderr.isEmpty, "\(imported.stderr)")
    #expect(imported.stdout == "flows/shop.yaml  2 flows, 2 without a loss\n")
    let arguments = ["run", "--var", "start_date=2024-01-02T00:00:00Z"]
    let run = try await workspace.start(arguments).end()
    #expect(run.status != 0)
    let first = try await workspace.start(arguments, environment: ["API_KEY": "k3y"]).end()
    #expect(first.status == 0, "\(first.stdout)\(first.stderr)\(workspace.text("flows/shop.yaml") ?? "")")
    let orders = (2...5).map {
      "{\"id\":\($0),\"total\":\($0).50,\"updated_at\":\"2024-01-0\($0)T00:00:00Z\",\"meta\":{\"a\":\($0)},\"label\":\"\($0): EU\"}\n"
    }
    #expect(workspace.text("out/orders.jsonl") == orders.joined())
    let lines = (2...5).map { "{\"order_id\":\($0),\"no\":1,\"sku\":\"a\"}\n" }
    #expect(
      workspace.text("out/lines.jsonl") == lines.joined(),
      "\(first.stdout)\(first.stderr)\(server.requests.map(\.target))")
    // The pull ends with the short page, and the next one begins where this one ended.
    let pages = server.requests.map(\.target).filter { $0.hasPrefix("/v1/orders?") }
    #expect(
      pages.count == 3 && pages.allSatisfy { $0.contains("since=2024-01-02T00%3A00%3A00Z") && !$0.contains("state") },
      "\(pages)")
    let before = server.requests.count
    #expect(try await workspace.start(arguments + ["-s", "orders"], environment: ["API_KEY": "k3y"]).end().status == 0)
    let next = server.requests.dropFirst(before).map(\.target).filter { $0.hasPrefix("/v1/orders?") }
    #expect(next.count == 1 && next.allSatisfy { $0.contains("since=2024-01-05") }, "\(next)")
    #expect(workspace.text("out/orders.jsonl") == orders.joined())
  }

  /// A table for whoever sends the token or a signed one.
  private static func export() throws -> ScriptedServer {
    try ScriptedServer { request in
      let credential = request["authorization"] ?? ""
      guard credential == "Bearer t0ken" || credential.hasPrefix("Bearer ey") else {
        return [.send(Array("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n".utf8))]
      }
      let body = "sku;left;ok;sold_at\na;5;yes;2024-01-01T00:00:00Z\nb;;no;02.01.2024\nc;7;;\n"
      return [
        .send(
          Array(
            "HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
      ]
    }
  }

  @Test func `an imported table is read with the chosen authorization`() async throws {
    let server = try Self.export()
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(
      """
      streams:
        - name: stock
          primary_key: sku
          retriever:
            requester:
              type: HttpRequester
              url_base: "\(server.url)"
              path: /export.csv
              authenticator:
                type: SelectiveAuthenticator
                authenticator_selection_path: [credentials, kind]
                authenticators:
                  token: { type: BearerAuthenticator, api_token: "{{ config['credentials']['token'] }}" }
                  signed: { type: JwtAuthenticator, secret_key: "{{ config['credentials']['key'] }}", algorithm: HS256, header_prefix: Bearer, jwt_payload: { iss: shop } }
            record_selector: { extractor: { type: DpathExtractor, field_path: [] } }
            decoder: { type: CsvDecoder, delimiter: ";" }
          incremental_sync: { type: DatetimeBasedCursor, cursor_field: sold_at, cursor_datetime_formats: ["%Y-%m-%dT%H:%M:%SZ", "%d.%m.%Y"], datetime_format: "%Y-%m-%d", start_datetime: "2023-01-01", start_time_option: { type: RequestOption, inject_into: request_parameter, field_name: since } }
          schema_loader: { type: InlineSchemaLoader, schema: { properties: { sku: { type: string }, left: { type: integer }, ok: { type: boolean }, sold_at: { type: [string, "null"] } } } }
      spec:
        connection_specification:
          properties:
            credentials:
              oneOf:
                - properties: { kind: { const: token }, token: { type: string, airbyte_secret: true } }
                - properties: { kind: { const: signed }, key: { type: string, airbyte_secret: true } }
      """, to: "manifest.yaml")
    let imported = try await workspace.reactor("import", "airbyte", "manifest.yaml", "-o", "flows/shop.yaml")
    #expect(imported.stdout == "flows/shop.yaml  1 flow, 1 without a loss\n", "\(imported.stdout)\(imported.stderr)")
    let run = try await workspace.start(["run"], environment: ["CREDENTIALS_TOKEN": "t0ken"]).end()
    #expect(run.status == 0, "\(run.stdout)\(run.stderr)\(workspace.text("flows/shop.yaml") ?? "")")
    let records = """
      {"sku":"a","left":5,"ok":true,"sold_at":"2024-01-01T00:00:00Z"}
      {"sku":"b","left":null,"ok":false,"sold_at":"2024-01-02T00:00:00Z"}
      {"sku":"c","left":7,"ok":null,"sold_at":null}

      """
    #expect(workspace.text("out/stock.jsonl") == records)
    #expect(try await workspace.start(["run"], environment: ["CREDENTIALS_TOKEN": "t0ken"]).end().status == 0)
    #expect(workspace.text("out/stock.jsonl") == records)
    // The other case needs only its own secret; with other credentials the range begins anew.
    let other = try await workspace.start(
      ["run", "--var", "credentials_kind=signed"],
      environment: ["CREDENTIALS_KEY": "a-shared-key-of-more-than-32-bytes!"]
    ).end()
    #expect(other.status == 0, "\(other.stdout)\(other.stderr)")
    #expect(workspace.text("out/stock.jsonl") == records)
    let starts = server.requests.map { $0.target.split(separator: "=").last ?? "" }
    #expect(starts == ["2023-01-01", "2024-01-02", "2023-01-01"])
    #expect(server.requests.last?["authorization"]?.hasPrefix("Bearer ey") ?? false)
  }

  @Test func `the command reports what it cannot carry over`() async throws {
    let workspace = try Workspace()
    let stream =
      "{ name: a, retriever: { requester: { type: HttpRequester, url_base: 'https://a.example.com', path: a, authenticator: { type: CustomAuthenticator, class_name: x.Y } } } }"
    try workspace.write("streams:\n  - \(stream)\n", to: "m/manifest.yaml")
    let imported = try await workspace.reactor("import", "airbyte", "m/manifest.yaml")
    #expect(imported.status == 0)
    #expect(imported.stdout.contains("# not imported: authenticator: x.Y (line 2)"), "\(imported.stdout)")
    #expect(
      imported.stderr.contains("warning: m/manifest.yaml:2: a: not imported: authenticator: x.Y"), "\(imported.stderr)")
    let report = try await workspace.reactor(
      "import", "airbyte", "m/manifest.yaml", "--report", "json", "-o", "flows/a.yaml")
    #expect(report.status == 0 && report.stderr.isEmpty)
    let json = try JSONValue(parsing: report.stdout)
    #expect(json["streams"]?.int64 == 1 && json["flows"] == ["a"] && json["complete"] == [])
    #expect(json["losses_by_kind"] == ["custom-code": 1])
    #expect(json["losses"]?.array?.first?["path"] == "streams[0].retriever.requester.authenticator")
    #expect(json["losses"]?.array?.first?["line"] == 2)
    #expect(try await workspace.reactor("check").status == 0)
    // A file is replaced only on demand.
    #expect(try await workspace.reactor("import", "airbyte", "m/manifest.yaml", "-o", "flows/a.yaml").status == 2)
    #expect(
      try await workspace.reactor("import", "airbyte", "m/manifest.yaml", "-o", "flows/a.yaml", "--force").status == 0)
    // Files that cannot be imported at all.
    #expect(try await workspace.reactor("import", "airbyte", "nothing.yaml").status == 3)
    #expect(try await workspace.reactor("import", "airbyte", "flows/a.yaml").status == 3)
    try workspace.write("streams: [{ name: a, retriever: { type: CustomRetriever, class_name: x.Y } }]", to: "b.yaml")
    let none = try await workspace.reactor("import", "airbyte", "b.yaml", "-o", "flows/b.yaml")
    #expect(none.status == 3 && none.stderr.contains("x.Y") && workspace.text("flows/b.yaml") == nil, "\(none.stderr)")
  }

  @Test func `schemas in files are read beside the manifest`() async throws {
    let workspace = try Workspace()
    try workspace.write(
      "streams:\n  - { name: a, primary_key: id, schema_loader: { type: JsonFileSchemaLoader, file_path: \"./source_x/schemas/{{ parameters['name'] }}.json\" }, $parameters: { name: a }, retriever: { requester: { type: HttpRequester, url_base: 'https://a.example.com', path: a } } }\n",
      to: "source_x/manifest.yaml")
    try workspace.write(
      #"{ "type": "object", "properties": { "id": { "type": "integer" } } }"#, to: "source_x/schemas/a.json")
    let imported = try await workspace.reactor("import", "airbyte", "source_x/manifest.yaml")
    #expect(imported.stdout.contains("id: integer") && imported.stderr.isEmpty, "\(imported.stdout)\(imported.stderr)")
  }
}
