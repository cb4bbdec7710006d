import Authorization
@testable import FlowCompiler
import FlowModel
@testable import FlowRuntime
@testable import FlowSpec
import SourceDiagnostics
import Testing

/// What identifies credentials is persisted with results: after a change of it, all of them would be requested anew.
@Suite struct AuthIdentityTests {
  /// A declaration, its lines in the identity of a result, and the parts of the identity of its credentials.
  struct Credentials: Sendable, CustomTestStringConvertible {
    let auth: String
    let lines: [String]
    /// Nil for a login, whose parts are hashes of its requests.
    var parts: [String?]?

    var testDescription: String { auth }
  }

  private static let authorization = "header(\"Authorization\")"

  private static let kinds = [
    Credentials(
      auth: "bearer: '{{ secrets.TOKEN }}'", lines: ["bearer {{ secrets.TOKEN }}"],
      parts: ["bearer", authorization, "t0ken"]),
    Credentials(
      auth: "basic: { username: me, password: '{{ secrets.PASSWORD }}' }",
      lines: ["basic me", "password {{ secrets.PASSWORD }}"], parts: ["basic", authorization, "me", "pass"]),
    Credentials(
      auth: "digest: { username: me, password: '{{ secrets.PASSWORD }}' }",
      lines: ["digest me", "password {{ secrets.PASSWORD }}"], parts: ["digest", "me", "pass"]),
    Credentials(
      auth: "api_key: { query: key, value: '{{ secrets.TOKEN }}' }",
      lines: ["api_key query key", "value {{ secrets.TOKEN }}"], parts: ["api_key", "query(\"key\")", "t0ken"]),
    Credentials(
      auth: "sigv4: { service: s3, region: eu, key_id: a, key: '{{ secrets.PASSWORD }}' }",
      lines: [
        "sigv4 service s3", "sigv4 region eu", "sigv4 access_key a", "sigv4 secret_key {{ secrets.PASSWORD }}",
      ], parts: ["sigv4", "s3", "eu", "a", "pass", nil]),
    Credentials(
      auth: "oauth1: { client_id: a, client_secret: '{{ secrets.PASSWORD }}', token: b, realm: r }",
      lines: [
        "oauth1 consumer_key a", "oauth1 consumer_secret {{ secrets.PASSWORD }}", "oauth1 token b", "oauth1 realm r",
      ], parts: ["oauth1", "a", "pass", "b", nil, "r"]),
    Credentials(
      auth: "oauth2: { url: 'https://a.example/t', client_id: a, client_secret: '{{ secrets.PASSWORD }}', "
        + "scopes: [x, y], params: { q: r, audience: z } }",
      lines: [
        "oauth2 client_credentials", "token_url https://a.example/t", "client_id a",
        "client_secret {{ secrets.PASSWORD }}", "scope x", "scope y", "audience z", "params q r",
        "at header authorization",
      ],
      parts: [
        "oauth2", "client_credentials", "https://a.example/t", "a", "pass", nil, "basic", "x", "y", "q", "r",
        "audience", "z",
      ]),
    Credentials(
      auth: "jwt: { algorithm: HS256, key: '{{ secrets.TOKEN }}', header: X-Token, value: 'T {{ token }}' }",
      lines: ["jwt key {{ secrets.TOKEN }}", "at header x-token", "value T {{ token }}"],
      parts: ["jwt", "HS256", "t0ken", "{}", "{}"]),
    Credentials(
      auth: "sign: { headers: { X-S: '{{ sha256(request.path + secrets.TOKEN) }}' } }",
      lines: ["sign headers X-S {{ sha256(request.path + secrets.TOKEN) }}"],
      parts: ["sign", "X-S", "{{ sha256(request.path + secrets.TOKEN) }}", "t0ken"]),
    Credentials(
      auth: "login: { steps: [{ resource: /a, values: { n: $.n } }], token: headers.X-Token, "
        + "resource: { method: POST, path: /login, query: { n: '{{ n }}' }, body: { form: { a: b } } } }",
      lines: [
        "login", "GET /a", "capture n $.n", "POST /login", "query n {{ n }}", "body a b", "token_header x-token",
        "at header authorization",
      ]),
  ]

  @Test(arguments: kinds) func `a kind of authorization is identified as ever`(_ kind: Credentials) throws {
    let text = """
      reactor: 1
      secrets: [TOKEN, PASSWORD]
      http: { base_url: https://api.example.com }
      flows:
        orders:
          resource: /orders
          auth: { \(kind.auth) }
      """
    let loaded = FlowLoader(reader: .nothing).load([SourceFile(path: "flows/shop.yaml", text: text)])
    let auth = try #require(loaded.flows.first?.auth?.value)
    var identity = IdentityText("", in: ResolutionScope())
    identity.add(auth)
    #expect(identity.text.split(separator: "\n").map(String.init) == kind.lines.map { "auth \($0)" })
    let inputs = FlowCompiler.Inputs(secrets: ["TOKEN": Secret("t0ken"), "PASSWORD": Secret("pass")])
    let plan = try #require(FlowCompiler(inputs: inputs).compile(loaded.flows).plans.first)
    #expect(plan.auth.identity != .none)
    if let parts = kind.parts { #expect(plan.auth.identity == CredentialIdentity(parts)) }
  }
}
