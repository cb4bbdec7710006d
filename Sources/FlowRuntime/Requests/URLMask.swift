internal import ReactorCore

/// Masks the secrets of a URL's path in errors. Errors show the URL without its query.
package struct URLMask: Sendable {
  private let hidden: String
  private let shown: String

  /// Replaces one URL by another text. The queries of both are left out.
  package init(hiding url: String, behind shown: String) {
    hidden = String(url.prefix { $0 != "?" })
    self.shown = String(shown.prefix { $0 != "?" })
  }

  /// Returns the error with the URL replaced.
  func masked(_ error: ReactorError) -> ReactorError {
    var error = error
    error.message = error.message.replacing(hidden, with: shown)
    error.help = error.help?.replacing(hidden, with: shown)
    return error
  }

  /// Returns an observer that receives masked errors.
  func masked(_ observer: @escaping FlowObserver) -> FlowObserver {
    { event in
      if case .failed(let step, let error) = event {
        observer(.failed(step, masked(error)))
      } else {
        observer(event)
      }
    }
  }
}
