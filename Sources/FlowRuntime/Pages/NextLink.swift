internal import ReactorCore
internal import WebSyntax

/// A link to the next page, resolved against the URL that gave it.
///
/// It must stay on the origin that gave it, because credentials go along with the request.
enum NextLink {
  /// The absolute URL of a link.
  ///
  /// - Parameters:
  ///   - link: relative or absolute, as the server wrote it
  ///   - url: the URL that answered, after redirects
  /// - Throws: `.server` for what is no URL or leads to another origin.
  static func resolving(_ link: String, from url: String) throws(ReactorError) -> String {
    let here: WebURL
    let there: WebURL
    do throws(WebURLError) {
      here = try WebURL(url)
      there = try WebURL(link, relativeTo: here)
    } catch {
      throw .server("the next page's link is not a URL: \(error)")
    }
    return try checked(there, from: here)
  }

  /// The absolute URL of the `Link` header's first target with a relation (RFC 8288); nil without one.
  ///
  /// - Throws: `.server` also for a malformed header that names the relation.
  static func target(of relation: String, in headers: Headers, from url: String) throws(ReactorError) -> String? {
    let fields = headers.values("Link")
    if fields.isEmpty { return nil }
    let header = LinkHeader(fields)
    if let link = header.links.first(where: { $0.has(relation) }), link.anchor == nil,
      let plain = plain(link.target, from: url)
    {
      return plain
    }
    let here: WebURL
    let there: WebURL?
    do throws(WebURLError) {
      here = try WebURL(url)
      there = try header.target(of: relation, from: here)
    } catch {
      throw .server("the next page's link is not a URL: \(error)")
    }
    guard let there else {
      // What is malformed is passed over (RFC 8288, appendix B), unless records may be behind it.
      if let malformed = header.malformed, malformed.lowercased().contains(relation.lowercased()) {
        throw .server("the Link header cannot be read from '\(malformed.prefix(80))' on, where '\(relation)' is named")
      }
      return nil
    }
    return try checked(there, from: here)
  }

  /// An absolute link that the URL standard leaves as it is and that stays on the URL's origin, which most do; nil for one
  /// that has to be looked at closely.
  private static func plain(_ link: String, from url: String) -> String? {
    var (link, url) = (link, url)
    let isPlain = link.withUTF8 { link in
      url.withUTF8 { url in
        guard let host = hostStart(url), let path = url[host...].firstIndex(of: UInt8(ascii: "/")), path > host,
          link.count > path, link[...path].elementsEqual(url[...path])
        else { return false }
        // A port may be the scheme's own, which the standard leaves out; only our own URLs' hosts are known to be plain.
        let name = url[host..<path]
        guard !name.contains(UInt8(ascii: "@")), !name.suffix(3).elementsEqual(":80".utf8),
          !name.suffix(4).elementsEqual(":443".utf8)
        else { return false }
        var last: UInt8 = 0
        for byte in link[path...] {
          guard isUnchanging(byte), !(last == UInt8(ascii: "/") && byte == UInt8(ascii: ".")) else { return false }
          last = byte
        }
        return true
      }
    }
    return isPlain ? link : nil
  }

  /// Where the host begins in an http or https URL.
  private static func hostStart(_ url: UnsafeBufferPointer<UInt8>) -> Int? {
    for scheme in ["http://", "https://"] as [StaticString] where url.starts(with: bytes(of: scheme)) {
      return scheme.utf8CodeUnitCount
    }
    return nil
  }

  private static func bytes(of text: StaticString) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// Whether a byte stands for itself in a path and in a query: letters, digits, and what separates them. Escapes are
  /// looked at closely, and so is a fragment.
  private static func isUnchanging(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "="), UInt8(ascii: "&"), UInt8(ascii: "-"),
      UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: ","),
      UInt8(ascii: ":"):
      true
    default: false
    }
  }

  private static func checked(_ there: WebURL, from here: WebURL) throws(ReactorError) -> String {
    guard there.isHTTP else {
      throw .server("the next page's link has the scheme '\(there.scheme.prefix(20))', which is refused")
    }
    guard !there.hasCredentials else {
      throw .server("the next page's link holds user information, which is refused")
    }
    guard there.origin == here.origin else {
      throw .server("the next page's link leads to another origin, \(there.origin ?? "none"), which is refused")
    }
    return there.requested
  }
}
