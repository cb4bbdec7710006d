internal import CCurl

extension HTTPClient {
  /// The versions of libcurl and of the libraries it uses, as libcurl reports them.
  public static var libraryVersion: String {
    if let version = ccurl_version() { return String(cString: version) }
    return "cannot be loaded: \(String(cString: ccurl_load_failure()))"
  }
}
