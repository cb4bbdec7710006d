import Importing
import JSONSyntax
import TestSupport
import Testing

/// Collections, exports and configurations of random combinations: none crashes, and what is carried over is right.
@Suite(.timeLimit(.minutes(3))) struct RandomSourceTests {
  private static let secret = "the-secret-value"

  private func verify(_ imported: Imported, _ source: String) {
    // The check of the result finds nothing: the translation itself knows what it cannot carry over.
    let rejected = imported.report.losses.filter { $0.kind == .check }
    #expect(rejected.isEmpty, "\(rejected)\n\(source)\n\(imported.text)")
    let report = imported.report.json.text
    #expect(!imported.text.contains(Self.secret) && !report.contains(Self.secret), "\(source)\n\(imported.text)")
  }

  @Test func `random collections of Postman pass check and hide their secrets`() throws {
    var (losses, complete) = (0, 0)
    for seed in 0..<300 {
      var maker = SourceMaker(UInt64(seed), secret: Self.secret)
      let source = maker.collection()
      let imported = try Imported(postman: source, writes: true)
      verify(imported, source)
      losses += imported.report.losses.count
      complete += imported.report.complete.count
    }
    #expect(losses > 100 && complete > 300, "\(losses) \(complete)")
  }

  @Test func `random exports of Insomnia pass check and hide their secrets`() throws {
    var (losses, complete) = (0, 0)
    for seed in 0..<300 {
      var maker = SourceMaker(UInt64(seed), secret: Self.secret)
      let source = maker.export()
      let imported = try Imported(insomnia: source, writes: true)
      verify(imported, source)
      losses += imported.report.losses.count
      complete += imported.report.complete.count
    }
    #expect(losses > 100 && complete > 250, "\(losses) \(complete)")
  }

  @Test func `random configurations of dlt pass check and hide their secrets`() throws {
    var (losses, complete) = (0, 0)
    for seed in 0..<300 {
      var maker = SourceMaker(UInt64(seed), secret: Self.secret)
      let source = maker.configuration()
      let imported = try Imported(dlt: source)
      verify(imported, source)
      losses += imported.report.losses.count
      complete += imported.report.complete.count
    }
    #expect(losses > 100 && complete > 100, "\(losses) \(complete)")
  }

  @Test func `an import is the same each time`() throws {
    for seed in 0..<20 {
      var maker = SourceMaker(UInt64(seed), secret: Self.secret)
      let (collection, export, configuration) = (maker.collection(), maker.export(), maker.configuration())
      #expect(try Imported(postman: collection).text == Imported(postman: collection).text)
      #expect(try Imported(insomnia: export).text == Imported(insomnia: export).text)
      #expect(try Imported(dlt: configuration).text == Imported(dlt: configuration).text)
    }
  }
}

/// Makes files of other programs from published parts. All are JSON.
struct SourceMaker {
  private var generator: SeededGenerator
  private let secret: String

  init(_ seed: UInt64, secret: String) {
    generator = SeededGenerator(seed)
    self.secret = secret
  }

