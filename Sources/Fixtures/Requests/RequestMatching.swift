internal import ByteCodings

/// The rules that decide whether two requests of a flow are equal, from its `fixture.match`.
package struct RequestMatching: Sendable, Hashable {
  /// The names of the request headers that are compared; by default none.
  package var headers: [String]
  /// The query parameters that are not compared.
  package var ignoredQuery: Set<String>
  /// Whether the body is not compared.
  package var ignoresBody: Bool
  /// Whether the last recording of a request is used again for further equal requests.
  package var repeats: Bool

  /// Creates rules; the defaults compare method, path, query and body.
  package init(
    headers: [String] = [], ignoredQuery: Set<String> = [], ignoresBody: Bool = false, repeats: Bool = false
  ) {
    self.headers = headers
    self.ignoredQuery = ignoredQuery
    self.ignoresBody = ignoresBody
    self.repeats = repeats
  }

  /// Returns the key of a request; equal requests have the same key.
  func key(_ request: RecordedRequest) -> String {
    let parameters = request.parameters.filter {
      !ignoredQuery.contains(PercentCoding.decode($0.name))
    }
    let query = parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    var key = "\(request.method) \(request.path)?\(query)"
    for field in counted(request.headers) { key += "\n\(field.name.lowercased()): \(field.value)" }
    if !ignoresBody, let body = request.body { key += "\n\n" + String(decoding: body, as: UTF8.self) }
    return key
  }

  func counted(_ fields: [RecordedRequest.Field]) -> [RecordedRequest.Field] {
    guard !headers.isEmpty else { return [] }
    let names = Set(headers.map { $0.lowercased() })
    return fields.filter { names.contains($0.name.lowercased()) }
  }
}
