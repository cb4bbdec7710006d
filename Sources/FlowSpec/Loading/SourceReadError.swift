/// Why a file or a folder could not be read.
public struct SourceReadError: Error, Sendable, Hashable {
  /// The cause, lower case, no full stop: `permission denied`.
  public var message: String

  /// Builds an error.
  public init(_ message: String) { self.message = message }
}
