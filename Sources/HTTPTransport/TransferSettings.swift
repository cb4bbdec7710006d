internal import ReactorCore
internal import Synchronization

/// The options that all requests of one connection share.
///
/// The type is a class because its identity is compared: an easy handle keeps its setup while the settings are the same
/// object.
final class TransferSettings: Sendable {
  let options: HTTPOptions

  init(_ options: HTTPOptions) { self.options = options }

  /// Checks and stores the options.
  ///
  /// - Throws: `.server` when the User-Agent or a header of the options cannot be sent.
  init(checking options: HTTPOptions) throws(ReactorError) {
    guard HeaderSyntax.isValue(options.userAgent.utf8) else {
      throw .server("the User-Agent contains a control character")
    }
    _ = try RequestFields(Headers(), options: options)
    self.options = options
  }
}

/// The most recently created settings, reused because the flows of a file mostly have the same options.
final class LastTransferSettings: Sendable {
  private let last = Mutex<TransferSettings?>(nil)

  /// Returns the last settings when they have the same options, else creates new ones.
  ///
  /// - Throws: `.server` when the User-Agent or a header of the options cannot be sent.
  func settings(_ options: HTTPOptions) throws(ReactorError) -> TransferSettings {
    if let known = last.withLock({ $0 }), known.options == options { return known }
    let settings = try TransferSettings(checking: options)
    last.withLock { $0 = settings }
    return settings
  }
}
