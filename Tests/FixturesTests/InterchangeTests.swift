import Fixtures
import Foundation
import JSONSyntax
import Testing

@Suite struct InterchangeTests {
  private static let secret = ["TOKEN": "sup3r-t0ken"]

  private static func cassette(_ text: String) throws -> (Cassette, ForeignRecording, Int) {
    let recording = try ForeignRecording(parsing: Array(text.utf8), path: "x")
    let (cassette, left, _) = recording.cassette(
      flow: "f.g", base: try FixtureBase(parsing: "http://api.test:8080"), matching: RequestMatching(), secrets: secret,
      tool: "1", now: "2026-11-21T08:00:00Z")
    return (cassette, recording, left)
  }

  private static let expected = Cassette(
    flow: "f.g", recordedAt: "2026-11-21T08:00:00Z", tool: "1",
    entries: [
      .init(
        request: RecordedRequest(method: "GET", url: "{{base}}/a?k={{secret:TOKEN}}&z=1"),
        outcome: .response(
          RecordedResponse(
            status: 200, headers: [.init("Content-Type", "application/json")],
            transport: .init(encoding: "gzip", wireLength: "9"),
            body: Array(#"{"next":"{{base}}/b","echo":"{{secret:TOKEN}}"}"#.utf8))))
    ])

  @Test func `credentials that nobody declared become marks, in URLs, forms and JSON`() throws {
    let recording = try ForeignRecording(
      parsing: Array(
        #"""
        {"log":{"version":"1.2","entries":[
          {"request":{"method":"POST","url":"http://api.test:8080/a?z=1&api_key=HIDDEN1&key=short",
            "postData":{"mimeType":"application/x-www-form-urlencoded","text":"user=a&password=HIDDEN2"}},
           "response":{"status":200,"headers":[{"name":"Content-Type","value":"application/json"}],
             "content":{"text":"{\"access_token\":\"HIDDEN3\",\"list\":[{\"client_secret\":\"HIDDEN4\",\"id\":1}],\"echo\":\"sup3r-t0ken\"}"}}}]}}
        """#.utf8), path: "x")
    let (cassette, _, credentials) = recording.cassette(
      flow: "f.g", base: try FixtureBase(parsing: "http://api.test:8080"), matching: RequestMatching(),
      secrets: Self.secret, tool: "1", now: "2026-11-21T08:00:00Z")
    #expect(credentials == ["access_token", "api_key", "client_secret", "password"])
    let text = try cassette.files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
    #expect(!text.contains("HIDDEN") && !text.contains("sup3r"))
    for part in ["api_key={{secret:api_key}}", "key=short", "password={{secret:password}}", "{{secret:TOKEN}}"] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
  }

  static let recordings: [(name: String, text: String)] = [
    (
      "HAR",
      #"""
      {"log":{"version":"1.2","entries":[
        {"request":{"method":"GET","url":"http://api.test:8080/a?z=1&k=sup3r-t0ken","headers":[{"name":"Authorization","value":"sup3r-t0ken"}]},
         "response":{"status":200,"headers":[{"name":"Content-Type","value":"application/json"},{"name":"Content-Encoding","value":"gzip"},{"name":"Content-Length","value":"9"},{"name":"Date","value":"d"}],
           "content":{"text":"{\"next\":\"http://api.test:8080/b\",\"echo\":\"sup3r-t0ken\"}"}}},
        {"request":{"method":"GET","url":"http://other.test/"},"response":{"status":200,"content":{}}}]}}
      """#
    ),
    (
      "vcrpy",
      #"""
      interactions:
      - request:
          body: null
          headers:
            Authorization: [sup3r-t0ken]
          method: GET
          uri: http://api.test:8080/a?z=1&k=sup3r-t0ken
        response:
          body:
            string: '{"next":"http://api.test:8080/b","echo":"sup3r-t0ken"}'
          headers:
            Content-Type: [application/json]
            Content-Encoding: [gzip]
            Content-Length: ['9']
            Date: [now]
          status: {code: 200, message: OK}
      - request: {body: null, headers: {}, method: GET, uri: http://other.test/}
        response: {body: {string: !!binary "aGk="}, headers: {}, status: {code: 200, message: OK}}
      version: 1
      """#
    ),
    (
      "vcrpy, with an encoded body",
      #"""
      interactions:
      - request: { body: null, headers: {}, method: GET, uri: "http://api.test:8080/a?z=1&k=sup3r-t0ken" }
        response:
          body:
            string: !!binary |
              H4sIAAAAAAACA6tWykutKFGyUsooKSmw0tdPLMjUK0ktLrGyMLAw0E9S0lFK
              Tc7IB8oXlxYYF+mWGGSn5inVAgDmwOhONgAAAA==
          headers: { Content-Type: [application/json], Content-Encoding: [gzip], Content-Length: ['9'] }
          status: {code: 200, message: OK}
      - request: {body: null, headers: {}, method: GET, uri: http://other.test/}
        response: {body: {string: ""}, headers: {}, status: {code: 200, message: OK}}
      version: 1
      """#
    ),
    (
      "vcrpy, with an encoded body in base64",
      #"""
      interactions:
      - request: { body: null, headers: {}, method: GET, uri: "http://api.test:8080/a?z=1&k=sup3r-t0ken" }
        response:
          body: { base64_string: "H4sIAAAAAAACA6tWykutKFGyUsooKSmw0tdPLMjUK0ktLrGyMLAw0E9S0lFKTc7IB8oXlxYYF+mWGGSn5inVAgDmwOhONgAAAA==" }
          headers: { Content-Type: [application/json], content-encoding: [gzip], content-length: ['9'] }
          status: {code: 200, message: OK}
      - request: {body: null, headers: {}, method: GET, uri: http://other.test/}
        response: {body: {string: ""}, headers: {}, status: {code: 200, message: OK}}
      """#
    ),
    (
      "VCR",
      #"""
      ---
      http_interactions:
      - request:
          method: get
          uri: http://api.test:8080/a?z=1&k=sup3r-t0ken
          body: { encoding: UTF-8, string: '' }
          headers: {}
        response:
          status: { code: 200, message: OK }
          headers: { Content-Type: [application/json], Content-Encoding: gzip, Content-Length: ['9'] }
          body: { encoding: UTF-8, string: '{"next":"http://api.test:8080/b","echo":"sup3r-t0ken"}' }
        recorded_at: Sat, 21 Nov 2026 08:00:00 GMT
      - request: { method: get, uri: http://other.test/, body: { string: '' } }
        response: { status: { code: 200 }, body: { string: '' } }
      recorded_with: VCR 6.0.0
      """#
    ),
    (
      "go-vcr",
      #"""
      version: 2
      interactions:
        - id: 0
          request: { method: GET, url: "http://api.test:8080/a?z=1&k=sup3r-t0ken", body: "", headers: {} }
          response:
            code: 200
            status: 200 OK
            headers: { Content-Type: [application/json], Content-Encoding: [gzip], Content-Length: ["9"] }
            body: '{"next":"http://api.test:8080/b","echo":"sup3r-t0ken"}'
        - id: 1
          request: { method: GET, url: "http://other.test/" }
          response: { code: 200, body: "" }
      """#
    ),
  ]

  @Test(arguments: recordings.indices) func `recordings of others come in clean`(_ index: Int) throws {
    let (name, text) = Self.recordings[index]
    let (cassette, recording, left) = try Self.cassette(text)
    #expect(cassette == Self.expected, "\(name)")
    #expect(left == 1)
    #expect(recording.warnings.isEmpty)
    for file in try cassette.files { #expect(SecretScan(Self.secret).survivors(in: file.bytes).isEmpty) }
  }

  @Test(arguments: [
    ("gzip", "H4sIAAA=", "cannot be decompressed"), ("br", "CwWAaGVsbG//Aw==", "'br'"), ("gzip", "%", "is not base64"),
  ])
  func `a body that cannot be decoded is left out and told`(_ encoding: String, _ body: String, _ words: String) throws
  {
    let har =
      #"{"log":{"entries":[{"request":{"method":"GET","url":"http://api.test:8080/"},"response":{"status":200,"headers":[{"name":"Content-Encoding","value":"\#(encoding)"}],"content":{"text":"\#(body)","encoding":"base64"}}}]}}"#
    let vcr =
      "interactions:\n- request: { method: GET, uri: \"http://api.test:8080/\" }\n  response: { status: { code: 200 }, headers: { Content-Encoding: [\(encoding)] }, body: { string: !!binary \"\(body)\" } }\n"
    for text in [har, vcr] {
      let (cassette, recording, _) = try Self.cassette(text)
      #expect(cassette.entries.isEmpty)
      #expect(recording.warnings.count == 1 && recording.warnings[0].contains(words), "\(recording.warnings)")
    }
  }

  @Test func `a compressed file is content where no header says that the body is encoded`() throws {
    let text =
      #"{"log":{"entries":[{"request":{"method":"GET","url":"http://api.test:8080/a.gz"},"response":{"status":200,"headers":[{"name":"Content-Type","value":"application/gzip"}],"content":{"text":"H4sIAAA=","encoding":"base64"}}}]}}"#
    let (cassette, recording, _) = try Self.cassette(text)
    #expect(recording.warnings.isEmpty)
    guard case .response(let response)? = cassette.entries.first?.outcome else {
      Issue.record("no response")
      return
    }
    #expect(response.body == .held([0x1F, 0x8B, 0x08, 0, 0]) && response.transport == nil)
  }

  @Test(arguments: ["{}", "[]", "a: 1", "interactions: 3", "{\"log\":", "\t"])
  func `what is no recording is refused`(_ text: String) {
    #expect(throws: FixtureError.self) { try ForeignRecording(parsing: Array(text.utf8), path: "x") }
  }

  @Test func `an exported HAR comes back the same`() throws {
    let bytes = try HARFile.bytes([Self.expected], base: "http://api.test:8080", tool: "1")
    let log = try JSONValue(parsing: bytes)["log"]
    #expect(log?["version"]?.string == "1.2")
    let entry = log?["entries"]?.array?.first
    for name in ["startedDateTime", "time", "request", "response", "cache", "timings"] { #expect(entry?[name] != nil) }
    for name in ["method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize"] {
      #expect(entry?["request"]?[name] != nil, "\(name)")
    }
    for name in [
      "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize", "bodySize",
    ] {
      #expect(entry?["response"]?[name] != nil, "\(name)")
    }
    let (cassette, _, _) = try Self.cassette(String(decoding: bytes, as: UTF8.self))
    #expect(cassette.entries.map(\.request.path) == ["{{base}}/a"])
    guard case .response(let response)? = cassette.entries.first?.outcome else { return }
    #expect(String(decoding: try response.body.bytes, as: UTF8.self).contains("{{base}}/b"))
  }

  @Test(arguments: [
    ("curl https://x.test/a", "GET", "https://x.test/a", nil),
    ("curl 'https://x.test/a?b=1' -H 'Accept: a/b' --compressed", "GET", "https://x.test/a?b=1", nil),
    ("curl -X PUT https://x.test/ -d a=1 -d 'b=2 3'", "PUT", "https://x.test/", "a=1&b=2 3"),
    ("curl https://x.test/ --json '{\"a\":1}'", "POST", "https://x.test/", "{\"a\":1}"),
    ("curl -G https://x.test/ -d a=1", "GET", "https://x.test/?a=1", nil),
    ("curl x.test/a \\\n  -H \"X: \\\"q\\\"\"", "GET", "http://x.test/a", nil),
  ])
  func `a curl command is read as a shell would`(_ text: String, _ method: String, _ url: String, _ body: String?)
    throws
  {
    let curl = try CurlCommand(text)
    #expect(curl.method == method)
    #expect(curl.url == url)
    #expect(curl.body == body)
  }

  @Test(arguments: ["wget x", "curl", "curl 'x", "curl -H", ""])
  func `what is no curl command is refused`(_ text: String) {
    #expect(throws: FixtureError.self) { try CurlCommand(text) }
  }

  @Test func `drift tells fields, types and statuses, and not how many records there are`() throws {
    func cassette(_ body: String, status: Int = 200) -> Cassette {
      Cassette(
        flow: "f", recordedAt: "x", tool: "1",
        entries: [
          .init(
            request: RecordedRequest(method: "GET", url: "{{base}}/a"),
            outcome: .response(RecordedResponse(status: status, body: Array(body.utf8))))
        ])
    }
    func changes(_ old: String, _ new: String, values: Bool = false) throws -> [String] {
      try ResponseDrift.changes(from: cassette(old), to: cassette(new), values: values)
        .map { $0.replacingOccurrences(of: "GET {{base}}/a  ", with: "") }
    }
    #expect(try changes(#"{"d":[{"id":1}]}"#, #"{"d":[{"id":2},{"id":3}]}"#).isEmpty)
    #expect(try changes(#"{"d":[{"id":1}]}"#, #"{"d":[{"id":"1"}]}"#) == ["$.d[*].id  number -> string"])
    #expect(
      try changes(#"{"d":[{"id":1,"a":1}]}"#, #"{"d":[{"id":1,"b":true}]}"#) == [
        "$.d[*].a  gone: number", "$.d[*].b  new: boolean",
      ])
    #expect(try changes(#"[{"a":1},{"a":2}]"#, #"[{"a":1},{}]"#) == ["$[*].a  is now missing in some objects"])
    #expect(try changes(#"{"d":[{"id":1}]}"#, #"{"d":[]}"#).isEmpty)
    #expect(try changes(#"{"a":1}"#, #"{"a":2}"#, values: true) == ["$.a  1 -> 2"])
    #expect(
      try ResponseDrift.changes(from: cassette("{}"), to: cassette("{}", status: 404), values: false)
        == ["GET {{base}}/a  status 200 -> 404"])
  }

  @Test func `drift lists a change of all pages of a list once`() throws {
    func cassette(_ field: String) -> Cassette {
      let urls = ["/orders?page=1", "/orders?page=2", "/orders/7/lines", "/orders/8/lines", "/users"]
      return Cassette(
        flow: "f", recordedAt: "x", tool: "1",
        entries: urls.map { url in
          .init(
            request: RecordedRequest(method: "GET", url: "{{base}}\(url)"),
            outcome: .response(RecordedResponse(status: 200, body: Array(#"[{"\#(field)":1}]"#.utf8))))
        })
    }
    #expect(
      try ResponseDrift.changes(from: cassette("a"), to: cassette("b"), values: false) == [
        "GET {{base}}/orders?page=1 and 1 more like it  $[*].a  gone: number",
        "GET {{base}}/orders?page=1 and 1 more like it  $[*].b  new: number",
        "GET {{base}}/orders/7/lines and 1 more like it  $[*].a  gone: number",
        "GET {{base}}/orders/7/lines and 1 more like it  $[*].b  new: number",
        "GET {{base}}/users  $[*].a  gone: number", "GET {{base}}/users  $[*].b  new: number",
      ])
  }

  static let faults: [(text: String, pattern: String, occurrence: Int?, kind: ServedFault.Kind)] = [
    ("customers#2=503", "customers", 2, .status(503)), ("*=delay:1s", "*", nil, .delay(1000)),
    ("a=cut", "a", nil, .cut), ("/x?y=1=reset", "/x?y=1", nil, .reset),
  ]

  @Test(arguments: faults.indices) func `faults are read`(_ index: Int) throws {
    let (text, pattern, occurrence, kind) = Self.faults[index]
    let fault = try #require(ServedFault(text))
    #expect(fault.pattern == pattern)
    #expect(fault.occurrence == occurrence)
    #expect(fault.kind == kind)
  }

  @Test(arguments: ["", "a", "=503", "a=99", "a=600", "a#0=503", "a#x=cut", "a=delay:", "a=delay:1h", "a=melt"])
  func `what is no fault is refused`(_ text: String) { #expect(ServedFault(text) == nil) }
}
