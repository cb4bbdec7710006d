internal import ByteCodings
internal import JSONSyntax
package import ReactorCore

extension RecordedRequest {
  /// Creates the request for a resource of a server, in the notation of a cassette.
  ///
  /// - Throws: the error when the URL cannot be built
  package init(
    _ resource: Resource, at base: FixtureBase, matching: RequestMatching, scrubber: Scrubber
  ) throws(ReactorError) {
    let scrubber = scrubber.hiding(resource.derivedSecrets)
    let url = try resource.url(relativeTo: base.url)
    self.init(
      method: resource.method.rawValue, url: Self.canonical(Self.plainMarks(scrubber.scrub(url))),
      headers: matching.counted(resource.headers.fields.map { Field($0.name, scrubber.scrub($0.value)) })
        .sorted { ($0.name.lowercased(), $0.value) < ($1.name.lowercased(), $1.value) },
      body: resource.body.map { Self.canonical(scrubber.scrub($0)) })
  }

  /// Returns a URL with its query sorted by name and its percent escapes normalized.
  ///
  /// Parameters with the same name keep their order.
  package static func canonical(_ url: String) -> String {
    if isCanonical(url) { return url }
    let mark = url.firstIndex(of: "?")
    let path = PercentCoding.normalize(url[..<(mark ?? url.endIndex)])
    guard let mark else { return path }
    let parts = url[url.index(after: mark)...].split(separator: "&").map { PercentCoding.normalize($0) }
    guard !parts.isEmpty else { return path }
    func name(_ part: String) -> Substring { part.prefix { $0 != "=" } }
    let sorted = parts.enumerated().sorted {
      name($0.element) == name($1.element) ? $0.offset < $1.offset : name($0.element) < name($1.element)
    }
    return path + "?" + sorted.map(\.element).joined(separator: "&")
  }

  /// Whether a URL is certainly canonical; false for some canonical URLs too.
  private static func isCanonical(_ url: String) -> Bool {
    var url = url
    return url.withUTF8 { url in
      guard url.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") }) else { return false }
      guard let mark = url.firstIndex(of: UInt8(ascii: "?")) else { return true }
      var last: Slice<UnsafeBufferPointer<UInt8>>?
      for part in url[(mark + 1)...].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
        guard !part.isEmpty else { return false }
        let name = part.prefix { $0 != UInt8(ascii: "=") }
        if let last, name.lexicographicallyPrecedes(last) { return false }
        last = name
      }
      return true
    }
  }

  /// Returns JSON with sorted members and without white space. Any other body stays unchanged.
  package static func canonical(_ body: [UInt8]) -> [UInt8] {
    guard let first = body.first(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "["), let value = try? JSONValue(parsing: body)
    else { return body }
    return JSONWriter.bytes(value.withSortedMembers)
  }

  /// Decodes the secret marks that a replayed response put into a URL, where they are percent-encoded.
  private static func plainMarks(_ url: String) -> String {
    guard url.utf8.contains(UInt8(ascii: "%")) else { return url }
    var result = ""
    var rest = url[...]
    while let open = rest.firstRange(of: "%7B%7Bsecret%3A"),
      let close = rest[open.upperBound...].firstRange(of: "%7D%7D")
    {
      result += rest[..<open.lowerBound]
      result += "{{secret:" + PercentCoding.decode(String(rest[open.upperBound..<close.lowerBound])) + "}}"
      rest = rest[close.upperBound...]
    }
    return result + rest
  }
}

extension JSONValue {
  /// The same value with the members of all objects sorted by name.
  var withSortedMembers: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map(\.withSortedMembers))
    case .object(let object):
      .object(
        JSONObject(
          object.members.map { JSONObject.Member(name: $0.name, value: $0.value.withSortedMembers) }
            .sorted { $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars) }))
    default: self
    }
  }
}
