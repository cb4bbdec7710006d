/// The options that all requests of one connection share.
///
/// A class for its identity: an easy handle that was set up for the same settings is not set up again.
final class TransferSettings: Sendable {
  let options: HTTPOptions

  init(_ options: HTTPOptions) { self.options = options }
}
