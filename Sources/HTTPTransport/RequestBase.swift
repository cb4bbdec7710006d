internal import ReactorCore
internal import Synchronization

/// A base URL as connections need it: read once, and shared by all flows that name it.
struct RequestBase: Sendable {
  let url: BaseURL
  let origin: Origin
  /// What a URL of its own origin begins with.
  let home: String

  /// - Throws: `.server` when the text is no base URL.
  init(_ text: String) throws(ReactorError) {
    url = try BaseURL(parsing: text)
    origin = Origin(url)
    home = url.origin + "/"
  }
}

/// The base URL that was read last: the flows of a file mostly share one.
final class LastRequestBase: Sendable {
  private let last = Mutex<(text: String, base: RequestBase)?>(nil)

  /// - Throws: `.server` when the text is no base URL.
  func base(_ text: String) throws(ReactorError) -> RequestBase {
    if let known = last.withLock({ $0?.text == text ? $0?.base : nil }) { return known }
    let base = try RequestBase(text)
    last.withLock { $0 = (text, base) }
    return base
  }
}
