internal import ByteCodings
internal import Fixtures
internal import FlowRuntime
internal import HTTPTransport
internal import JSONSyntax
internal import Monitoring
internal import ReactorCore
internal import RunViews
internal import SourceDiagnostics

/// Sends metrics and the trace of a run to a receiver of OpenTelemetry, by OTLP over HTTP as JSON.
struct OTLPExport: RunObserver {
  /// The URL of the option when it is given without one.
  static let alone = "true"

  private let metrics: Delivery
  private let traces: Delivery
  private let resource: OTLPResource
  private let tracing: RunTracing
  private let root: String
  private let flows: CurrentFlows
  let recorder: TraceRecorder

  /// Reads the variables of OpenTelemetry.
  ///
  /// - Parameter option: the value of the option or its variable, with its name
  init(
    _ option: (text: String, origin: String), _ environment: [String: String], root: String, _ flows: CurrentFlows,
    _ recorder: TraceRecorder, _ tracing: RunTracing, _ console: Console
  ) throws(CommandError) {
    func value(_ name: String) -> (text: String, origin: String)? {
      environment[name].flatMap { $0.isEmpty ? nil : ($0, name) }
    }
    let isAlone = [Self.alone, "1"].contains(option.text)
    let base =
      isAlone ? value("OTEL_EXPORTER_OTLP_ENDPOINT") ?? ("http://localhost:4318", option.origin) : option
    var delivery = Delivery(url: try Self.url(base), proxies: HTTPProxies(environment: environment))
    if let headers = value("OTEL_EXPORTER_OTLP_HEADERS") {
      for (name, value) in try Self.pairs(headers) {
        console.learn(value)
        delivery.fields.append(Headers.Field(name, value))
      }
    }
    if let (text, origin) = value("OTEL_EXPORTER_OTLP_TIMEOUT") {
      guard let limit = Int64(text), (1...3_600_000).contains(limit) else {
        throw CommandError("\(origin) is '\(text)', which is not a number of milliseconds from 1 to 3600000")
      }
      delivery.timeout = .milliseconds(limit)
    }
    func receiver(_ signal: String) throws(CommandError) -> Delivery {
      let own = isAlone ? value("OTEL_EXPORTER_OTLP_\(signal.uppercased())_ENDPOINT") : nil
      let path = base.text.hasSuffix("/") ? "v1/\(signal)" : "/v1/\(signal)"
      return Delivery(
        url: try Self.url(own ?? (base.text + path, base.origin)), fields: delivery.fields, timeout: delivery.timeout,
        proxies: delivery.proxies)
    }
    (metrics, traces) = (try receiver("metrics"), try receiver("traces"))
    resource = OTLPResource(
      tool: ToolVersion.text, attributes: try value("OTEL_RESOURCE_ATTRIBUTES").map(Self.pairs) ?? [],
      service: value("OTEL_SERVICE_NAME")?.text)
    (self.root, self.flows, self.recorder, self.tracing) = (root, flows, recorder, tracing)
  }

  func observe(_ run: EndedRun, _ console: Console) async -> Set<ExitCode> {
    let observed = ObservedRun(run, root: root, tool: ToolVersion.text, isCurrent: flows.has)
    let spans = OTLPTraces(
      run, recorder.trace, recorder.requests, in: tracing.trace(ofRun: run.id), below: tracing.above)
    let bodies = (OTLPMetrics.requests(observed, resource), spans.requests(resource))
    // Both at once, so that a receiver that does not answer delays the end by one time limit.
    async let ofMetrics = metrics.send(bodies.0.map { JSONWriter.bytes($0) }, accept: Self.refusal)
    async let ofTraces = traces.send(bodies.1.map { JSONWriter.bytes($0) }, accept: Self.refusal)
    for (what, receiver, problem) in [("metrics", metrics, await ofMetrics), ("traces", traces, await ofTraces)] {
      guard let problem else { continue }
      console.warn(
        "\(what) could not be sent to '\(receiver.url.origin)': \(problem)",
        help: "the run and its results are not affected; the receiver must accept OTLP over HTTP as JSON")
    }
    return []
  }

  /// What a receiver says that it did not take.
  @Sendable private static func refusal(_ response: JSONValue) -> String? {
    guard let part = response["partialSuccess"] else { return nil }
    let count = part["rejectedDataPoints"] ?? part["rejectedSpans"]
    let message = part["errorMessage"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    guard let count, count.plainText != "0" else { return message }
    return "the receiver rejected \(count.plainText) of them" + (message.map { ": \($0)" } ?? "")
  }

  private static func url(_ option: (text: String, origin: String)) throws(CommandError) -> RequestURL {
    guard let url = RequestURL(option.text) else {
      // The text may have a password.
      throw CommandError(
        "\(option.origin) is not an http or https URL", help: "write a URL such as http://localhost:4318")
    }
    return url
  }

  /// The pairs of a list in the format of OpenTelemetry: `name=value,name=value`, percent-encoded.
  private static func pairs(_ option: (text: String, origin: String)) throws(CommandError) -> [(String, String)] {
    var pairs: [(String, String)] = []
    for part in option.text.split(separator: ",") {
      let words = part.split(separator: "=", maxSplits: 1).map { word in
        PercentCoding.decode(String(word.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()))
      }
      guard words.count == 2 else {
        throw CommandError(
          "\(option.origin) has a part without a name and a value", help: "write name=value,name=value")
      }
      pairs.append((words[0], words[1]))
    }
    return pairs
  }
}
