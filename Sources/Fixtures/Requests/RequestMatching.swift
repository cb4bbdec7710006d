internal import ByteCodings

/// The rules that decide whether two requests of a flow are equal, as its `fixture.match` declares.
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

  /// Method and URL of a request, as a golden shows them: a parameter that is not compared has no value.
  func line(_ request: RecordedRequest) -> String { withoutIgnored(request.line) }

  /// A line of a golden without the values of parameters that are not compared.
  package func withoutIgnored(_ line: String) -> String {
    guard !ignoredQuery.isEmpty, let start = line.firstIndex(of: "?") else { return line }
    // The number of the request and the status of its response may follow the URL.
    let end = line[start...].firstIndex(of: " ") ?? line.endIndex
    let query = line[line.index(after: start)..<end].split(separator: "&", omittingEmptySubsequences: false).map {
      part in
      let name = part.prefix { $0 != "=" }
      return ignoredQuery.contains(PercentCoding.decode(String(name))) ? "\(name)=*" : String(part)
    }
    return line[...start] + query.joined(separator: "&") + line[end...]
  }

  func counted(_ fields: [RecordedRequest.Field]) -> [RecordedRequest.Field] {
    guard !headers.isEmpty else { return [] }
    let names = Set(headers.map { $0.lowercased() })
    return fields.filter { names.contains($0.name.lowercased()) }
  }
}
