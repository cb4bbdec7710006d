internal import ByteCodings

extension WebURL {
  /// The reason why a URL from a server is not requested.
  public enum LinkError: Error, Hashable, Sendable {
    /// The text is not a URL, or different programs interpret it differently.
    case malformed(WebURLError)
    /// The scheme is neither http nor https.
    case scheme(String)
    /// The URL has a user name or a password.
    case user
  }

  /// Parses an absolute URL and checks that it may be requested.
  public init(requesting text: String) throws(LinkError) {
    do throws(WebURLError) { self = try WebURL(text, allowsZone: true) } catch { throw .malformed(error) }
    try checkRequest()
  }

  /// Resolves a URL that a server names in a `Location` or `Link` field or in a body, against this URL.
  ///
  /// Everything that follows a link uses this function, so the URL that is checked is always the URL that is requested.
  public func following(_ link: String) throws(LinkError) -> WebURL {
    let url: WebURL
    do throws(WebURLError) {
      if link.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { throw .controlCharacter }
      url = try WebURL(link, relativeTo: self)
    } catch {
      throw .malformed(error)
    }
    try url.checkRequest()
    // After three slashes, some programs read the first name of the path as the host.
    let rest = link.drop { $0 != ":" && $0 != "/" && $0 != "\\" && $0 != "?" && $0 != "#" }
    let start = rest.first == ":" ? rest.dropFirst() : link[...]
    if start.prefix(while: { $0 == "/" || $0 == "\\" }).count > 2 { throw .malformed(.missingHost) }
    return url
  }

  private func checkRequest() throws(LinkError) {
    guard isHTTP else { throw .scheme(scheme) }
    if hasCredentials { throw .user }
    do throws(WebURLError) { try checkServer() } catch { throw .malformed(error) }
  }

  /// Refuses port 0 and certain hosts that the URL standard allows.
  ///
  /// Name resolution or libcurl may interpret these hosts differently than `WebURL`.
  func checkServer() throws(WebURLError) {
    guard let host, !host.isEmpty else { throw .missingHost }
    if !host.hasPrefix("["), let byte = host.utf8.first(where: { !PercentCoding.isUnreserved($0) }) {
      throw .hostCharacter(byte)
    }
    if port == 0 { throw .port }
  }
}
