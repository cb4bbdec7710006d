internal import CCurl
internal import WebSyntax

/// An absolute http or https URL in its parts, parsed and normalised by libcurl's URL parser: what is checked here is
/// what the transfer later connects to.
struct WebAddress: Sendable, Hashable {
  /// Why a text is not an address that can be asked.
  enum Fault: Error, Hashable {
    /// It is not a URL, or relative.
    case malformed
    /// Its scheme is neither http nor https.
    case scheme(String)
  }

  /// Scheme, host, port.
  let origin: Origin
  /// From the first slash on, without query.
  let path: String
  /// Without the question mark; nil when there is none.
  let query: String?
  /// Whether it holds user information, which is kept out of `text`.
  let hasUser: Bool

  /// The URL without user information and fragment.
  var text: String { "\(origin)\(path)\(query.map { "?\($0)" } ?? "")" }

  /// Parses an absolute URL.
  init(_ text: String) throws(Fault) {

    guard Self.isPrintable(text), let handle = ccurl_url() else { throw .malformed }
    defer { ccurl_url_cleanup(handle) }
    let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE)
    guard ccurl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK,
      let scheme = Self.part(CURLUPART_SCHEME, of: handle)?.lowercased()
    else { throw .malformed }
    guard scheme == "http" || scheme == "https" else { throw .scheme(scheme) }
    guard !Self.lacksHost(text), let host = Self.part(CURLUPART_HOST, of: handle), !host.isEmpty,
      let port = Self.part(CURLUPART_PORT, of: handle, flags: UInt32(CURLU_DEFAULT_PORT)).flatMap(Int.init)
    else { throw .malformed }
    origin = Origin(scheme: scheme, host: host.lowercased(), port: port)
    path = Self.part(CURLUPART_PATH, of: handle) ?? "/"
    query = Self.part(CURLUPART_QUERY, of: handle)
    hasUser = Self.part(CURLUPART_USER, of: handle) != nil || Self.part(CURLUPART_PASSWORD, of: handle) != nil
  }

  /// The address that a Location field names, seen from this one: resolved by the URL standard, as next links are.
  func resolving(_ location: String) throws(Fault) -> WebAddress {
    guard Self.isPrintable(location), let here = try? WebURL(text),
      let there = try? WebURL(location, relativeTo: here)
    else { throw .malformed }
    guard there.isHTTP else { throw .scheme(there.scheme) }
    guard !Self.lacksHost(location) else { throw .malformed }
    return try WebAddress(there.description)
  }

  /// A control byte would be escaped or cut by a parser; nothing legal holds one.
  private static func isPrintable(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
  }

  /// Whether an empty host stands where one belongs; a parser would pass over it, and take the path's first name for it.
  private static func lacksHost(_ text: String) -> Bool {
    let afterScheme = text.drop { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" }
    let rest = afterScheme.first == ":" ? afterScheme.dropFirst() : text[...]
    return rest.hasPrefix("///")
  }

  private static func part(_ part: CURLUPart, of handle: OpaquePointer, flags: UInt32 = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard ccurl_url_get(handle, part, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { ccurl_free(text) }
    return String(cString: text)
  }
}
