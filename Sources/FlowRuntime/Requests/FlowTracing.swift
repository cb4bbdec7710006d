internal import ByteCodings
public import HTTPTransport
internal import ReactorCore
internal import WebSyntax

/// The trace of which the requests of a run are a part.
public struct RunTracing: Sendable {
  /// Receives the requests; nil to record none.
  public var recorder: (any RequestRecorder)?

  /// Creates the tracing of a run.
  public init(recorder: (any RequestRecorder)? = nil) { self.recorder = recorder }
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
  let recorder: any RequestRecorder
  /// Masks secrets.
  let masked: @Sendable (String) -> String

  func span(for request: TracedRequest) -> (any RequestSpan)? {
    var shown = request
    shown.url = Self.withoutCredentials(masked(request.url))
    return recorder.span(for: shown, of: flow)
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
