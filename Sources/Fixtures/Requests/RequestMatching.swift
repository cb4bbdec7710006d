internal import ByteCodings

/// What makes two requests of a flow the same, as its `fixture.match` says.
package struct RequestMatching: Sendable, Hashable {
  /// Names of request headers that count; none do unless named.
  package var headers: [String]
  /// Query parameters that do not count.
  package var ignoredQuery: Set<String>
  /// Whether the body does not count.
  package var ignoresBody: Bool
  /// Whether a recording may be used again after its last occurrence.
  package var repeats: Bool

  /// The usual: method, address, query and body count.
  package init(
    headers: [String] = [], ignoredQuery: Set<String> = [], ignoresBody: Bool = false, repeats: Bool = false
  ) {
    self.headers = headers
    self.ignoredQuery = ignoredQuery
    self.ignoresBody = ignoresBody
    self.repeats = repeats
  }

  /// What two requests that are the same have in common.
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
