internal import ReactorCore

extension WebAddress {
  /// Reads a base URL, with an error that says what to change and repeats no credentials.
  init(base text: String) throws(ReactorError) {
    do throws(Fault) {
      self = try WebAddress(text)
    } catch {
      if case .scheme = error { throw .server("the base URL has a scheme that is not http or https") }
      throw .server("the base URL is not an absolute URL with a host")
    }
    guard !hasUser else { throw .server("the base URL holds user information; send credentials in a header") }
  }
}
