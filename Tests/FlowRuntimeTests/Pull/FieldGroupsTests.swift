import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import ReactorCore
import SourceDiagnostics
import Storage
import Synchronization
import Testing
import TestSupport

/// Requests that are sent once for each group of fields.
@Suite struct FieldGroupsTests {
  static let schema =
    "schema: { key: id, fields: { id: integer, name: string, city: string, mail: string, age: integer } }"
  static let query = "resource: { path: /people, query: { fields: \"{{ join(field_group, ',') }}\" } }"
  static let pages = "records: $.data\npages: { by: page, query: page, count: $.pages, parallel: 1 }"

  private func keys(_ groups: String, resource: String = query, pages: String = pages) -> String {
    "\(resource)\n\(Self.schema)\n\(pages)\nfield_groups: { \(groups) }"
  }

  @Test(arguments: [
    "max: 3", "max_bytes: 12", "max: 3, fields: [name, city, mail, age], key: [id], by: $.id",
    "max: 3, fields: \"{{ schema.fields }}\", key: id",
    "max: 100, max_bytes: 12, fields: [id, id, name, city, mail, age, age], key: id",
  ])
  func `each page is requested once for each group, and the records are joined`(_ groups: String) async throws {
    try await Rig.with { rig in
      rig.answer(FieldShop.page)
      let run = await rig.run(try rig.flow(keys(groups)))
      #expect(run.message == "" && run.kept == 5)
      let groups = ["id,name,city", "id,mail,age"]
      #expect(rig.targets == (1...3).flatMap { page in groups.map { "/people?fields=\($0)&page=\(page)" } })
      #expect(rig.result == FieldShop.lines)
      #expect(run.outcome?.pages == 3)
    }
  }

  @Test func `all received bytes count`() async throws {
    try await Rig.with { rig in
      let body = #"{"data":[{"id":1,"name":"a","city":"b","mail":"c","age":1}],"pages":1}"#
      rig.answer { _ in ok(body) }
      let run = await rig.run(try rig.flow(keys("max: 2")))
      #expect(run.outcome?.bytes == 4 * body.utf8.count && rig.server.requests.count == 4)
    }
  }

