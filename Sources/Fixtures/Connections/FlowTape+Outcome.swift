internal import ReactorCore

extension FlowTape {
  /// Converts a response or an error to the notation of a cassette.
  static func outcome(
    of response: RawResponse, _ request: RecordedRequest, _ scrubber: Scrubber
  ) -> Cassette.Outcome {
    switch response {
    case .replayed: return .failure(kind: ReactorError.Kind.server.rawValue, message: "")
    case .failure(let error):
      return .failure(kind: error.kind.rawValue, message: scrubber.scrub(error.message))
    case .response(let status, let headers, let url, let body):
      var recorded = RecordedResponse(status: status, body: scrubber.scrub(body))
      let asked = scrubber.scrub(url)
      if RecordedRequest.canonical(asked) != request.url, !url.isEmpty { recorded.url = asked }
      let encoding = headers["Content-Encoding"].flatMap {
        $0.lowercased() == "identity" ? nil : $0
      }
      if let encoding {
        recorded.transport = .init(encoding: encoding, wireLength: headers["Content-Length"])
      }
      recorded.headers = VolatileHeaders.recorded(
        headers.fields.map { .init($0.name, $0.value) }, scrubber)
      return .response(recorded)
    }
  }
}
