internal import ReactorCore
internal import Storage

/// The header fields that distinguish two versions of a response, as received (RFC 9110, section 8.8).
struct Validators: Sendable, Hashable {
  var etag: String?
  var lastModified: String?

  init() {}

  /// Reads the validators of a response. A validator that cannot be sent back unchanged is left out.
  init(_ headers: Headers) {
    etag = headers["ETag"].flatMap { Self.isSendable($0) && Self.isTag($0) ? $0 : nil }
    lastModified = headers["Last-Modified"].flatMap { Self.isSendable($0) ? $0 : nil }
  }

  init(_ provenance: Provenance) {
    etag = provenance.etag
    lastModified = provenance.lastModified
  }

  var isEmpty: Bool { etag == nil && lastModified == nil }

  /// Returns the request with conditional headers.
  ///
  /// Nil when the request already has such headers, or when there is no validator.
  func condition(_ resource: Resource) -> Resource? {
    let names = ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range"]
    guard !isEmpty, names.allSatisfy({ resource.headers[$0] == nil }) else { return nil }
    var resource = resource
    // Send both: some servers support only one. A server that supports both uses the first (section 13.1.3).
    resource.headers["If-None-Match"] = etag
    resource.headers["If-Modified-Since"] = lastModified
    return resource
  }

  private static func isSendable(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { text in (1...1024).contains(text.count) && text.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
  }

  /// Whether a text has the format `"…"` or `W/"…"`. Servers would misread any other text.
  private static func isTag(_ text: String) -> Bool {
    let quote = UInt8(ascii: "\"")
    var text = text
    return text.withUTF8 { text in
      let isWeak = text.count > 1 && text[0] == UInt8(ascii: "W") && text[1] == UInt8(ascii: "/")
      let quoted = text[(isWeak ? 2 : 0)...]
      return quoted.count >= 2 && quoted.first == quote && quoted.last == quote
        && !quoted.dropFirst().dropLast().contains(quote)
    }
  }
}
