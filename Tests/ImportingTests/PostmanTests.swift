import Importing
import JSONSyntax
import SourceDiagnostics
import TestSupport
import Testing

/// Collections of Postman, and what they become.
@Suite(.timeLimit(.minutes(2))) struct PostmanTests {
  /// A collection with one request, whose members are JSON without braces.
  private static func one(_ request: String, item: String = "", root: String = "") -> String {
    """
    {"info":{"name":"Shop","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
     "item":[{"name":"List orders","request":{\(request)}\(item.isEmpty ? "" : ",\(item)")}]
     \(root.isEmpty ? "" : ",\(root)")}
    """
  }

  private static func auth(_ kind: String, _ values: [(String, String)]) -> String {
    let list = values.map { "{\"key\":\"\($0.0)\",\"value\":\($0.1)}" }.joined(separator: ",")
    return "\"url\":\"https://a.example.com/x\",\"auth\":{\"type\":\"\(kind)\",\"\(kind)\":[\(list)]}"
  }

  private static func example(_ body: String) -> String {
    "\"response\":[{\"name\":\"OK\",\"code\":200,\"header\":[],\"body\":\(JSONValue.string(body).text)}]"
  }

  @Test(arguments: requests + authorizations + bodies + others)
  func `a part becomes its counterpart`(_ test: ImportCase) throws {
    test.verify(try Imported(postman: test.source, writes: true))
  }

  static let requests = [
    ImportCase(
      "a URL as a text", one("\"url\":\"https://a.example.com/v1/orders?state=open&page=2#top\""),
      has: ["list_orders:", "path: /v1/orders", "state: open", "base_url: https://a.example.com"], lacks: ["top"]),
    ImportCase(
      "a request that is a URL", "{\"item\":[{\"name\":\"a\",\"request\":\"https://a.example.com/b\"}]}",
      has: ["resource: /b"]),
    ImportCase(
      "a URL by its parts, with parameters that are switched off",
      one(
        "\"method\":\"GET\",\"url\":{\"raw\":\"x\",\"protocol\":\"https\",\"host\":[\"a\",\"example\",\"com\"],\"port\":\"8443\",\"path\":[\"v1\",\":shop\",\"orders\"],\"query\":[{\"key\":\"a\",\"value\":\"1\"},{\"key\":\"b\",\"value\":\"2\",\"disabled\":true},{\"key\":\"a\",\"value\":\"3\"}],\"variable\":[{\"key\":\"shop\",\"value\":\"tea\"}]}"
      ),
      has: [
        "base_url: https://a.example.com:8443", "path: \"/v1/{shop}/orders\"", "params: { shop: tea }",
        "a: [\"1\", \"3\"]",
      ],
      lacks: ["b:"]),
    ImportCase(
      "a parameter of the path without a value must be given",
      one("\"url\":\"https://a.example.com/orders/:id/items/:id2\""),
      has: ["path: \"/orders/{id}/items/{id2}\"", "id: \"{{ vars.orders_id }}\"", "orders_id: { type: string }"]),
    ImportCase(
      "variables, one made of another",
      one(
        "\"url\":\"{{baseUrl}}/orders?since={{since}}&t={{$timestamp}}\"",
        root:
          "\"variable\":[{\"key\":\"host\",\"value\":\"a.example.com\"},{\"key\":\"baseUrl\",\"value\":\"https://{{host}}/v1\"}]"
      ),
      has: [
        "host: a.example.com", "base_url: { value: \"https://{{ vars.host }}/v1\" }", "since: { type: string }",
        "since: \"{{ vars.since }}\"", "t: \"{{ format(truncate(now(), 'second'), 'epoch_s') }}\"",
        "base_url: \"{{ vars.base_url }}\"",
      ]),
    ImportCase(
      "a server without a scheme",
      one("\"url\":\"{{host}}/orders\"", root: "\"variable\":[{\"key\":\"host\",\"value\":\"a.example.com\"}]"),
      has: ["base_url: \"http://{{ vars.host }}\""]),
    ImportCase(
      "a random value is a loss", one("\"url\":\"https://a.example.com/x?id={{$guid}}&b=1\""), has: ["b: \"1\""],
      lacks: ["{ id:"],
      losses: [.expression]),
    ImportCase(
      "a variable that contains itself is a loss",
      one(
        "\"url\":\"https://a.example.com/x?a={{a}}\"",
        root: "\"variable\":[{\"key\":\"a\",\"value\":\"{{b}}\"},{\"key\":\"b\",\"value\":\"{{a}}\"}]"),
      losses: [.expression]),
    ImportCase(
      "headers as a text, and one that occurs twice",
      one("\"url\":\"https://a.example.com/x\",\"header\":\"Accept: text/csv\\nX-A: 1\\nX-A: 2\\nHost: b\""),
      has: ["Accept: text/csv", "X-A: \"1, 2\""], lacks: ["Host"]),
    ImportCase(
      "headers that are switched off",
      one(
        "\"url\":\"https://a.example.com/x\",\"header\":[{\"key\":\"A\",\"value\":\"1\",\"disabled\":true},{\"key\":\"B\",\"value\":\"{{b}}\"}]"
      ),
      has: ["B: \"{{ vars.b }}\""], lacks: ["A:"]),
    ImportCase(
      "escapes and braces", one("\"url\":\"https://a.example.com/a b/{x}?q=a%20b+c&r=%7B%7D\""),
      has: ["path: /a%20b/%7Bx%7D", "q: \"a b c\"", "r: \"{}\""]),
    ImportCase(
      "a method that is not known", one("\"method\":\"PURGE\",\"url\":\"https://a.example.com/x\""), losses: [.request]),
    ImportCase(
      "HEAD is a loss", one("\"method\":\"HEAD\",\"url\":\"https://a.example.com/x\""), losses: [.request]),
    ImportCase(
      "a variable that is the whole URL",
      one(
        "\"url\":\"{{whole}}?b=2\"",
        root: "\"variable\":[{\"key\":\"whole\",\"value\":\"https://a.example.com/posts?z=1#top\"}]"),
      has: ["base_url: https://a.example.com\n", "path: /posts", "query: { z: \"1\", b: \"2\" }"], lacks: ["vars"]),
    ImportCase(
      "a variable that is the server alone",
      one("\"url\":\"{{base}}\"", root: "\"variable\":[{\"key\":\"base\",\"value\":\"https://a.example.com\"}]"),
      has: ["base_url: \"{{ vars.base }}\"", "resource: /\n"]),
    ImportCase(
      "a variable without a value may have a path", one("\"url\":\"{{whole}}\""),
      has: ["base_url: \"{{ vars.whole }}\"", "url: \"{{ vars.whole }}\""]),
    ImportCase(
      "texts that look like templates of other programs",
      one(
        "\"url\":\"https://a.example.com/x\",\"header\":[{\"key\":\"X-A\",\"value\":\"${A} $NAME %(a)s {% b %}\"},{\"key\":\"X-B\",\"value\":\"${{b}}\"}]"
      ),
      has: [
        #"X-A: "{{ \"$\" }}{A} {{ \"$\" }}NAME {{ \"%\" }}(a)s {{ \"{\" }}% b %}""#,
        #"X-B: "{{ \"$\" }}{{ vars.b }}""#,
      ]),
    ImportCase(
      "a query before the path is a loss",
      one(
        "\"url\":\"{{whole}}/x\"",
        root: "\"variable\":[{\"key\":\"whole\",\"value\":\"https://a.example.com/posts?z=1\"}]"),
      lacks: ["posts"], losses: [.request]),
    ImportCase(
      "two slashes at the beginning of a path", one("\"url\":\"https://a.example.com//posts\""),
      has: ["resource: /posts", "# not imported: the slash at the beginning"], losses: [.request]),
    ImportCase(
      "a first segment that is empty",
      one("\"url\":{\"host\":[\"https://a.example.com\"],\"path\":[\"\",\"posts\"]}"),
      has: ["resource: /posts", "# not imported: the slash at the beginning"], losses: [.request]),
    ImportCase(
      "slashes in a value of the path",
      one(
        "\"url\":{\"host\":[\"https://a.example.com\"],\"path\":[\"f\",\":p\",\":q\"],\"variable\":[{\"key\":\"p\",\"value\":\"a/b c\"},{\"key\":\"q\",\"value\":\"{{q}}\"}]}",
        root: "\"variable\":[{\"key\":\"q\",\"value\":\"d/e\"}]"),
      has: ["resource: \"/f/a/b%20c/{{ vars.q }}\""]),
    ImportCase(
      "pairs of the query in a variable",
      one(
        "\"url\":\"https://a.example.com/x?{{qs}}&c=3\"",
        root: "\"variable\":[{\"key\":\"qs\",\"value\":\"a=1&b=2\"}]"),
      has: ["query: { a: \"1\", b: \"2\", c: \"3\" }"]),
    ImportCase(
      "a URL that is sent as written",
      one(
        "\"url\":\"https://a.example.com/x?a=1,2%20&b={{b}}&c=3&d=4 5\"",
        item: "\"protocolProfileBehavior\":{\"disableUrlEncoding\":true}"),
      has: ["a: \"1,2%20\"", "c: \"3\"", "d: \"4%205\"", "unescaped: [a, b, d]"], losses: [.request]),
    ImportCase(
      "a path that is sent as written",
      one("\"url\":\"https://a.example.com/a|b\"", item: "\"protocolProfileBehavior\":{\"disableUrlEncoding\":true}"),
      has: ["resource: /a%7Cb"], losses: [.request]),
    ImportCase("no URL", one("\"method\":\"GET\""), losses: [.request]),
    ImportCase("another scheme", one("\"url\":\"ftp://a.example.com/x\""), losses: [.request]),
  ]

  static let authorizations = [
    ImportCase(
      "bearer", one(auth("bearer", [("token", "\"abc-token-123\"")])),
      has: ["auth: { bearer: \"{{ secrets.API_TOKEN }}\" }", "secrets: [API_TOKEN]"], lacks: ["abc-token"]),
    ImportCase(
      "bearer by a variable",
      one(
        auth("bearer", [("token", "\"{{jwt}}\"")]), root: "\"variable\":[{\"key\":\"jwt\",\"value\":\"very-secret\"}]"),
      has: ["bearer: \"{{ secrets.JWT }}\""], lacks: ["very-secret", "vars:"]),
    ImportCase(
      "basic", one(auth("basic", [("username", "\"{{user}}\""), ("password", "\"hunter22\"")])),
      has: ["basic: { username: \"{{ vars.user }}\", password: \"{{ secrets.API_PASSWORD }}\" }"], lacks: ["hunter"]),
    ImportCase(
      "a key in the query", one(auth("apikey", [("key", "\"k\""), ("value", "\"{{key}}\""), ("in", "\"query\"")])),
      has: ["api_key: { query: k, value: \"{{ secrets.KEY }}\" }"]),
    ImportCase(
      "client credentials",
      one(
        auth(
          "oauth2",
          [
            ("grant_type", "\"client_credentials\""), ("accessTokenUrl", "\"https://l.example.com/token\""),
            ("clientId", "\"me\""), ("clientSecret", "\"s3cr3t-value\""), ("scope", "\"a b\""),
            ("client_authentication", "\"body\""), ("audience", "\"x\""),
          ])),
      has: [
        "url: https://l.example.com/token", "client_id: me", "client_secret: \"{{ secrets.CLIENT_SECRET }}\"",
        "scopes: [a, b]", "send: body", "audience: x",
      ], lacks: ["s3cr3t"]),
    ImportCase(
      "a password for a token",
      one(
        auth(
          "oauth2",
          [
            ("grant_type", "\"password_credentials\""), ("accessTokenUrl", "\"https://l.example.com/token\""),
            ("clientId", "\"me\""), ("clientSecret", "\"{{cs}}\""), ("username", "\"ada\""), ("password", "\"{{pw}}\""),
          ])),
      has: [
        "login:", "base_url: https://l.example.com", "path: /token", "grant_type: password",
        "username: \"{{ secrets.API_USERNAME }}\"", "password: \"{{ secrets.PW }}\"",
        "base64_encode('me' + ':' + secrets.CS)", "token: $.access_token",
      ]),
    ImportCase(
      "a consent",
      one(
        auth(
          "oauth2",
          [
            ("grant_type", "\"authorization_code\""), ("accessTokenUrl", "\"https://l.example.com/token\""),
            ("clientId", "\"me\""),
          ])),
      has: ["grant: refresh_token", "refresh_token: \"{{ secrets.REFRESH_TOKEN }}\""]),
    ImportCase(
      "an access token alone", one(auth("oauth2", [("accessToken", "\"abcdef123\"")])),
      has: ["bearer: \"{{ secrets.API_TOKEN }}\""], lacks: ["abcdef"]),
    ImportCase(
      "AWS",
      one(
        auth(
          "awsv4",
          [
            ("accessKey", "\"AKIAX\""), ("secretKey", "\"abcdefgh\""), ("region", "\"eu-west-1\""),
            ("service", "\"s3\""),
          ])), has: ["sigv4:", "service: s3", "key_id: \"{{ secrets.AWS_ACCESS_KEY_ID }}\""],
      lacks: ["AKIAX", "abcdefgh"]),
    ImportCase(
      "a signed token",
      one(
        auth(
          "jwt",
          [
            ("algorithm", "\"HS256\""), ("secret", "\"abcdefgh\""),
            ("payload", "\"{\\\"sub\\\":\\\"{{who}}\\\",\\\"exp\\\":1}\""),
          ])), has: ["jwt: { algorithm: HS256, key: \"{{ secrets.JWT_KEY }}\", claims: { sub: \"{{ vars.who }}\" } }"],
      lacks: ["exp"]),
    ImportCase(
      "a digest", one(auth("digest", [("username", "\"ada\""), ("password", "\"abcdefgh\"")])),
      has: ["digest:", "password: \"{{ secrets."], lacks: ["abcdefgh"]),
    ImportCase(
      "OAuth 1",
      one(
        auth(
          "oauth1",
          [
            ("consumerKey", "\"client\""), ("consumerSecret", "\"abcdefgh\""), ("token", "\"ijklmnop\""),
            ("tokenSecret", "\"qrstuvwx\""), ("signatureMethod", "\"HMAC-SHA256\""), ("realm", "\"Photos\""),
          ])),
      has: [
        "oauth1:", "client_id: client", "token_secret: \"{{ secrets.", "algorithm: HMAC-SHA256", "realm: Photos",
      ],
      lacks: ["abcdefgh", "ijklmnop", "qrstuvwx"]),
    ImportCase(
      "OAuth 1 with a private key is a loss",
      one(auth("oauth1", [("consumerKey", "\"a\""), ("signatureMethod", "\"RSA-SHA1\"")])),
      losses: [.authentication]),
    ImportCase("an unknown kind is a loss", one(auth("magic", [])), losses: [.authentication]),
    ImportCase(
      "a credential with a random part is a loss",
      one(
        "\"url\":\"https://a.example.com/x\",\"header\":[{\"key\":\"X-Api-Key\",\"value\":\"abcdefgh {{$guid}}\"},{\"key\":\"Authorization\",\"value\":\"Bearer abc-{{$timestamp}}\"}]"
      ),
      has: [
        "Authorization: \"Bearer {{ secrets.API_TOKEN }}{{ format(truncate(now(), 'second'), 'epoch_s') }}\"",
        "# not imported: headers.X-Api-Key: {{$guid}}",
      ], lacks: ["abc-", "abcdefgh", "X_API_KEY"], losses: [.expression]),
    ImportCase(
      "names of credentials",
      one(
        "\"url\":\"https://a.example.com/x?pwd=p1&jwt=p2&key=AIza-secret-5&code=de&key=name&X-Amz-Signature=p3\",\"header\":[{\"key\":\"Ocp-Apim-Subscription-Key\",\"value\":\"h1\"},{\"key\":\"DD-APPLICATION-KEY\",\"value\":\"h2\"},{\"key\":\"X-Access-Key\",\"value\":\"h3\"},{\"key\":\"X-Auth\",\"value\":\"h4\"},{\"key\":\"Session-Id\",\"value\":\"h5\"},{\"key\":\"Partition-Key\",\"value\":\"h6\"}]"
      ),
      has: [
        "pwd: \"{{ secrets.PWD }}\"", "jwt: \"{{ secrets.JWT }}\"", "key: [\"{{ secrets.KEY }}\", name]", "code: de",
        "X-Amz-Signature: \"{{ secrets.", "Subscription-Key: \"{{ secrets.", "DD-APPLICATION-KEY: \"{{ secrets.",
        "X-Access-Key: \"{{ secrets.", "X-Auth: \"{{ secrets.", "Session-Id: \"{{ secrets.", "Partition-Key: h6",
      ], lacks: ["AIza", "p1", "p2", "p3", "h1", "h2", "h3", "h4", "h5"]),
    ImportCase(
      "credentials in the values of variables",
      one(
        "\"url\":\"https://a.example.com/x?a={{hook}}&b={{google}}&c={{plain}}\"",
        root:
          "\"variable\":[{\"key\":\"hook\",\"value\":\"https://me:abcd@b.example.com/y\"},{\"key\":\"google\",\"value\":\"AIzaSyA1234567890abcdef\"},{\"key\":\"plain\",\"value\":\"x\"}]"
      ),
      has: ["a: \"https://me:{{ secrets.PASSWORD }}@b.example.com/y\"", "b: \"{{ secrets.GOOGLE }}\"", "plain: x"],
      lacks: ["abcd", "AIza"]),
    ImportCase(
      "a server that is refused does not show its password",
      one(
        "\"url\":\"{{conn}}/x\"",
        root: "\"variable\":[{\"key\":\"conn\",\"value\":\"https://me:abcdefgh@b.example.com/v1\"}]"),
      lacks: ["abcdefgh"], losses: [.request]),
    ImportCase(
      "a credential in a header and in the query",
      one(
        "\"url\":\"https://a.example.com/x?api_key=0123456789ab\",\"header\":[{\"key\":\"Authorization\",\"value\":\"Bearer abcdefgh\"},{\"key\":\"X-Api-Key\",\"value\":\"{{k}}\"}]"
      ),
      has: [
        "Authorization: \"Bearer {{ secrets.API_TOKEN }}\"", "X-Api-Key: \"{{ secrets.K }}\"",
        "api_key: \"{{ secrets.API_KEY }}\"",
      ],
      lacks: ["abcdefgh", "0123456789ab"]),
  ]

  static let bodies = [
    ImportCase(
      "comments in JSON",
      one(
        "\"method\":\"POST\",\"url\":\"https://a.example.com/x\",\"body\":{\"mode\":\"raw\",\"raw\":\"{ // first\\n \\\"a\\\": \\\"b // \\\\\\\" c\\\" /* last */ }\",\"options\":{\"raw\":{\"language\":\"json\"}}}"
      ), has: ["json: { a: \"b // \\\" c\" }"], lacks: ["first", "last"]),
    ImportCase(
      "slashes in another text",
      one(
        "\"method\":\"POST\",\"url\":\"https://a.example.com/x\",\"body\":{\"mode\":\"raw\",\"raw\":\"a // b\"}"),
      has: ["text: \"a // b\""]),
    ImportCase(
      "a form that is written as a text",
      one(
        "\"method\":\"POST\",\"url\":\"https://a.example.com/x\",\"header\":[{\"key\":\"Content-Type\",\"value\":\"application/x-www-form-urlencoded\"}],\"body\":{\"mode\":\"raw\",\"raw\":\"a=b%20c&pwd=abc\"}"
      ), has: ["form: { a: \"b c\", pwd: \"{{ secrets.PWD }}\" }"], lacks: ["abc", "Content-Type"]),
    ImportCase(
      "credentials in a text that is no JSON before its variables are filled in",
      one(
        "\"method\":\"POST\",\"url\":\"https://a.example.com/x\",\"body\":{\"mode\":\"raw\",\"raw\":\"{\\\"password\\\": \\\"abc\\\", \\\"token\\\": \\\"{{t}}\\\", \\\"n\\\": {{n}}}\"}",
        root: "\"variable\":[{\"key\":\"t\",\"value\":\"def\"}]"),
      has: [
        "text: \"{\\\"password\\\": \\\"{{ secrets.PASSWORD }}\\\", \\\"token\\\": \\\"{{ secrets.T }}\\\", \\\"n\\\": {{ vars.n }}}\""
      ], lacks: ["abc", "def"]),
    ImportCase(
      "types in a GraphQL document are no credentials",
      one(
        "\"method\":\"POST\",\"url\":\"https://a.example.com/g\",\"body\":{\"mode\":\"graphql\",\"graphql\":{\"query\":\"query A($token: String) { a(token: $token) }\"}}"
      ), has: ["query A($token: String) { a(token: $token) }"], lacks: ["secrets"]),
    ImportCase(
      "JSON with variables",
      one(
        "\"method\":\"POST\",\"url\":\"https://a.example.com/x\",\"header\":[{\"key\":\"Content-Type\",\"value\":\"application/json\"}],\"body\":{\"mode\":\"raw\",\"raw\":\"{\\\"a\\\":1.50,\\\"b\\\":\\\"{{b}}\\\",\\\"no\\\":\\\"no\\\",\\\"password\\\":\\\"abcdefgh\\\",\\\"l\\\":[true,null]}\"}"
      ),
      has: [
        "a: 1.50", "b: \"{{ vars.b }}\"", "\"no\": \"no\"", "password: \"{{ secrets.PASSWORD }}\"", "l: [true, null]",
        "tags: [writes]",
      ], lacks: ["abcdefgh", "Content-Type"]),
    ImportCase(
      "JSON that is none before its variables are filled in",
      one(
        "\"method\":\"POST\",\"url\":\"https://a.example.com/x\",\"body\":{\"mode\":\"raw\",\"raw\":\"{\\\"a\\\": {{n}} }\",\"options\":{\"raw\":{\"language\":\"json\"}}}"
      ),
      has: ["text: \"{\\\"a\\\": {{ vars.n }} }\"", "Content-Type: application/json"]),
    ImportCase(
      "a form",
      one(
        "\"method\":\"POST\",\"url\":\"https://a.example.com/x\",\"body\":{\"mode\":\"urlencoded\",\"urlencoded\":[{\"key\":\"a\",\"value\":\"1\"},{\"key\":\"a\",\"value\":\"2\"},{\"key\":\"b\",\"value\":\"x\",\"disabled\":true}]}"
      ),
      has: ["form: { a: [\"1\", \"2\"] }"]),
    ImportCase(
      "GraphQL",
      one(
        "\"method\":\"POST\",\"url\":\"https://a.example.com/g\",\"body\":{\"mode\":\"graphql\",\"graphql\":{\"query\":\"query A { a }\",\"variables\":\"{\\\"n\\\": 5}\",\"operationName\":\"A\"}}"
      ),
      has: ["graphql: { query: \"query A { a }\", variables: { \"n\": 5 }, name: A }"], lacks: ["writes"]),
    ImportCase(
      "a multipart form is a loss",
      one(
        "\"method\":\"POST\",\"url\":\"https://a.example.com/x\",\"body\":{\"mode\":\"formdata\",\"formdata\":[{\"key\":\"a\",\"value\":\"b\"}]}"
      ), losses: [.request]),
    ImportCase(
      "a file is a loss",
      one(
        "\"method\":\"PUT\",\"url\":\"https://a.example.com/x\",\"body\":{\"mode\":\"file\",\"file\":{\"src\":\"a\"}}"),
      losses: [.request]),
    ImportCase(
      "a body that is switched off",
      one(
        "\"method\":\"POST\",\"url\":\"https://a.example.com/x\",\"body\":{\"mode\":\"raw\",\"raw\":\"a\",\"disabled\":true}"
      ), lacks: ["body"]),
    ImportCase(
      "the program sends no body with GET",
      one("\"method\":\"GET\",\"url\":\"https://a.example.com/x\",\"body\":{\"mode\":\"raw\",\"raw\":\"a\"}"),
      lacks: ["body"]),
    ImportCase(
      "unless it is told to",
      one(
        "\"method\":\"GET\",\"url\":\"https://a.example.com/x\",\"body\":{\"mode\":\"raw\",\"raw\":\"{\\\"a\\\":1}\"}",
        item: "\"protocolProfileBehavior\":{\"disableBodyPruning\":true}"), has: ["json: { a: 1 }", "method: GET"]),
  ]

  static let others = [
    ImportCase(
      "a schema from a saved response",
      one(
        "\"url\":\"https://a.example.com/orders?page=1\"",
        item: example(
          "{\"data\":[{\"id\":1,\"at\":\"2026-01-01T00:00:00Z\"},{\"id\":2,\"at\":null}],\"page\":1,\"pages\":3}")),
      has: [
        "records: \"$.data[*]\"", "key: id", "at: timestamp?", "by: page",
        "# guessed from the saved response 'OK':",
      ], lacks: ["page: \"1\""]),
    ImportCase(
      "a response that is no JSON", one("\"url\":\"https://a.example.com/x\"", item: example("<html>")),
      has: ["# no saved JSON response"]),
    ImportCase(
      "a script is a loss",
      one(
        "\"url\":\"https://a.example.com/x\"",
        item:
          "\"event\":[{\"listen\":\"test\",\"script\":{\"exec\":[\"pm.test()\"]}},{\"listen\":\"prerequest\",\"script\":{\"exec\":[\"// nothing\",\"\"]}}]"
      ), has: ["# not imported: the script 'test'"], losses: [.customCode]),
    ImportCase(
      "a description", one("\"url\":\"https://a.example.com/x\",\"description\":{\"content\":\"All {{x}}\\norders\"}"),
      has: ["All { {x}} orders"]),
    ImportCase(
      "redirects",
      one("\"url\":\"https://a.example.com/x\"", item: "\"protocolProfileBehavior\":{\"followRedirects\":false}"),
      has: ["redirects: none"]),
    ImportCase(
      "settings of the collection",
      one(
        "\"method\":\"GET\",\"url\":\"https://a.example.com/x?a=b,c\",\"body\":{\"mode\":\"raw\",\"raw\":\"{\\\"a\\\":1}\"}",
        root:
          "\"protocolProfileBehavior\":{\"followRedirects\":false,\"strictSSL\":false,\"disableBodyPruning\":true,\"disableUrlEncoding\":true,\"disableCookies\":true,\"tlsDisabledProtocols\":[\"TLSv1\"],\"insecureHTTPParser\":false}"
      ),
      has: [
        "redirects: none", "json: { a: 1 }", "unescaped: [a]", "# not imported: strictSSL: false",
        "# not imported: tlsDisabledProtocols",
      ], losses: [.request, .request]),
    ImportCase(
      "a setting of the request counts before that of the collection",
      one(
        "\"url\":\"https://a.example.com/x\"",
        item: "\"protocolProfileBehavior\":{\"followRedirects\":true,\"maxRedirects\":2}",
        root: "\"protocolProfileBehavior\":{\"followRedirects\":false}"),
      lacks: ["      redirects"], losses: [.request]),
    ImportCase(
      "certificates",
      one("\"url\":\"https://a.example.com/x\"", item: "\"protocolProfileBehavior\":{\"strictSSL\":false}"),
      losses: [.request]),
  ]

  @Test func `folders hand down their authorization, and noauth ends that`() throws {
    let imported = try Imported(
      postman: """
        {"info":{"name":"Shop"},"auth":{"type":"bearer","bearer":[{"key":"token","value":"{{t}}"}]},"item":[
          {"name":"A","auth":{"type":"basic","basic":{"username":"u","password":"{{p}}"}},"item":[
            {"name":"x","request":{"url":"https://a.example.com/x"}},
            {"name":"y","request":{"url":"https://a.example.com/y","auth":{"type":"noauth"}}}]},
          {"name":"x","request":{"url":"https://a.example.com/z"}},
          {"name":"w","request":{"url":"https://a.example.com/w"}}]}
        """)
    #expect(
      imported.report.flows == ["x", "y", "x_2", "w"] || imported.report.flows == ["x", "y", "x_x", "w"],
      "\(imported.report.flows)")
    #expect(imported.text.contains("auth: { bearer: \"{{ secrets.T }}\" }"), "\(imported.text)")
    #expect(
      imported.text.contains(
        "auth: { basic: { username: \"{{ secrets.API_USERNAME }}\", password: \"{{ secrets.P }}\" } }"))
    #expect(imported.text.contains("    auth: none"))
    #expect(imported.text.contains("tags: [a]"))
    #expect(imported.report.secrets == ["API_USERNAME", "P", "T"])
    #expect(imported.report.complete.count == 4)
  }

  @Test func `a script of a folder affects its requests`() throws {
    let imported = try Imported(
      postman: """
        {"item":[{"name":"A","event":[{"listen":"prerequest","script":{"exec":"pm.environment.set('a', 1)"}}],"item":[
          {"name":"x","request":{"url":"https://a.example.com/x"}}]},{"name":"y","request":{"url":"https://a.example.com/y"}}]}
        """)
    #expect(imported.report.complete == ["y"])
    #expect(imported.report.losses.map(\.what) == ["the script 'prerequest' of the folder 'A'"])
  }

  @Test func `requests that may change the server are left out by default`() throws {
    let collection = """
      {"item":[{"name":"a","request":{"method":"DELETE","url":"https://a.example.com/x"}},
        {"name":"b","request":{"url":"https://a.example.com/y"}},
        {"name":"c","request":{"method":"POST","url":"https://a.example.com/g","body":{"mode":"graphql","graphql":{"query":"mutation { a }"}}}},
        {"name":"d","request":{"method":"POST","url":"https://a.example.com/g","body":{"mode":"graphql","graphql":{"query":"query { a }"}}}}]}
      """
    let imported = try Imported(postman: collection)
    #expect(imported.report.flows == ["b", "d"])
    #expect(imported.report.losses.map(\.kind) == [.request, .request])
    #expect(try Imported(postman: collection, writes: true).report.flows == ["a", "b", "c", "d"])
  }

  @Test func `an environment replaces variables, and its secrets are not written`() throws {
    let imported = try Imported(
      postman:
        "{\"variable\":[{\"key\":\"url\",\"value\":\"https://old.example.com\"}],\"item\":[{\"name\":\"a\",\"request\":{\"url\":\"{{url}}/x?k={{k}}&l=top-secret-value\"}}]}",
      environments: [
        "{\"name\":\"eu\",\"values\":[{\"key\":\"url\",\"value\":\"https://eu.example.com\",\"enabled\":true},{\"key\":\"k\",\"value\":\"top-secret-value\",\"type\":\"secret\"},{\"key\":\"url\",\"value\":\"x\",\"enabled\":false}]}"
      ])
    #expect(imported.text.contains("url: https://eu.example.com"))
    #expect(imported.text.contains("k: \"{{ secrets.K }}\""))
    #expect(!imported.text.contains("top-secret-value"), "\(imported.text)")
  }

  @Test(arguments: [
    "", "a", "[]", "{", "{}", "{\"item\":{}}", "{\"order\":[],\"requests\":[]}", "\u{0}", "{\"item\":[]}}",
  ])
  func `what is no collection is an error`(_ text: String) {
    #expect(throws: ImportError.self) { try PostmanImport(SourceFile(path: "c.json", text: text)).result() }
  }

  @Test func `damaged collections do not crash`() throws {
    let seeds = (Self.requests + Self.authorizations + Self.bodies + Self.others).map { Array($0.source.utf8) }
    var generator = SeededGenerator(11)
    for _ in 0..<1_500 {
      var damaged = seeds.randomElement(using: &generator) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<damaged.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: damaged[index] = UInt8.random(in: 0x20...0x7E, using: &generator)
        case 1: damaged.remove(at: index)
        default: damaged.insert("{}[]:\",$%\\ 0n".utf8.randomElement(using: &generator) ?? 0, at: index)
        }
      }
      guard let text = String(validating: damaged, as: UTF8.self) else { continue }
      do { _ = try Imported(postman: text, writes: true) } catch is ImportError {}
    }
  }

  @Test(arguments: [
    "null", "5", "\"a\"", "[]", "{}", "[null,1,\"a\",[],{}]", "{\"a\":{\"b\":[]}}", "\"{{\"", "\"{{a\"", "\"}}{{ }}\"",
    "true",
  ])
  func `wrong values are losses, never a crash`(_ value: String) throws {
    for key in ["url", "method", "header", "body", "auth", "description"] {
      _ = try Imported(postman: Self.one("\"url\":\"https://a.example.com/x\",\"\(key)\":\(value)"), writes: true)
    }
    for key in ["name", "response", "event", "variable", "protocolProfileBehavior", "request", "item"] {
      _ = try Imported(
        postman: Self.one("\"url\":\"https://a.example.com/x\"", item: "\"\(key)\":\(value)"), writes: true)
    }
    for key in ["host", "path", "query", "variable", "port", "protocol", "raw"] {
      _ = try Imported(
        postman: Self.one("\"url\":{\"raw\":\"https://a.example.com/x\",\"host\":[\"a\"],\"\(key)\":\(value)}"))
    }
    for mode in ["raw", "urlencoded", "formdata", "graphql", "file", "options"] {
      _ = try Imported(
        postman: Self.one(
          "\"method\":\"POST\",\"url\":\"https://a.example.com/x\",\"body\":{\"mode\":\"\(mode)\",\"\(mode)\":\(value)}"
        ), writes: true)
    }
    for kind in ["bearer", "basic", "apikey", "oauth2", "awsv4", "jwt"] {
      _ = try Imported(
        postman: Self.one("\"url\":\"https://a.example.com/x\",\"auth\":{\"type\":\"\(kind)\",\"\(kind)\":\(value)}"))
    }
  }

  @Test func `deep folders end`() throws {
    let open = String(repeating: "{\"name\":\"f\",\"item\":[", count: 100)
    let close = String(repeating: "]}", count: 100)
    let imported = try Imported(
      postman:
        "{\"item\":[\(open){\"name\":\"a\",\"request\":\"https://a.example.com/x\"}\(close),{\"name\":\"b\",\"request\":\"https://a.example.com/y\"}]}"
    )
    #expect(imported.report.flows == ["b"])
    #expect(imported.report.losses.map(\.kind) == [.configuration])
  }

  @Test func `variables that multiply do not fill the memory`() throws {
    let variables = (0..<40).map {
      "{\"key\":\"v\($0)\",\"value\":\"\(String(repeating: "{{v\($0 + 1)}}", count: 8))\"}"
    }.joined(separator: ",")
    let imported = try Imported(postman: Self.one("\"url\":\"{{v0}}/x?a={{v0}}\"", root: "\"variable\":[\(variables)]"))
    #expect(imported.text.utf8.count < 20_000)
  }

  @Test func `a collection of 5 MB is imported`() throws {
    let imported = try Imported(postman: LargeCollection.text(requests: 1_600))
    #expect(imported.report.flows.count == 1_600)
    #expect(imported.report.losses.isEmpty)
  }
}

