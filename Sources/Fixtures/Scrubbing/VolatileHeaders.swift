/// Response header fields that depend on the time or on the server machine, and not on the request.
package enum VolatileHeaders {
  /// The names, in lower case, that are left out of a cassette.
  package static let names: Set<String> = [
    "date", "age", "connection", "keep-alive", "server", "via", "set-cookie", "set-cookie2", "expires", "alt-svc",
    "x-request-id", "request-id", "x-correlation-id", "correlation-id", "x-trace-id", "traceparent", "tracestate",
    "x-amzn-requestid", "x-amzn-trace-id", "x-amz-request-id", "x-amz-id-2", "x-amz-cf-id", "x-b3-traceid", "cf-ray",
    "x-runtime", "x-response-time", "x-process-time", "server-timing", "report-to", "nel", "x-served-by", "x-timer",
    "x-github-request-id", "x-cache", "x-cache-hits", "x-powered-by",
  ]

  /// The names, in lower case, of transport fields, which a cassette stores under `transport`.
  private static let transport: Set<String> = [
    "content-encoding", "content-length", "transfer-encoding", "trailer",
  ]

  /// Returns the response fields that a cassette stores: secrets replaced, sorted by name.
  ///
  /// Fields with equal names keep their order.
  static func recorded(_ fields: [RecordedRequest.Field], _ scrubber: Scrubber) -> [RecordedRequest
    .Field]
  {
    let recorded = fields.enumerated().map { (name: $1.name.lowercased(), index: $0, field: $1) }
      .filter { !names.contains($0.name) && !transport.contains($0.name) }
    return recorded.sorted { ($0.name, $0.index) < ($1.name, $1.index) }
      .map { .init(scrubber.scrub($0.field.name), scrubber.scrub($0.field.value)) }
  }
}
