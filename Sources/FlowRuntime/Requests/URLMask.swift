internal import ReactorCore

/// Keeps the secrets in a URL's path out of errors, which name the URL without its query.
package struct URLMask: Sendable {
  private let hidden: String
  private let shown: String

  /// Hides one URL behind another text; queries of both are left out.
  package init(hiding url: String, behind shown: String) {
    hidden = String(url.prefix { $0 != "?" })
    self.shown = String(shown.prefix { $0 != "?" })
  }

  /// The error without the URL.
  func masked(_ error: ReactorError) -> ReactorError {
    var error = error
    error.message = error.message.replacing(hidden, with: shown)
    error.help = error.help?.replacing(hidden, with: shown)
    return error
  }

  /// An observer that gets masked errors.
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
