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
    var key = request.method + " "
    if ignoredQuery.isEmpty, Self.isPlain(request.url) {
      // The same text as below.
      key += request.url
      if !request.url.utf8.contains(UInt8(ascii: "?")) { key += "?" }
      return key + content(request)
    }
    key += request.path
    let parameters = request.parameters.filter { !ignoredQuery.contains(PercentCoding.decode($0.name)) }
    return key + "?" + parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&") + content(request)
  }

  /// What counts beside method and address.
  private func content(_ request: RecordedRequest) -> String {
    var key = ""
    for field in counted(request.headers) { key += "\n\(field.name.lowercased()): \(field.value)" }
    if !ignoresBody, let body = request.body { key += "\n\n" + String(decoding: body, as: UTF8.self) }
    return key
  }

  /// Whether the query is nothing but names with values.
  private static func isPlain(_ url: String) -> Bool {
    var url = url
    return url.withUTF8 { url in
      guard let mark = url.firstIndex(of: UInt8(ascii: "?")) else { return true }
      return url[(mark + 1)...].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        .allSatisfy { $0.contains(UInt8(ascii: "=")) }
    }
  }

  func counted(_ fields: [RecordedRequest.Field]) -> [RecordedRequest.Field] {
    guard !headers.isEmpty else { return [] }
    let names = Set(headers.map { $0.lowercased() })
    return fields.filter { names.contains($0.name.lowercased()) }
  }
}
