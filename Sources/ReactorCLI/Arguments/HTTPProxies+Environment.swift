internal import HTTPTransport

extension HTTPProxies {
  /// The proxies from the environment, by the variable names that other tools use too.
  ///
  /// `HTTP_PROXY` in upper case is not read. In a CGI environment, the request header `Proxy` of any client sets that
  /// variable.
  init(environment: [String: String]) {
    func value(_ names: String...) -> String? { names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
    self.init(
      http: value("http_proxy", "all_proxy", "ALL_PROXY"),
      https: value("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"),
      noProxy: value("no_proxy", "NO_PROXY") ?? "")
  }
}