  private mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &generator)] }
  private mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < share }
  private mutating func some<T>(_ choices: [T], _ maximum: Int = 3) -> [T] {
    (0..<Int.random(in: 0...maximum, using: &generator)).map { _ in pick(choices) }
  }

  // MARK: - Requests

  private mutating func text(_ variable: (String) -> String) -> String {
    pick([
      "plain", "a b", "", "5", "no", "{", "}}", "a: b # c", "\"q'", "é漢", variable("a"), "x\(variable("b"))y",
      variable("a") + variable("c"), variable("unknown"), variable("token"), "50%", "\(variable("nested"))",
      "it's {{", "\u{1F600}",
    ])
  }

  private mutating func url(_ variable: (String) -> String) -> String {
    let base = pick([
      "https://a.example.com", "http://a.example.com:8080/v1", variable("base"), "\(variable("base"))/v2",
      "a.example.com",
      "https://\(variable("host"))/v1", variable("host"),
    ])
    let path = pick([
      "", "/", "/orders", "/orders/:id", "/orders/\(variable("a"))/items", "/a b/{c}", "/:shop/:id/x.json", "//x",
    ])
    let query = pick(["", "", "?a=1&b=2", "?a=\(variable("a"))&a=2", "?q=a%20b+c&flag", "?token=\(secret)", "?=x&y=#z"])
    return base + path + query
  }

  private mutating func pairs(_ name: String, _ variable: (String) -> String) -> JSONValue {
    .array(
      some(["Accept", "X-A", "x-a", "page", "limit", "password", "X-Api-Key", "Content-Type", "a b", ""]).map { key in
        .object([
          name: .string(key),
          "value": .string(["password", "X-Api-Key"].contains(key) ? secret : text(variable)),
          "disabled": .bool(chance(0.2)),
        ])
      })
  }

  private mutating func method() -> JSONValue {
    .string(pick(["GET", "GET", "GET", "POST", "PUT", "DELETE", "HEAD", "COPY"]))
  }

  private mutating func json(_ variable: (String) -> String) -> String {
    pick([
      "{\"a\":1.50,\"b\":\(JSONValue.string(text(variable)).text),\"c\":[true,null,{\"d\":1e5}]}",
      "{\"a\": \(variable("a"))}", "[1,2]", "not json", "{\"password\":\"\(secret)\"}", "{\"{{x}}\":1}",
    ])
  }

  // MARK: - Postman

  private mutating func postmanAuth() -> JSONValue {
    let values: (String, [String: String]) = pick([
      ("noauth", [:]), ("bearer", ["token": secret]), ("bearer", ["token": "{{token}}"]),
      ("basic", ["username": "{{a}}", "password": secret]), ("basic", ["username": secret, "password": ""]),
      ("apikey", ["key": "X-Key", "value": secret]), ("apikey", ["key": "k", "value": "{{token}}", "in": "query"]),
      (
        "oauth2",
        [
          "grant_type": "client_credentials", "accessTokenUrl": "https://l.example.com/t", "clientId": "c",
          "clientSecret": secret, "scope": "a b",
        ]
      ),
      (
        "oauth2",
        [
          "grant_type": "password_credentials", "accessTokenUrl": "https://l.example.com/t", "username": "u",
          "password": secret,
        ]
      ),
      ("oauth2", ["accessToken": secret]), ("awsv4", ["accessKey": secret, "secretKey": "{{token}}", "service": "s3"]),
      ("jwt", ["secret": secret, "payload": "{\"sub\":\"{{a}}\"}"]), ("digest", ["password": secret]), ("hawk", [:]),
    ])
    let list = values.1.sorted { $0.key < $1.key }.map {
      JSONValue.object(["key": .string($0.key), "value": .string($0.value)])
    }
    return .object(["type": .string(values.0), values.0: .array(list)])
  }

  private mutating func postmanItem(_ depth: Int) -> JSONValue {
    func variable(_ name: String) -> String { "{{\(name)}}" }
    if depth < 3, chance(0.25) {
      var members: [JSONObject.Member] = [
        .init(name: "name", value: .string(pick(["Orders", "é", "A/B"]))),
        .init(name: "item", value: .array((0..<2).map { _ in postmanItem(depth + 1) })),
      ]
      if chance(0.5) { members.append(.init(name: "auth", value: postmanAuth())) }
      if chance(0.1) { members.append(.init(name: "event", value: script)) }
      return .object(JSONObject(members))
    }
    var request: [JSONObject.Member] = [
      .init(name: "method", value: method()), .init(name: "url", value: .string(url(variable))),
      .init(name: "header", value: pairs("key", variable)),
    ]
    if chance(0.4) {
      request[1].value = .object([
        "raw": .string("x"), "protocol": "https", "host": ["a", "example", "com"], "path": [.string(":id"), "x"],
        "query": pairs("key", variable),
        "variable": .array([.object(["key": "id", "value": .string(text(variable))])]),
      ])
    }
    if chance(0.4) { request.append(.init(name: "auth", value: postmanAuth())) }
    if chance(0.5) {
      let body: JSONValue = pick([
        .object([
          "mode": "raw", "raw": .string(json(variable)), "options": .object(["raw": .object(["language": "json"])]),
        ]),
        .object(["mode": "urlencoded", "urlencoded": pairs("key", variable)]),
        .object(["mode": "graphql", "graphql": .object(["query": "{ a }", "variables": .string(json(variable))])]),
        .object(["mode": "formdata", "formdata": pairs("key", variable)]), .object(["mode": "file"]),
      ])
      request.append(.init(name: "body", value: body))
    }
    var item: [JSONObject.Member] = [
      .init(name: "name", value: .string(pick(["List orders", "x", "", "注文", "a\nb", "123"]))),
      .init(name: "request", value: .object(JSONObject(request))),
    ]
    if chance(0.1) { item.append(.init(name: "event", value: script)) }
    if chance(0.5) {
      let body = pick([
        "{\"data\":[{\"id\":1,\"at\":\"2026-01-01\"},{\"id\":2}],\"next\":\"https://a.example.com/x?c=1\"}", "[]",
        "[1,2]",
        "{\"a\":{\"b\":[{\"x y\":[1]}]}}", "<html>", "\"a\"", "[{\"id\":1,\"t\":[],\"u\":null}]",
      ])
      item.append(
        .init(
          name: "response",
          value: .array([.object(["name": "OK", "code": 200, "header": .array([]), "body": .string(body)])])))
    }
    return .object(JSONObject(item))
  }

  private var script: JSONValue {
    .array([.object(["listen": "test", "script": .object(["exec": .array(["pm.test('a')"])])])])
  }

  /// A collection of Postman.
  mutating func collection() -> String {
    let variables: [(String, String)] = [
      ("base", "https://b.example.com/v1"), ("host", "h.example.com"), ("a", "1"), ("c", pick(["", "x y"])),
      ("token", secret), ("nested", pick(["{{a}}-{{c}}", "{{token}}x", "{{nested}}", "{{$guid}}"])),
    ]
    return JSONValue.object([
      "info": .object(["name": "Shop", "description": .string("all \(secret.isEmpty ? "" : "orders")")]),
      "auth": postmanAuth(),
      "variable": .array(variables.map { .object(["key": .string($0.0), "value": .string($0.1)]) }),
      "item": .array((0..<3).map { _ in postmanItem(0) }),
    ]).text
  }

  // MARK: - Insomnia

  private mutating func insomniaAuth() -> JSONValue {
    let values: [String: String] = pick([
      [:], ["type": "none"], ["type": "bearer", "token": secret],
      ["type": "bearer", "token": "{{ _.token }}", "prefix": "Token"],
      ["type": "basic", "username": "u", "password": secret],
      ["type": "apikey", "key": "k", "value": secret, "addTo": "queryParams"],
      ["type": "iam", "accessKeyId": secret, "secretAccessKey": secret, "service": "s3"], ["type": "digest"],
      ["type": "ntlm"],
      [
        "type": "oauth2", "grantType": "client_credentials", "accessTokenUrl": "https://l.example.com/t",
        "clientId": "c",
        "clientSecret": secret,
      ],
      [
        "type": "oauth2", "grantType": "authorization_code", "accessTokenUrl": "https://l.example.com/t",
        "clientId": "c",
      ],
    ])
    return .object(JSONObject(values.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .string($0.value)) }))
  }

  private mutating func insomniaItem(_ depth: Int) -> JSONValue {
    func variable(_ name: String) -> String { name == "c" ? "{% uuid 'v4' %}" : "{{ _.\(name) }}" }
    if depth < 3, chance(0.25) {
      return .object([
        "name": "Orders", "authentication": insomniaAuth(), "headers": pairs("name", variable),
        "environment": .object(["a": 2]),
        "children": .array((0..<2).map { _ in insomniaItem(depth + 1) }),
      ])
    }
    let body: JSONValue = pick([
      .object(JSONObject()), .object(["mimeType": "application/json", "text": .string(json(variable))]),
      .object(["mimeType": "application/x-www-form-urlencoded", "params": pairs("name", variable)]),
      .object(["mimeType": "multipart/form-data"]),
      .object(["mimeType": "application/graphql", "text": .string(json(variable))]),
    ])
    return .object([
      "name": "List", "method": method(), "url": .string(url(variable)), "body": body,
      "parameters": pairs("name", variable), "headers": pairs("name", variable),
      "authentication": insomniaAuth(),
    ])
  }

  /// An export of Insomnia.
  mutating func export() -> String {
    JSONValue.object([
      "type": "collection.insomnia.rest/5.0", "name": "Shop",
      "collection": .array((0..<3).map { _ in insomniaItem(0) }),
      "environments": .object([
        "name": "Base",
        "data": .object([
          "base": "https://b.example.com/v1", "host": "h.example.com", "a": 1, "token": .string(secret),
          "nested": .string(pick(["{{ _.a }}-x", "{{ _.token }}x", "{{ _.nested }}"])),
        ]),
      ]),
    ]).text
  }

  // MARK: - dlt

  private mutating func paginator() -> JSONValue {
    pick([
      "auto", "single_page", "header_link", .object(["type": "json_link", "next_url_path": "paging.next"]),
      .object(["type": "cursor", "cursor_path": "meta.next", "cursor_param": "c"]),
      .object(["type": "header_cursor", "cursor_key": "X-Next"]),
      .object(["type": "offset", "limit": 10, "total_path": .null]),
      .object(["type": "offset", "limit": 10, "maximum_offset": 95]),
      .object(["type": "page_number", "total_path": "pages"]),
      .object(["type": "page_number", "base_page": 1, "maximum_page": 4]),
      .object(["type": "magic"]), "<object at 0x1>",
    ])
  }

  private mutating func resource(_ index: Int) -> JSONValue {
    if chance(0.1) { return .string("plain\(index)") }
    var endpoint: [JSONObject.Member] = []
    var path = pick(["a", "a/b", "/c d", "https://b.example.com/x"])
    if index > 0, chance(0.4) {
      path = "p/{resources.r\(Int.random(in: 0..<index, using: &generator)).\(pick(["id", "a.b"]))}/c"
    }
    endpoint.append(.init(name: "path", value: .string(path)))
    var params: [JSONObject.Member] = [.init(name: "limit", value: 100)]
    if chance(0.3) { params.append(.init(name: "token", value: .string(secret))) }
    if chance(0.3) {
      params.append(
        .init(
          name: "since",
          value: .object([
            "type": "incremental", "cursor_path": .string(pick(["updated_at", "meta.at", "id"])),
            "initial_value": pick(["2024-01-01T00:00:00Z", "2024-01-01", 5, "abc", .null]),
            "lag": pick([.null, 60]), "on_cursor_value_missing": .string(pick(["raise", "include", "exclude"])),
          ])))
    }
    endpoint.append(.init(name: "params", value: .object(JSONObject(params))))
    if chance(0.7) {
      endpoint.append(.init(name: "data_selector", value: .string(pick(["items", "$.data[*]", "a.b", "$"]))))
    }
    if chance(0.7) { endpoint.append(.init(name: "paginator", value: paginator())) }
    if chance(0.3) {
      endpoint.append(.init(name: "method", value: "POST"))
      endpoint.append(
        .init(name: "json", value: .object(["q": .string(text { "{\($0)}" }), "n": .array([1, .null])])))
    }
    if chance(0.3) {
      endpoint.append(
        .init(
          name: "auth",
          value: pick([
            .object(["token": .string(secret)]),
            .object(["type": "http_basic", "username": "u", "password": .string(secret)]),
            .object([
              "type": "api_key", "name": "k", "api_key": .string(secret),
              "location": .string(pick(["query", "header", "cookie"])),
            ]),
            .object([
              "type": "oauth2_client_credentials", "access_token_url": "https://l.example.com/t", "client_id": "c",
              "client_secret": .string(secret),
            ]),
          ])))
    }
    if chance(0.3) {
      endpoint.append(
        .init(
          name: "response_actions",
          value: .array([.object(["status_code": 404, "action": .string(pick(["ignore", "raise", "x"]))])])))
    }
    var members: [JSONObject.Member] = [
      .init(name: "name", value: .string("r\(index)")), .init(name: "endpoint", value: .object(JSONObject(endpoint))),
    ]
    if chance(0.7) {
      members.append(.init(name: "write_disposition", value: .string(pick(["merge", "append", "replace"]))))
    }
    if chance(0.6) { members.append(.init(name: "primary_key", value: pick(["id", .array(["id", "code"])]))) }
    if chance(0.2) { members.append(.init(name: "include_from_parent", value: .array(["name"]))) }
    if chance(0.1) {
      members.append(.init(name: "processing_steps", value: .array([.object(["filter": "<function f at 0x1>"])])))
    }
    return .object(JSONObject(members))
  }

  /// A configuration of dlt.
  mutating func configuration() -> String {
    JSONValue.object([
      "client": .object([
        "base_url": .string(pick(["https://a.example.com", "https://a.example.com/v1/"])), "paginator": paginator(),
        "headers": .object(["X-A": "1", "X-Api-Key": .string(secret)]),
      ]),
      "resources": .array((0..<Int.random(in: 1...4, using: &generator)).map { resource($0) }),
    ]).text
  }
}
