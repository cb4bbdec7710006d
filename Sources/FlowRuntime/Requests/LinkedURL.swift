package import ReactorCore
internal import WebSyntax

/// A URL that a record or a response contains.
package enum LinkedURL {
  /// The absolute URL of a link.
  ///
  /// - Parameters:
  ///   - base: the URL against which a relative link is resolved
  ///   - key: the key of the flow's declaration that gives the link
  /// - Throws: `.server` for a text that is not a URL of http or https.
  package static func absolute(_ link: String, from base: String, key: String) throws(ReactorError) -> String {
    func error(_ reason: String) -> ReactorError {
      var error = ReactorError.server("the link that '\(key)' gives \(reason)")
      error.key = key
      return error
    }
    // As a relative link, an empty text would mean the base URL itself.
    guard !link.isEmpty else { throw error("is empty") }
    do throws(WebURL.LinkError) {
      return try WebURL(requesting: base).following(link).requested
    } catch let cause {
      switch cause {
      case .malformed(let reason): throw error("is not a URL: it \(reason)")
      case .scheme(let scheme): throw error("has the scheme '\(scheme.prefix(20))', which is refused")
      case .user: throw error("contains user information, which is refused")
      }
    }
  }
}
