internal import ReactorCore
internal import Records
internal import Storage

/// A result that is persisted and may still be right: the server is asked whether it is.
struct PersistedResult: RecordFile {
  let spool: RecordSpool
  let file: StoredFile
  let stamp: Stamp
  /// Those of the response that said so, where it has some.
  var validators = Validators()

  init(spool: RecordSpool, file: StoredFile, stamp: Stamp) {
    self.spool = spool
    self.file = file
    self.stamp = stamp
  }

  /// Notes that it is still right at this moment.
  func refresh(at time: Int64) async throws(ReactorError) {
    var provenance = stamp.provenance
    provenance.writtenAt = time
    provenance.etag = validators.etag ?? provenance.etag
    provenance.lastModified = validators.lastModified ?? provenance.lastModified
    try await spool.restamp(stamp, provenance)
  }

  func body() async throws(ReactorError) -> ResponseBody { try await VerifiedRecords(file: file).body() }
}

/// What distinguishes two versions of a response, as it was sent (RFC 9110, section 8.8).
struct Validators: Sendable, Hashable {
  var etag: String?
  var lastModified: String?

  init() {}

  /// Those of a response. What cannot be sent back as it came is left out.
  init(_ headers: Headers) {
    etag = headers["ETag"].flatMap { Self.isSendable($0) && Self.isTag($0) ? $0 : nil }
    lastModified = headers["Last-Modified"].flatMap { Self.isSendable($0) ? $0 : nil }
  }

  init(_ provenance: Provenance) {
    etag = provenance.etag
    lastModified = provenance.lastModified
  }

  var isEmpty: Bool { etag == nil && lastModified == nil }

  /// The request made conditional; nil when it has such fields of its own, or there is nothing to compare.
  func condition(_ resource: Resource) -> Resource? {
    let names = ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range"]
    guard !isEmpty, names.allSatisfy({ resource.headers[$0] == nil }) else { return nil }
    var resource = resource
    // Both, for a server that knows the one but not the other; who knows both takes the first (section 13.1.3).
    resource.headers["If-None-Match"] = etag
    resource.headers["If-Modified-Since"] = lastModified
    return resource
  }

  private static func isSendable(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { text in (1...1024).contains(text.count) && text.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
  }

  /// `"…"` or `W/"…"`: anything else would be taken for something else.
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
