internal import WebSyntax

/// The requests of a run, as many of them as its trace has.
///
/// A flow may send millions of requests, so a trace has the first ones of each flow and the first that fail.
package struct RequestTraces: Sendable {
  /// How many requests of a flow are in the trace, whether they fail or not.
  package static let mostOfFlow = 100
  /// How many more requests of a flow are in the trace if they fail.
  package static let mostFailures = 100
  /// How many requests of all flows together are in the trace.
  package static let most = 10_000

  /// A request that has ended. Times are nanoseconds since 1970 UTC.
  package struct Request: Sendable, Hashable {
    package var method: String
    /// The absolute URL with secrets masked.
    package var url: String
    package var host: String
    package var port: Int
    /// How often the request was sent before.
    package var resends = 0
    package var began: Int64 = 0
    package var ended: Int64 = 0
    /// The status of the response; nil without a response.
    package var status: Int?
    /// The kind of the error that ended the transfer; nil if the response is complete, or nobody wanted the rest of it.
    package var failure: String?

    /// Describes a request that is sent.
    package init(method: String, url: String, host: String, port: Int, resends: Int) {
      (self.method, self.url, self.host, self.port, self.resends) = (method, url, host, port, resends)
    }

    /// What `error.type` is in a span of the request; nil for a request that has not failed.
    package var errorType: String? {
      if let failure { return failure }
      return status.flatMap { $0 >= 400 ? String($0) : nil }
    }
  }

  /// A request with the id of its span.
  package struct Span: Sendable, Hashable {
    package let id: String
    package let request: Request
  }

  /// The requests of one flow.
  package struct Flow: Sendable {
    /// The id of the flow's span.
    package let span: String
    /// The spans of requests, in the order in which they ended.
    package fileprivate(set) var spans: [Span] = []
    /// How many requests were sent and have ended.
    package fileprivate(set) var sent = 0
    fileprivate var reserved = 0
    fileprivate var failures = 0

    /// How many requests have no span.
    package var leftOut: Int { sent - spans.count }
  }

  /// The span of a request that has not ended.
  package struct Reservation: Sendable {
    /// The id of the span; that of the flow's span if the request gets one only when it fails.
    package let id: String
    fileprivate let flow: String
    fileprivate let hasSpan: Bool
  }

  private var flows: [String: Flow] = [:]
  /// How many spans the flows have, or may have.
  private var reserved = 0

  /// Creates the requests of a run that has sent none.
  package init() {}

  /// The requests of a flow; nil if it has prepared none.
  package subscript(flow: String) -> Flow? { flows[flow] }

  /// Prepares the span of a request.
  package mutating func prepare(for flow: String) -> Reservation {
    let isFull = reserved >= Self.most
    let id = flows[flow, default: Flow(span: TraceContext.newSpan())].reserve(isFull: isFull)
    if id != nil { reserved += 1 }
    return Reservation(id: id ?? flows[flow]?.span ?? "", flow: flow, hasSpan: id != nil)
  }

  /// Adds a request that was sent and has ended.
  package mutating func add(_ request: Request, as reservation: Reservation) {
    let isFull = reserved >= Self.most
    let isNew = flows[reservation.flow]?.add(request, as: reservation, isFull: isFull)
    if isNew ?? false { reserved += 1 }
  }
}

extension RequestTraces.Flow {
  /// Returns the id of a new span; nil when the flow or the trace has enough.
  fileprivate mutating func reserve(isFull: Bool) -> String? {
    guard !isFull, reserved < RequestTraces.mostOfFlow else { return nil }
    reserved += 1
    return TraceContext.newSpan()
  }

  /// Adds a request; returns whether it has a span that was not reserved.
  fileprivate mutating func add(
    _ request: RequestTraces.Request, as reservation: RequestTraces.Reservation, isFull: Bool
  ) -> Bool {
    sent += 1
    if reservation.hasSpan {
      spans.append(RequestTraces.Span(id: reservation.id, request: request))
      return false
    }
    guard request.errorType != nil, !isFull, failures < RequestTraces.mostFailures else { return false }
    failures += 1
    spans.append(RequestTraces.Span(id: TraceContext.newSpan(), request: request))
    return true
  }
}
