import Foundation
import JSONSyntax
import TestSupport
import Testing

/// What a run sends to receivers of OpenTelemetry.
@Suite(.timeLimit(.minutes(2)))
struct OTLPTests {
  /// Decodes requests by the published protobuf definitions, and prints each as a line of JSON.
  private static let receiver = """
    import base64, http.server, json
    from google.protobuf import json_format
    from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    KINDS = {"/v1/metrics": ExportMetricsServiceRequest, "/v1/traces": ExportTraceServiceRequest}

    def with_ids(value):
        # In OTLP ids are hexadecimal, and in the JSON form of protobuf bytes are base64.
        if isinstance(value, list): return [with_ids(item) for item in value]
        if not isinstance(value, dict): return value
        return {name: base64.b64encode(bytes.fromhex(item)).decode() if name in ("traceId", "spanId", "parentSpanId")
                else with_ids(item) for name, item in value.items()}

    class Receiver(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            try:
                message = json_format.ParseDict(with_ids(json.loads(body)), KINDS[self.path]())
                text = json_format.MessageToJson(message, indent=None)
            except Exception as error:
                text = json.dumps({"error": repr(error)})
            print(json.dumps({"path": self.path, "key": self.headers["x-api-key"], "type": self.headers["Content-Type"],
                              "message": json.loads(text)}), flush=True)
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")
        def log_message(self, *_): pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    print(server.server_port, flush=True)
    server.serve_forever()
    """

