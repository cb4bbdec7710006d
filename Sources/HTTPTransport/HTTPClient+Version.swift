internal import CCurl

extension HTTPClient {
  /// The versions of libcurl and what it stands on, as libcurl tells them.
  public static var libraryVersion: String { String(cString: curl_version()) }
}
