internal import ReactorCore

extension ResponseBody {
  /// Returns the body unchanged; throws an error if it is an HTML page.
  ///
  /// Servers send a login page or an error page where data is expected, often with status 200.
  ///
  /// - Parameters:
  ///   - expected: what the body should be, for the message
  ///   - isXML: whether the body may be XML, which can begin with an element that also occurs in HTML, such as `body`
  func refusingPages(as expected: String, isXML: Bool = false) async throws(ReactorError) -> ResponseBody {
    var head: [UInt8] = []
    while true {
      let verdict = HTMLPage.isPage(head, besidesXML: isXML)
      if verdict == true { break }
      if verdict == false { return ResponseBody(head, then: self) }
      guard let chunk = try await next() else { return ResponseBody(bytes: head) }
      head += chunk
    }
    while head.count < HTMLPage.longestHead, HTMLPage.title(of: head) == nil, let chunk = try await next() {
      head += chunk
    }
    cancel()
    throw HTMLPage.refusal(head, insteadOf: expected)
  }
}