  private func shop() throws -> (Workspace, ScriptedServer) {
    let server = try ScriptedServer { request in
      let (status, body) = request.target == "/orders" ? ("200 OK", #"[{"id":1},{"id":2}]"#) : ("503 Busy", "")
      return [.send(Array("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)" }
      secrets: [SHOP_KEY]
      defaults: { retry: { max: 1, wait: 1ms }, reachability: false }
      flows:
        orders: { resource: /orders, persistence: out/orders.jsonl }
        customers: { resource: { path: /customers, query: { key: "{{ secrets.SHOP_KEY }}" } } }

      """, to: "flows/shop.yaml")
    return (workspace, server)
  }

  private static func attributes(_ value: JSONValue?) -> [String: String] {
    let pairs = value?["attributes"]?.array?.map { attribute in
      (
        attribute["key"]?.string ?? "",
        (attribute["value"]?["stringValue"] ?? attribute["value"]?["intValue"])?.string ?? ""
      )
    }
    return Dictionary(pairs ?? []) { $1 }
  }

  @Test func `metrics and traces decode by the published definitions`() async throws {
    let (workspace, server) = try shop()
    defer { server.stop() }
    try workspace.write(Self.receiver, to: "receiver.py")
    let readers = Repository.root.appendingPathComponent("scripts/report-readers").path
    let python = try await Program("/bin/bash", [readers, "python"], in: workspace.folder).end()
    guard python.status == 0 else {
      print("skipped: OTLP decoded by opentelemetry-proto, which is not there; scripts/report-readers install")
      return
    }
    let receiver = try Program(
      python.stdout.trimmingCharacters(in: .whitespacesAndNewlines), ["receiver.py"], in: workspace.folder)
    defer { receiver.signal(SIGKILL) }
    #expect(await receiver.wait { $0.stdout.hasSuffix("\n") }, "\(receiver.stderr)")
    let port = receiver.stdout.trimmingCharacters(in: .whitespacesAndNewlines)
    let outcome = try await workspace.reactor(
      "run", "--otlp",
      environment: [
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:\(port)/", "OTEL_SERVICE_NAME": "nightly",
        "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment=prod%2Cold, team = data",
        "OTEL_EXPORTER_OTLP_HEADERS": "x-api-key=tea%20and%20biscuits", "SHOP_KEY": "cup-of-coffee",
      ])
    #expect(outcome.status == 5 && !outcome.stderr.contains("could not be sent"), "\(outcome.stderr)")
    let lines = receiver.stdout.split(separator: "\n").dropFirst()
    let requests = try lines.map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(Set(requests.compactMap { $0["path"]?.string }) == ["/v1/metrics", "/v1/traces"])
    for request in requests {
      #expect(request["key"]?.string == "tea and biscuits" && request["type"]?.string == "application/json")
      #expect(request["message"]?["error"] == nil, "\(request)")
    }

    let metrics = try #require(
      requests.first { $0["path"]?.string == "/v1/metrics" }?["message"]?["resourceMetrics"]?.array?.first)
    let resource = Self.attributes(metrics["resource"])
    #expect(resource["service.name"] == "nightly" && resource["deployment.environment"] == "prod,old")
    #expect(resource["team"] == "data")
    let all = metrics["scopeMetrics"]?.array?.first?["metrics"]?.array ?? []
    let records = try #require(all.first { $0["name"]?.string == "reactor.flow.records" })
    #expect(records["unit"]?.string == "{record}")
    let point = try #require(records["gauge"]?["dataPoints"]?.array?.first)
    #expect(point["asInt"]?.string == "2" && Self.attributes(point)["flow"] == "shop.orders")
    #expect(all.contains { $0["name"]?.string == "reactor.flow.duration" && $0["unit"]?.string == "s" })

    let traces = try #require(
      requests.first { $0["path"]?.string == "/v1/traces" }?["message"]?["resourceSpans"]?.array?.first)
    let spans = traces["scopeSpans"]?.array?.first?["spans"]?.array ?? []
    #expect(Set(spans.map { $0["traceId"]?.string }).count == 1)
    #expect(Set(spans.map { $0["spanId"]?.string }).count == spans.count)
    func span(_ name: String, below parent: JSONValue? = nil) throws -> JSONValue {
      try #require(
        spans.first { $0["name"]?.string == name && $0["parentSpanId"]?.string == parent?["spanId"]?.string },
        "\(name)")
    }
    func time(_ span: JSONValue, _ end: String) -> Int64 { span[end]?.string.flatMap { Int64($0) } ?? -1 }
    let run = try span("reactor run")
    let orders = try span("shop.orders", below: run)
    let customers = try span("shop.customers", below: run)
    let attempts = spans.filter { $0["parentSpanId"] == customers["spanId"] && $0["name"]?.string == "GET" }
    for (inner, outer) in [
      (orders, run), (customers, run), (try span("request", below: orders), orders),
      (try span("save", below: orders), orders), (try span("request", below: customers), customers),
      (try span("GET", below: orders), orders),
    ] + attempts.map({ ($0, customers) }) {
      #expect(time(outer, "startTimeUnixNano") <= time(inner, "startTimeUnixNano"), "\(inner)")
      #expect(time(inner, "startTimeUnixNano") <= time(inner, "endTimeUnixNano"), "\(inner)")
      #expect(time(inner, "endTimeUnixNano") <= time(outer, "endTimeUnixNano"), "\(inner)")
    }
    #expect(customers["status"]?["code"]?.string == "STATUS_CODE_ERROR")
    #expect(orders["status"]?["code"] == nil)
    #expect(customers["events"]?.array?.first?["name"]?.string == "retry")
    #expect(Self.attributes(orders)["reactor.flow.records"] == "2")
    #expect(attempts.count == 2 && Self.attributes(customers)["reactor.flow.requests"] == "2")
    for (number, span) in attempts.enumerated() {
      #expect(span["kind"]?.string == "SPAN_KIND_CLIENT" && span["status"]?["code"]?.string == "STATUS_CODE_ERROR")
      let attributes = Self.attributes(span)
      #expect(attributes["http.response.status_code"] == "503" && attributes["error.type"] == "503")
      #expect(attributes["http.request.resend_count"] == (number == 0 ? nil : "1"))
      #expect(attributes["url.full"] == "\(server.url)/customers?key=***")
    }
    #expect(!receiver.stdout.contains("cup-of-coffee"))
  }

  @Test(arguments: ["dead", "silent", "refusing", "partial"])
  func `a receiver that fails is a warning without secrets`(_ kind: String) async throws {
    let (workspace, shop) = try shop()
    defer { shop.stop() }
    let receiver = try ScriptedServer { _ in
      switch kind {
      case "silent": return [.hold]
      case "refusing":
        return [.send(Array("HTTP/1.1 403 Forbidden\r\nContent-Length: 17\r\n\r\ntea-and-biscuits!".utf8))]
      default:
        let body = #"{"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}}"#
        return [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
      }
    }
    if kind == "dead" { receiver.stop() }
    defer { receiver.stop() }
    let outcome = try await workspace.reactor(
      "run", "-s", "shop.orders", "--otlp", receiver.url.replacing("http://", with: "http://me:tea-and-biscuits@"),
      environment: [
        "OTEL_EXPORTER_OTLP_HEADERS": "x-api-key=tea-and-biscuits", "OTEL_EXPORTER_OTLP_TIMEOUT": "500",
        "SHOP_KEY": "cup-of-coffee",
      ])
    #expect(outcome.status == 0)
    #expect(outcome.stderr.contains("warning: metrics could not be sent to '\(receiver.url)'"), "\(outcome.stderr)")
    let reasons = [
      "dead": "cannot connect: connection refused", "silent": "no complete response within 0.5 s",
      "refusing": "the server answered 403", "partial": "the receiver rejected 3 of them: too old",
    ]
    #expect(outcome.stderr.contains("'\(receiver.url)': \(try #require(reasons[kind]))"), "\(outcome.stderr)")
    #expect(!(outcome.stdout + outcome.stderr).contains("biscuits"), "\(outcome.stderr)")
    #expect(workspace.text("out/orders.jsonl") != nil)
  }

  @Test(
    arguments: [
      ["OTEL_EXPORTER_OTLP_ENDPOINT": "ftp://biscuits"], ["OTEL_EXPORTER_OTLP_HEADERS": "biscuits"],
      ["OTEL_EXPORTER_OTLP_TIMEOUT": "soon"], ["OTEL_RESOURCE_ATTRIBUTES": "team"],
    ])
  func `a wrong variable is refused before the run, and ignored without the option`(
    _ environment: [String: String]
  ) async throws {
    let (workspace, server) = try shop()
    defer { server.stop() }
    let refused = try await workspace.reactor(
      "run", "--otlp", environment: environment.merging(["SHOP_KEY": "cup-of-coffee"]) { $1 })
    #expect(refused.status == 2, "\(refused.stderr)")
    #expect(refused.stderr.contains(environment.keys.first ?? "") && !refused.stderr.contains("biscuits"))
    #expect(server.requests.isEmpty)
    let run = try await workspace.reactor("run", "-s", "shop.orders", environment: environment)
    #expect(run.status == 0, "\(run.stderr)")
  }
}
