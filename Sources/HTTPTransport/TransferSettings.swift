internal import ReactorCore
internal import Synchronization

/// The options that all requests of one connection share.
///
/// A class for its identity: an easy handle that was set up for the same settings is not set up again.
final class TransferSettings: Sendable {
  let options: HTTPOptions

  init(_ options: HTTPOptions) { self.options = options }

  /// - Throws: `.server` when the User-Agent or a header of the options cannot be sent.
  init(checking options: HTTPOptions) throws(ReactorError) {
    guard HeaderSyntax.isValue(options.userAgent.utf8) else {
      throw .server("the User-Agent holds a control character")
    }
    _ = try RequestFields(Headers(), options: options)
    self.options = options
  }
}

/// The settings that were made last; the flows of a file mostly share their options.
final class LastTransferSettings: Sendable {
  private let last = Mutex<TransferSettings?>(nil)

  /// - Throws: `.server` when the User-Agent or a header of the options cannot be sent.
  func settings(_ options: HTTPOptions) throws(ReactorError) -> TransferSettings {
    if let known = last.withLock({ $0 }), known.options == options { return known }
    let settings = try TransferSettings(checking: options)
    last.withLock { $0 = settings }
    return settings
  }
}
