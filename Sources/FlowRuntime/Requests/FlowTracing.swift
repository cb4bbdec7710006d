internal import ByteCodings
public import HTTPTransport
internal import ReactorCore
package import WebSyntax

/// The trace of which the requests of a run are a part.
public struct RunTracing: Sendable {
  /// Receives the requests; nil to record none.
  public var recorder: (any RequestRecorder)?
  /// The id of the trace, 32 hexadecimal digits; nil for one that follows from the id of the run.
  package var trace: String?
  /// The span of which the run is a part; nil when it begins a trace.
  package let above: TraceContext?

  /// Creates the tracing of a run.
  ///
  /// - Parameters:
  ///   - traceparent: the span of which the run is a part, as W3C Trace Context writes it; a text that is none is
  ///     ignored
  ///   - recorder: receives the requests; nil to record none
  public init(below traceparent: String? = nil, recorder: (any RequestRecorder)? = nil) {
    above = traceparent.flatMap { TraceContext($0) }
    self.recorder = recorder
  }

  /// The id of the trace of a run with this id.
  package func trace(ofRun id: String) -> String { above?.trace ?? trace ?? TraceContext.trace(ofRun: id) }
}

/// Records the requests of the flows of a run.
public protocol RequestRecorder: Sendable {
  /// Returns what receives the times of a request; nil if it is not recorded.
  ///
  /// Like `RequestTracing.span(for:)` it must not block. Secrets in the URL are masked.
  ///
  /// - Parameter flow: the id of the flow that needs the request; for a token that several flows share, of the first
  func span(for request: TracedRequest, of flow: String) -> (any RequestSpan)?
}

/// Watches the requests of one connection of a flow.
struct FlowTracing: RequestTracing {
  let flow: String
  let recorder: (any RequestRecorder)?
  /// The id of the trace that requests name; nil when they name none.
  let sent: String?
  /// The span of which the run is a part.
  let above: TraceContext?
  /// Masks secrets.
  let masked: @Sendable (String) -> String

  func span(for request: TracedRequest) -> (any RequestSpan)? {
    guard let recorder else { return nil }
    var shown = request
    shown.url = Self.withoutCredentials(masked(request.url))
    return recorder.span(for: shown, of: flow)
  }

  func traceparent(of span: (any RequestSpan)?) -> String? {
    guard let sent else { return nil }
    if let span { return TraceContext(trace: sent, span: span.id, isRecorded: true).text }
    // Nobody records this request, so the server's spans belong to the program that has started the run.
    return (above ?? TraceContext(trace: sent, span: TraceContext.newSpan(), isRecorded: false)).text
  }

  /// Masks the values of query parameters whose names or forms mean credentials. A server may put some into a link that
  /// nobody has declared as secrets.
  static func withoutCredentials(_ url: String) -> String {
    guard let mark = url.firstIndex(of: "?") else { return url }
    let pairs = url[url.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false).map { pair in
      guard let sign = pair.firstIndex(of: "=") else { return pair }
      let (name, value) = (PercentCoding.decode(pair[..<sign]), PercentCoding.decode(pair[pair.index(after: sign)...]))
      let isCredential = CredentialName.isQuery(name, value: value) || CredentialValue.isKnown(value)
      return isCredential ? pair[...sign] + SecretMask.replacement : pair
    }
    return url[...mark] + pairs.joined(separator: "&")
  }
}
