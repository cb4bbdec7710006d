internal import ReactorCore

extension Origin {
  /// The origin of a base URL that was checked before, as libcurl will connect to it.
  init(of baseURL: String) throws(ReactorError) {
    guard let address = try? WebAddress(baseURL) else { throw .server("the base URL cannot be used") }
    self = address.origin
  }
}