/// A collection as large as the largest known.
enum LargeCollection {
  /// About 3 kB for each request.
  static func text(requests: Int) -> String {
    let records = (0..<12).map {
      "{\"id\":\($0),\"name\":\"record \($0)\",\"at\":\"2026-01-01T00:00:00Z\",\"price\":\($0).5,\"tags\":[\"a\",\"b\"],\"note\":\"\(String(repeating: "x", count: 100))\"}"
    }.joined(separator: ",")
    let body = JSONValue.string("{\"data\":[\(records)],\"next\":null}").text
    let items = (0..<requests).map { number in
      """
      {"name":"Request \(number)","request":{"method":"GET","header":[{"key":"Accept","value":"application/json"}],
       "url":{"raw":"{{baseUrl}}/r/\(number)?limit=100","host":["{{baseUrl}}"],"path":["r","\(number)"],
       "query":[{"key":"limit","value":"100"}]}},"response":[{"name":"OK","code":200,"header":[],"body":\(body)}]}
      """
    }
    return """
      {"info":{"name":"Large"},"auth":{"type":"bearer","bearer":[{"key":"token","value":"{{token}}"}]},
       "variable":[{"key":"baseUrl","value":"https://a.example.com"}],"item":[\(items.joined(separator: ","))]}
      """
  }
}