  @Test func `with a single group the response is read unchanged`() async throws {
    try await Rig.with(ok(#"[{"b":1.50,"id":1}]"#)) { rig in
      let flows = try rig.flows(
        """
        users:
          \(Self.query)
          field_groups: { fields: [id, b], max: 2, by: $.no }
          persistence: { path: users.jsonl }
        """)
      #expect(await rig.run(flows).map(\.message) == [""])
      // Records that are joined need the key.
      #expect(rig.result == "{\"b\":1.50,\"id\":1}\n" && rig.targets == ["/people?fields=id,b"])
    }
  }

  @Test func `names can come from a variable`() async throws {
    try await Rig.with { rig in
      rig.answer(FieldShop.page)
      let top = "vars: { wanted: { type: list, default: [name, city, mail, age] } }"
      let flow = try rig.flow(keys("fields: \"{{ vars.wanted }}\", key: id, max: 2"), top: top)
      #expect(await rig.run(flow).kept == 5)
      #expect(rig.result == FieldShop.lines && rig.server.requests.count == 12)
    }
  }

  @Test func `names can come from the records of a file`() async throws {
    try await Rig.with { rig in
      let names = ["name", "city", "mail", "age"].map { "{\"name\":\"\($0)\"}\n" }.joined()
      try rig.scratch.write(names.utf8, to: "fields.jsonl")
      rig.answer(FieldShop.page)
      let each = "each: { file: fields.jsonl, batch: 100 }\n"
      let flow = try rig.flow(each + keys("fields: \"{{ batch.map(f, f.name) }}\", key: id, max: 3"))
      #expect(await rig.run(flow).message == "")
      #expect(rig.result == FieldShop.lines && rig.server.requests.count == 6)
    }
  }

  @Test(arguments: [
    ("path: \"/people/{{ join(field_group, '-') }}\"", "/people/id-name-city"),
    ("path: \"/people/{f}\", params: { f: \"{{ field_group }}\" }", "/people/id,name,city"),
    ("path: /people, query: { f: \"{{ field_group }}\", n: \"{{ page.number }}\" }", "/people?f=id&f=name&f=city&n=1"),
    ("path: /people, headers: { X-Fields: \"{{ join(field_group, ' ') }}\" }", "/people"),
    (
      "method: POST, path: /people, body: { json: { fields: \"{{ field_group }}\", first: \"{{ field_group[0] }}\" } }",
      "/people"
    ),
  ])
  func `the names can be anywhere in the request`(_ resource: String, _ target: String) async throws {
    try await Rig.with { rig in
      rig.answer { _ in ok(#"{"data":[{"id":1,"name":"a","city":"b","mail":"c","age":1}],"pages":1}"#) }
      let run = await rig.run(try rig.flow(keys("max: 3", resource: "resource: { \(resource) }")))
      #expect(run.message == "" && run.kept == 1 && rig.server.requests.count == 2)
      let first = try #require(rig.server.requests.first)
      #expect(rig.targets.first?.replacing("&page=1", with: "").replacing("?page=1", with: "") == target)
      #expect(
        ["GET": first["x-fields"] ?? "id name city"][first.method, default: ""]
          == (first.method == "GET" ? "id name city" : ""))
      let body = String(decoding: first.body, as: UTF8.self)
      #expect(first.method == "GET" || body == #"{"fields":["id","name","city"],"first":"id"}"#)
    }
  }

  @Test func `each request has the bounds of the cursor and the values of its parent`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        let call = FieldShop.call(request)
        let id = request.target.contains("shop=1") ? 1 : 2
        let members = ["id": "\(id)", "at": "\"2024-01-01T00:00:00Z\"", "name": "\"a\""]
        return ok("[{" + call.fields.map { "\"\($0)\":\(members[$0] ?? "null")" }.joined(separator: ",") + "}]")
      }
      let flow = try rig.flow(
        """
        each: { values: [1, 2], as: shop, concurrency: 1 }
        resource: { path: /people, query: { shop: "{{ shop }}", fields: "{{ join(field_group, ',') }}" } }
        schema: { key: id, fields: { id: integer, at: timestamp, name: string } }
        cursor: { field: at, query: since, start: 2024-01-01 }
        field_groups: { max: 2 }
        persistence: { path: users.jsonl, mode: merge }
        """)
      #expect(await rig.run(flow).message == "")
      #expect(
        rig.targets
          == [1, 2].flatMap { shop in
            ["id,at", "id,name"].map { "/people?shop=\(shop)&fields=\($0)&since=2024-01-01T00:00:00Z" }
          })
      #expect(rig.result?.split(separator: "\n").count == 2)
    }
  }

  @Test func `pages that are known beforehand are joined each for itself`() async throws {
    try await Rig.with { rig in
      rig.answer(FieldShop.page)
      let pages = "records: $.data[*]\npages: { by: page, query: page, count: $.pages, parallel: 2 }"
      let run = await rig.run(try rig.flow(keys("max: 3", pages: pages)))
      #expect(run.message == "" && rig.result == FieldShop.lines && rig.server.requests.count == 6)
    }
  }

  // MARK: - The next page

  @Test func `the first response decides about the next page`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        let call = FieldShop.call(request)
        let next = call.fields.contains("name") ? call.page < 3 ? "\(call.page + 1)" : "null" : "\"other\""
        return ok(#"{"data":[\#(FieldShop.objects(call).joined(separator: ","))],"next":\#(next)}"#)
      }
      let run = await rig.run(
        try rig.flow(keys("max: 3", pages: "records: $.data\npages: { by: cursor, from: $.next, query: page }")))
      #expect(run.message == "" && rig.result == FieldShop.lines)
      #expect(rig.server.requests.count == 6)
    }
  }

  private static func linked(_ fields: String) -> @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step] {
    { request in
      let call = FieldShop.call(request)
      let listed = call.fields.joined(separator: "%2C")
      let next =
        call.page < 3 ? "\"/people?page=\(call.page + 1)\(fields.replacing("…", with: listed))&size=2\"" : "null"
      return ok(#"{"data":[\#(FieldShop.objects(call).joined(separator: ","))],"next":\#(next)}"#)
    }
  }

  @Test func `in a link to the next page each group lists its own fields`() async throws {
    try await Rig.with { rig in
      rig.answer(Self.linked("&fields=…"))
      let run = await rig.run(
        try rig.flow(keys("max: 3", pages: "records: $.data\npages: { by: next_url, from: $.next }")))
      #expect(run.message == "" && rig.result == FieldShop.lines)
      #expect(
        rig.targets.dropFirst(2) == [
          "/people?page=2&fields=id,name,city&size=2", "/people?page=2&size=2&fields=id,mail,age",
          "/people?page=3&fields=id,name,city&size=2", "/people?page=3&size=2&fields=id,mail,age",
        ])
    }
  }

  @Test func `a link that does not list the fields is an error`() async throws {
    try await Rig.with { rig in
      rig.answer(Self.linked(""))
      let run = await rig.run(
        try rig.flow(keys("max: 3", pages: "records: $.data\npages: { by: next_url, from: $.next }")))
      #expect(run.message.contains("the link to the next page has no parameter 'fields'"))
      #expect(rig.result == nil)
    }
  }

  // MARK: - Joining

  /// The result of a flow whose groups have these responses, without a schema.
  private func join(
    _ responses: [String], by key: String = "$.id", records: String = "", more: String = "", _ rig: Rig
  ) async throws -> FlowRun {
    let asked = Mutex(0)
    rig.answer { _ in
      // A response that broke off is requested again.
      let index = asked.withLock { count in
        defer { count += 1 }
        return count % responses.count
      }
      return responses[index].isEmpty ? answer("204 No Content", "", []) : ok(responses[index])
    }
    let names = responses.indices.map { "f\($0)" }.joined(separator: ", ")
    let flows = try rig.flows(
      """
      users:
        \(Self.query)
        field_groups: { fields: [\(names)], max: 1, by: \(key)\(more) }
        persistence: { path: users.jsonl }
        \(records.isEmpty ? "" : "records: \(records)")
      """)
    return await rig.run(flows)[0]
  }

  @Test(arguments: [
    // Equal members stay, others are the last ones, objects are joined.
    (
      [
        #"[{"id":1,"p":{"a":1,"b":{"x":1}},"t":1},{"id":2,"p":{"a":2}}]"#,
        #"[{"id":2,"p":{"c":[3]},"t":5},{"id":1,"p":{"b":{"y":1.0}},"t":2}]"#,
      ], "$.id", "",
      "{\"id\":1,\"p\":{\"a\":1,\"b\":{\"x\":1,\"y\":1.0}},\"t\":2}\n{\"id\":2,\"p\":{\"a\":2,\"c\":[3]},\"t\":5}\n"
    ),
    // Several members, objects and lists as key.
    (
      [
        #"[{"d":{"y":1,"m":2},"v":["a"],"n":1},{"d":{"y":1,"m":2},"v":["b"],"n":2}]"#,
        #"[{"d":{"m":2,"y":1},"v":["b"],"k":2},{"d":{"m":2,"y":1},"v":["a"],"k":1}]"#,
      ], "[$.d, $.v]", "",
      "{\"d\":{\"m\":2,\"y\":1},\"v\":[\"a\"],\"n\":1,\"k\":1}\n{\"d\":{\"m\":2,\"y\":1},\"v\":[\"b\"],\"n\":2,\"k\":2}\n"
        .replacing("{\"m\":2,\"y\":1}", with: "{\"y\":1,\"m\":2}")
    ),
    // One record, and names that Swift takes for equal.
    (
      [#"{"r":{"id":7,"é":1}}"#, "{\"r\":{\"id\":7,\"e\u{301}\":2}}"], "$.id", "$.r",
      "{\"id\":7,\"é\":1,\"e\u{301}\":2}\n"
    ),
    (
      [#"{"r":[[],[{"id":7,"a":1}]]}"#, #"{"r":[[],[{"id":7,"b":2}]]}"#], "$.id", "$.r[1]",
      "{\"id\":7,\"a\":1,\"b\":2}\n"
    ),
    // No records in any response.
    (["", ""], "$.id", "", ""), ([#"{"r":null}"#, #"{"r":[]}"#], "$.id", "$.r", ""), (["[]", ""], "$.id", "", ""),
  ])
  func `records are joined by their key`(
    _ responses: [String], _ key: String, _ path: String, _ expected: String
  ) async throws {
    try await Rig.with { rig in
      let run = try await join(responses, by: key, records: path, rig)
      #expect(run.message == "" && rig.result == expected)
    }
  }

  @Test(arguments: [
    (
      [#"[{"id":1},{"id":2}]"#, #"[{"id":1}]"#],
      "field group 2 of 2: the response has no record in which $.id is 2, but the response to group 1 has one"
    ),
    ([#"[{"id":1}]"#, ""], "field group 2 of 2: the response has no record in which $.id is 1"),
    (
      [#"[{"id":1}]"#, #"[{"id":1},{"id":"1"}]"#],
      "field group 2 of 2: record 1, in which $.id is \"1\", is not in the response to group 1"
    ),
    (["[]", #"[{"id":1}]"#], "record 0, in which $.id is 1, is not in the response to group 1"),
    (["", #"[{"id":1}]"#], "record 0, in which $.id is 1, is not in the response to group 1"),
    (
      [#"[{"id":1},{"id":3},{"id":1}]"#, "[]"],
      "field group 1 of 2: records 0 and 2 have the same key: $.id is 1"
    ),
    ([#"[{"id":1}]"#, #"[{"id":1},{"id":1}]"#], "field group 2 of 2: records 0 and 1 have the same key: $.id is 1"),
    ([#"[{"id":1}]"#, #"[{"name":1}]"#], "field group 2 of 2: record 0 has no $.id, by which records are joined"),
    ([#"[{"id":null}]"#, #"[{"id":null}]"#], "field group 1 of 2: record 0 has no $.id"),
    ([#"[{"id":1}]"#, "[1]"], "field group 2 of 2: expected an object as a record, found number"),
    ([#"[{"id":1}]"#, "[{\"id\":1}"], "field group 2 of 2: the response is not JSON"),
    ([#"[{"id":1}]"#, "<html><title>Log on</title></html>"], "field group 2 of 2: "),
  ])
  func `no record is lost or joined with another one`(_ responses: [String], _ message: String) async throws {
    try await Rig.with { rig in
      let run = try await join(responses, rig)
      #expect(run.message.hasPrefix(message) || run.message.contains(message), "\(run.message)")
      #expect(rig.result == nil)
    }
  }

  @Test(arguments: [
    (
      [#"[{"id":1,"a":1},{"id":2,"a":2}]"#, #"[{"id":3,"b":3},{"id":1,"b":1}]"#], "",
      "{\"id\":1,\"a\":1,\"b\":1}\n{\"id\":2,\"a\":2}\n{\"id\":3,\"b\":3}\n"
    ),
    ([#"{"r":null}"#, #"{"r":{"id":3,"b":3}}"#], "$.r", "{\"id\":3,\"b\":3}\n"),
    (["", #"[{"id":3,"b":3}]"#], "", "{\"id\":3,\"b\":3}\n"),
  ])
  func `records that a response does not have can be kept`(
    _ responses: [String], _ path: String, _ expected: String
  ) async throws {
    try await Rig.with { rig in
      let run = try await join(responses, records: path, more: ", partial: keep", rig)
      #expect(run.message == "" && rig.result == expected, "\(run.message)")
    }
  }

  @Test(arguments: [
    ([#"[{"id":1}]"#, "\"busy\""], "$[*]", "field group 2 of 2: the response is not an array but string"),
    (
      [#"{"r":[{"id":1}]}"#, #"{"error":"busy"}"#], "$.r",
      "field group 2 of 2: no records: the response contains nothing at $.r"
    ),
    (
      [#"{"error":"busy"}"#, #"{"r":[{"id":1}]}"#], "$.r",
      "field group 1 of 2: no records: the response contains nothing at $.r"
    ),
    (
      [#"{"r":{"a":{"id":1}}}"#, #"{"r":[]}"#], "$.r[*]",
      "field group 1 of 2: the members of an object cannot be joined"
    ),
  ])
  func `a response that is none of records is an error also where records may be missing`(
    _ responses: [String], _ path: String, _ message: String
  ) async throws {
    try await Rig.with { rig in
      let run = try await join(responses, records: path, more: ", partial: keep", rig)
      #expect(run.message.hasPrefix(message), "\(run.message)")
      #expect(rig.result == nil)
    }
  }

  @Test(arguments: [true, false])
  func `after the last page all responses may lack the list, or none`(_ lacksAll: Bool) async throws {
    try await Rig.with { rig in
      rig.answer { request in
        let call = FieldShop.call(request)
        let isEnd = call.page == (lacksAll ? 4 : 3) && (lacksAll || call.fields.contains("mail"))
        return ok(isEnd ? "{}" : #"{"data":[\#(FieldShop.objects(call).joined(separator: ","))]}"#)
      }
      let pages = "records: $.data\npages: { by: page, query: page }"
      let run = await rig.run(try rig.flow(keys("max: 3, partial: keep", pages: pages)))
      if lacksAll {
        #expect(run.message == "" && rig.result == FieldShop.lines)
      } else {
        #expect(run.message.hasPrefix("page 3: no records: the response contains nothing at $.data"), "\(run.message)")
      }
    }
  }

  @Test func `the responses of a page are bounded`() async throws {
    try await Rig.with { rig in
      let large = #"[{"id":1,"t":""# + String(repeating: "a", count: 33 << 20) + #""}]"#
      let run = try await join([#"[{"id":1}]"#, large], rig)
      #expect(run.message == "field group 2 of 2: the responses of the page are together larger than 32 MiB")
      #expect(rig.result == nil)
    }
  }

  @Test func `limits do not change which parent is which`() async throws {
    try await Rig.with { rig in
      try rig.scratch.write("{\"id\":1}\n".utf8, to: "shops.jsonl")
      rig.answer { request in
        let call = FieldShop.call(request)
        return ok(
          "[{"
            + call.fields.map { $0 == "at" ? "\"at\":\"2023-01-01T00:00:00Z\"" : "\"\($0)\":1" }.joined(separator: ",")
            + "}]")
      }
      for groups in ["max: 2", "max: 3", "max_bytes: 7"] {
        let flow = try rig.flow(
          """
          each: { file: shops.jsonl, as: shop }
          resource: { path: /people, query: { shop: "{{ shop.id }}", fields: "{{ join(field_group, ',') }}" } }
          schema: { key: id, fields: { id: integer, at: timestamp, age: integer } }
          cursor: { field: at, query: since }
          field_groups: { \(groups) }
          persistence: { path: users.jsonl, mode: merge }
          """)
        #expect(await rig.run(flow).message == "")
      }
      // Only the first run does not know where to begin.
      #expect(rig.targets.filter { !$0.contains("since") }.count == 2, "\(rig.targets)")
    }
  }

  @Test func `an error names the page`() async throws {
    try await Rig.with { rig in
      for page in [1, 2] {
        rig.answer { request in
          let call = FieldShop.call(request)
          return call.page == page && call.fields.contains("age")
            ? ok(#"{"data":[],"pages":3}"#) : FieldShop.page(request)
        }
        let run = await rig.run(try rig.flow(keys("max: 3")))
        let id = page * 2 - 1
        #expect(
          run.message
            == "page \(page): field group 2 of 2: the response has no record in which $.id is \(id), but the response to group 1 has one"
        )
        #expect(run.error?.help?.contains("partial: keep") == true && run.error?.key == "field_groups")
        #expect(rig.result == nil)
      }
    }
  }

  // MARK: - Responses

  @Test func `each request is retried for itself`() async throws {
    try await Rig.with { rig in
      let failed = Mutex(false)
      rig.answer { request in
        let isFirst =
          request.target.contains("mail")
          && failed.withLock { failed in
            defer { failed = true }
            return !failed
          }
        return isFirst ? answer("503 Service Unavailable", "", []) : FieldShop.page(request)
      }
      let run = await rig.run(try rig.flow(keys("max: 3")))
      #expect(run.message == "" && rig.result == FieldShop.lines && rig.server.requests.count == 7)
      #expect(rig.waits.all.count == 1)
    }
  }

  @Test func `a failed request fails the page and names the group`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        request.target.contains("mail") ? answer("400 Bad Request", "{}", []) : FieldShop.page(request)
      }
      let run = await rig.run(try rig.flow(keys("max: 3")))
      #expect(run.message.hasPrefix("page 1: field group 2 of 2: ") && run.error?.status == 400)
      #expect(rig.result == nil)
    }
  }

  @Test(arguments: [
    ("stop", "name", ""), ("skip", "name", "there is no"), ("stop", "mail", "an error rule ends the requests"),
  ])
  func `an error rule cannot split a page`(_ action: String, _ name: String, _ message: String) async throws {
    try await Rig.with { rig in
      rig.answer { request in
        let call = FieldShop.call(request)
        let isRuled = call.page == 2 && call.fields.contains(name)
        return isRuled ? answer("404 Not Found", "{}", []) : FieldShop.page(request)
      }
      let errors = "errors: [{ when: status == 404, do: \(action) }]\n"
      let run = await rig.run(try rig.flow(errors + keys("max: 3")))
      if message.isEmpty {
        #expect(run.message == "" && run.kept == 2)
      } else {
        #expect(
          run.message.contains(action == "skip" ? "is not in the response to group 1" : message), "\(run.message)")
        #expect(rig.result == nil)
      }
    }
  }

  @Test func `a name that fits into no request is an error`() async throws {
    try await Rig.with { rig in
      try rig.scratch.write("{\"name\":\"0123456789\"}\n".utf8, to: "fields.jsonl")
      let each = "each: { file: fields.jsonl, batch: 100, on_error: fail }\n"
      let flow = try rig.flow(each + keys("fields: \"{{ batch.map(f, f.name) }}\", key: id, max_bytes: 12"))
      let run = await rig.run(flow)
      #expect(
        run.message.contains(
          "the name '0123456789' does not fit into a request beside the names of 'key': 13 bytes, and 'max_bytes' is 12"
        ))
      #expect(rig.server.requests.isEmpty)
    }
  }

  // MARK: - Checks

  @Test(arguments: [
    ("fields: [id, 0123456789], max_bytes: 9", "the name '0123456789' does not fit into a request"),
    ("key: [id, name], max: 1", "the names of 'key' do not fit into a request"),
    ("key: [id, name], max: 2", "the name 'city' does not fit into a request beside the names of 'key'"),
  ])
  func `names that fit into no request are found by the check`(_ groups: String, _ message: String) async throws {
    try await Rig.with { rig in
      let found = rig.compile(rig.text(keys(groups))).diagnostics.diagnostics
      #expect(found.map(\.code.rawValue) == ["request.field-groups"])
      #expect(found.first?.message.hasPrefix(message) == true, "\(found)")
    }
  }

  @Test(arguments: [
    ("decode: jsonl", "only the records of JSON responses can be joined"),
    ("reshape: .a[]", "a program for the whole response gives no records that can be joined"),
    ("records: $..data", "records of this path cannot be joined"),
    ("records: $.data[*].a", "records of this path cannot be joined"),
    ("records: $.data[-1]", "records of this path cannot be joined"),
    (
      "job: { id: response.id, poll: /p, done: response.done, download: /d }",
      "the result of a job cannot be requested in groups of fields"
    ),
    (
      "resource: { method: POST, path: /p, body: { graphql: { query: \"{ {{ join(field_group, ' ') }} }\" } } }",
      "a GraphQL query names its own fields"
    ),
    (
      "resource: { path: \"/p/{{ join(field_group, ',') }}\" }\npages: link",
      "the link to the next page contains the path of the first group only"
    ),
    ("resource: /p", "no template of the request uses 'field_group'"),
    (
      "schema: { fields: { id: integer } }",
      "'field_groups' needs 'by', because no key of a schema says which records belong together"
    ),
    (
      "schema: { key: id, fields: { id: { value: \"{{ source.a }}\", type: integer } } }",
      "'field_groups' needs 'by', because no key of a schema says which records belong together"
    ),
  ])
  func `what cannot be joined is refused`(_ key: String, _ message: String) async throws {
    try await Rig.with { rig in
      var lines = key + "\n"
      if !key.contains("resource:") { lines += Self.query + "\n" }
      if !key.contains("schema:") { lines += Self.schema + "\n" }
      let found = rig.compile(rig.text(lines + "field_groups: { max: 3 }")).diagnostics.diagnostics
      #expect(found.map(\.message).contains { $0.hasPrefix(message) }, "\(found)")
      #expect(found.map(\.code.rawValue) == ["request.field-groups"])
    }
  }

  @Test func `limits do not change what a result belongs to`() async throws {
    try await Rig.with { rig in
      rig.answer(FieldShop.page)
      let edits: [(String, FetchSource)] = [
        ("max: 3", .network), ("max_bytes: 90", .persistence), ("max: 3, key: [id, name]", .network),
      ]
      for (groups, source) in edits {
        let flow = try rig.flow(keys(groups))
        #expect(await rig.run(flow).source == source, "\(groups)")
      }
    }
  }

  @Test func `explain says how many requests a page takes`() async throws {
    try await Rig.with { rig in
      let text = try rig.flow(keys("max: 3, max_bytes: 90, partial: keep")).explanation.items
      let item = text.first { $0.heading.contains("field groups") }
      #expect(
        item?.text
          == "one request for each group of at most 3 names and 90 bytes, 2 now, each with id; the records are joined by $.id; a record that is missing in a response is kept"
      )
    }
  }
}
