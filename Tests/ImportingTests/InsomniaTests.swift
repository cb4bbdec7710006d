import Importing
import SourceDiagnostics
import TestSupport
import Testing

/// Exports of Insomnia, and what they become.
@Suite(.timeLimit(.minutes(1))) struct InsomniaTests {
  /// A collection of version 5 with one request, whose members are YAML in braces.
  private static func one(_ request: String, data: String = "", more: String = "") -> String {
    """
    type: collection.insomnia.rest/5.0
    name: Shop
    collection:
      - { name: List orders, method: GET, \(request) }
    environments: { name: Base, data: { base_url: https://a.example.com, shop: { id: 7 }\(data.isEmpty ? "" : ", \(data)") } }
    \(more)
    """
  }

  private static let url = "url: 'https://a.example.com/x'"

  @Test(arguments: cases)
  func `a part becomes its counterpart`(_ test: ImportCase) throws {
    test.verify(try Imported(insomnia: test.source, writes: true))
  }

  static let cases = [
    ImportCase(
      "variables, with and without '_'",
      one(
        "url: '{{ _.base_url }}/shops/{{ shop.id }}/orders', parameters: [{ name: a, value: \"{{ _['since'] }}\" }, { name: b, value: x, disabled: true }]"
      ),
      has: [
        "base_url: https://a.example.com", "base_url: \"{{ vars.base_url }}\"",
        "path: \"/shops/{{ vars.shop_id }}/orders\"", "since: { type: string }", "a: \"{{ vars.since }}\"",
      ],
      lacks: ["b:"]),
    ImportCase(
      "template tags are losses",
      one(
        url
          + ", parameters: [{ name: a, value: \"{% uuid 'v4' %}\" }, { name: b, value: \"{% now 'iso-8601', '' %}\" }, { name: c, value: \"{{ _.x | lower }}\" }]"
      ),
      has: ["b: \"{{ format(now(), 'iso8601') }}\"", "# not imported: query.a: {% uuid 'v4' %}"],
      losses: [.expression, .expression]),
    ImportCase(
      "values of the path", one("url: 'https://a.example.com/orders/:id', pathParameters: [{ name: id, value: '7' }]"),
      has: ["path: \"/orders/{id}\"", "params: { id: \"7\" }"]),
    ImportCase(
      "bearer", one(url + ", authentication: { type: bearer, token: abcdefgh }"),
      has: ["bearer: \"{{ secrets.API_TOKEN }}\""], lacks: ["abcdefgh"]),
    ImportCase(
      "another scheme", one(url + ", authentication: { type: bearer, token: '{{ _.t }}', prefix: Token }"),
      has: ["header: Authorization, value: \"Token {{ secrets.T }}\""]),
    ImportCase(
      "an authorization that is switched off",
      one(url + ", authentication: { type: bearer, token: abcdefgh, disabled: true }"), lacks: ["auth"]),
    ImportCase(
      "AWS",
      one(
        url
          + ", authentication: { type: iam, accessKeyId: A1, secretAccessKey: abcdefgh, region: eu-west-1, service: s3 }"
      ), has: ["sigv4:"], lacks: ["abcdefgh"]),
    ImportCase(
      "OAuth 2",
      one(
        url
          + ", authentication: { type: oauth2, grantType: client_credentials, accessTokenUrl: 'https://l.example.com/t', clientId: me, clientSecret: abcdefgh, credentialsInBody: true, resource: x }"
      ), has: ["url: https://l.example.com/t", "send: body", "params: { resource: x }"], lacks: ["abcdefgh"]),
    ImportCase(
      "a digest", one(url + ", authentication: { type: digest, username: ada, password: abcdefgh }"),
      has: ["digest:", "password: \"{{ secrets."], lacks: ["abcdefgh"]),
    ImportCase(
      "OAuth 1",
      one(
        url
          + ", authentication: { type: oauth1, consumerKey: client, consumerSecret: abcdefgh, tokenKey: ijklmnop, tokenSecret: qrstuvwx, signatureMethod: HMAC-SHA1 }"
      ), has: ["oauth1:", "client_id: client", "token: \"{{ secrets."],
      lacks: ["signature", "abcdefgh", "ijklmnop", "qrstuvwx"]),
    ImportCase(
      "a key in a cookie is a loss", one(url + ", authentication: { type: apikey, key: a, value: b, addTo: cookie }"),
      losses: [.authentication]),
    ImportCase(
      "a JSON body",
      one("url: 'https://a.example.com/x', body: { mimeType: application/json, text: '{\"a\": \"{{ _.since }}\"}' }")
        .replacing("method: GET", with: "method: POST"), has: ["json: { a: \"{{ vars.since }}\" }", "tags: [writes]"]),
    ImportCase(
      "a form",
      one(
        "url: 'https://a.example.com/x', body: { mimeType: application/x-www-form-urlencoded, params: [{ name: a, value: '1' }] }"
      ).replacing("method: GET", with: "method: POST"), has: ["form: { a: \"1\" }"]),
    ImportCase(
      "GraphQL",
      one(
        "url: 'https://a.example.com/x', body: { mimeType: application/graphql, text: '{\"query\":\"{ a }\",\"variables\":{\"n\":1}}' }"
      ).replacing("method: GET", with: "method: POST"), has: ["graphql: { query: \"{ a }\", variables: { \"n\": 1 } }"]),
    ImportCase(
      "a multipart form is a loss",
      one("url: 'https://a.example.com/x', body: { mimeType: multipart/form-data, params: [] }"), losses: [.request]),
    ImportCase(
      "a script is a loss", one(url + ", scripts: { preRequest: 'insomnia.x()', afterResponse: ' ' }"),
      losses: [.customCode]),
    ImportCase("redirects", one(url + ", settings: { followRedirects: 'off' }"), has: ["redirects: none"]),
    ImportCase(
      "a URL that is sent as written",
      one("url: 'https://a.example.com/x?a=b,c', settings: { encodeUrl: false }"), has: ["unescaped: [a]"]),
    ImportCase(
      "a variable that is the whole URL", one("url: '{{ _.all }}'", data: "all: 'https://b.example.com/posts'"),
      has: ["base_url: https://b.example.com", "resource: /posts\n"]),
    ImportCase(
      "slashes in a value of the path are escaped",
      one("url: 'https://a.example.com/f/:p', pathParameters: [{ name: p, value: a/b }]"), has: ["params: { p: a/b }"]),
    ImportCase(
      "a cookie jar is a loss", one(url, more: "cookieJar: { cookies: [{ key: sid, value: abcdefgh }] }"),
      has: ["# not imported: the cookie jar"], lacks: ["abcdefgh"], losses: [.request]),
    ImportCase(
      "a body whose variables are not filled in is a loss",
      one(url + ", body: { text: '{{ a }}' }, settings: { renderRequestBody: false }"), losses: [.request]),
    ImportCase(
      "gRPC is a loss", one("url: 'a:50051', protoMethodName: /a.B/c, meta: { id: greq_1 }"), losses: [.request]),
    ImportCase("a WebSocket is a loss", one("url: 'wss://a.example.com', meta: { id: ws-req_1 }"), losses: [.request]),
    ImportCase(
      "a structure as a text is a loss", one(url + ", parameters: [{ name: a, value: '{{ _.shop }}' }]"),
      losses: [.expression]),
    ImportCase(
      "the vault", one(url + ", headers: [{ name: X-A, value: '{{ _.vault.pin }}' }]"),
      has: ["X-A: \"{{ secrets.VAULT_PIN }}\""]),
  ]

  @Test func `a request that sends the stored cookies is not complete`() throws {
    let imported = try Imported(
      insomnia: """
        {"_type": "export", "__export_format": 4, "resources": [
          {"_id": "wrk_1", "_type": "workspace", "name": "shop"},
          {"_id": "req_1", "_type": "request", "parentId": "wrk_1", "name": "a", "url": "https://a.example.com/a"},
          {"_id": "req_2", "_type": "request", "parentId": "wrk_1", "name": "b", "url": "https://a.example.com/b",
           "settingSendCookies": false},
          {"_id": "jar_1", "_type": "cookie_jar", "parentId": "wrk_1", "cookies": [{"key": "sid", "value": "abcdefgh"}]}]}
        """)
    #expect(imported.report.complete == ["b"])
  }

  private static let folders = """
    type: collection.insomnia.rest/5.0
    name: Shop
    collection:
      - name: Orders
        authentication: { type: basic, username: '{{ _.user }}', password: abcdefgh }
        headers: [{ name: X-A, value: outer }, { name: X-B, value: outer }]
        environment: { user: ada }
        scripts: { afterResponse: 'x()' }
        children:
          - { name: x, method: GET, url: 'https://a.example.com/x', headers: [{ name: x-a, value: inner }], authentication: {} }
          - { name: y, method: GET, url: 'https://a.example.com/y', authentication: { type: none } }
      - { name: z, method: GET, url: 'https://{{ _.host }}/z' }
    environments:
      name: Base
      data: { host: a.example.com }
      subEnvironments:
        - { name: EU, data: { host: eu.example.com } }
    """

  @Test func `folders hand down authorization, headers and variables`() throws {
    let imported = try Imported(insomnia: Self.folders)
    #expect(imported.report.flows == ["x", "y", "z"])
    #expect(imported.report.complete == ["z"])
    for text in [
      "x-a: inner", "X-B: outer", "user: ada", "username: \"{{ vars.user }}\"", "host: a.example.com",
    ] {
      #expect(imported.text.contains(text), "\(text)\n\(imported.text)")
    }
    #expect(!imported.text.contains("abcdefgh"))
    #expect(imported.report.unneeded.map(\.what) == ["environments: EU"])
  }

  @Test func `a sub-environment is taken by its name`() throws {
    #expect(try Imported(insomnia: Self.folders, environment: "EU").text.contains("host: eu.example.com"))
    #expect(throws: ImportError.self) {
      try InsomniaImport(SourceFile(path: "i.yaml", text: Self.folders), environment: "US").result()
    }
  }

  @Test func `exports of version 4 name their parents`() throws {
    let imported = try Imported(
      insomnia: """
        {"_type":"export","__export_format":4,"resources":[
          {"_id":"req_1","_type":"request","parentId":"fld_1","name":"x","method":"get","url":"{{ base }}/x","authentication":{},"preRequestScript":"a"},
          {"_id":"fld_1","_type":"request_group","parentId":"wrk_1","name":"Orders","environment":{"a":1},"authentication":{"type":"bearer","token":"abcdefgh"}},
          {"_id":"wrk_1","_type":"workspace","parentId":null,"name":"Shop","description":"The shop"},
          {"_id":"env_1","_type":"environment","parentId":"wrk_1","name":"Base","data":{"base":"https://a.example.com"}},
          {"_id":"jar_1","_type":"cookie_jar","parentId":"wrk_1","cookies":[{"key":"a","value":"secret-cookie"}]},
          {"_id":"greq_1","_type":"grpc_request","parentId":"wrk_1","name":"g"},
          {"_id":"fld_2","_type":"request_group","parentId":"fld_2","name":"cycle"},
          {"_id":"req_2","_type":"request","parentId":"fld_2","name":"y","method":"GET","url":"https://a.example.com/y"}]}
        """)
    #expect(imported.report.flows == ["x", "y"])
    #expect(imported.report.losses.map(\.kind) == [.request, .request, .customCode])
    for text in [
      "The shop", "tags: [orders]", "base: https://a.example.com", "bearer: \"{{ secrets.API_TOKEN }}\"",
    ] {
      #expect(imported.text.contains(text), "\(text)\n\(imported.text)")
    }
  }

  @Test(arguments: [
    "", "a", "[]", "{", "type: environment.insomnia.rest/5.0", "type: spec.insomnia.rest/5.0\nname: x", "resources: 5",
    "{\"resources\":{}}",
  ])
  func `what is no export is an error`(_ text: String) {
    #expect(throws: ImportError.self) { try InsomniaImport(SourceFile(path: "i.yaml", text: text)).result() }
  }

  @Test func `damaged exports do not crash`() throws {
    let seeds = Self.cases.map { Array($0.source.utf8) } + [Array(Self.folders.utf8)]
    var generator = SeededGenerator(5)
    for _ in 0..<1_000 {
      var damaged = seeds.randomElement(using: &generator) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<damaged.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: damaged[index] = UInt8.random(in: 0x20...0x7E, using: &generator)
        case 1: damaged.remove(at: index)
        default: damaged.insert("{}[]:'\"#&*!|>%@`$\n -".utf8.randomElement(using: &generator) ?? 0, at: index)
        }
      }
      guard let text = String(validating: damaged, as: UTF8.self) else { continue }
      do { _ = try Imported(insomnia: text, writes: true) } catch is ImportError {}
    }
  }
}
