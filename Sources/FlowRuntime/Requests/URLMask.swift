internal import ReactorCore

/// Masks the secrets of a URL's path in texts. Errors show the URL without its query.
package struct URLMask: Sendable {
  private let hidden: String
  private let shown: String

  /// Creates a mask that replaces one URL by another text. The queries of both are left out.
  package init(hiding url: String, behind shown: String) {
    hidden = String(url.prefix { $0 != "?" })
    self.shown = String(shown.prefix { $0 != "?" })
  }

  /// Returns the text with the URL replaced.
  func masked(_ text: String) -> String { text.replacing(hidden, with: shown) }

  /// Returns the error with the URL replaced.
  func masked(_ error: ReactorError) -> ReactorError { error.mapTexts { masked($0) } }
}
