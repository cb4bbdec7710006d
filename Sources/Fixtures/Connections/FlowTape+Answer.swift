internal import ReactorCore

extension FlowTape {
  /// What a server said in the form of a cassette.
  static func answer(
    _ answer: RawResponse, _ request: RecordedRequest, _ scrubber: Scrubber
  ) -> Cassette.Outcome {
    switch answer {
    case .replayed: return .failure(kind: ReactorError.Kind.server.rawValue, message: "")
    case .failure(let error):
      return .failure(kind: error.kind.rawValue, message: scrubber.scrub(error.message))
    case .response(let status, let headers, let url, let body):
      var response = RecordedResponse(status: status, body: scrubber.scrub(body))
      let asked = scrubber.scrub(url)
      if RecordedRequest.canonical(asked) != request.url, !url.isEmpty { response.url = asked }
      let encoding = headers["Content-Encoding"].flatMap { $0.lowercased() == "identity" ? nil : $0 }
      if let encoding {
        response.transport = .init(encoding: encoding, wireLength: headers["Content-Length"])
      }
      let kept = headers.fields.enumerated().filter {
        let name = $0.element.name.lowercased()
        return !VolatileHeaders.names.contains(name) && !VolatileHeaders.transport.contains(name)
      }
      response.headers = kept.sorted {
        let (left, right) = ($0.element.name.lowercased(), $1.element.name.lowercased())
        return left == right ? $0.offset < $1.offset : left < right
      }.map { .init(scrubber.scrub($0.element.name), scrubber.scrub($0.element.value)) }
      return .response(response)
    }
  }
}
