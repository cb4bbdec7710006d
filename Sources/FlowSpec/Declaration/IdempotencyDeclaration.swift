internal import SourceDiagnostics

/// The header by which a server knows a request that it has had before.
public struct IdempotencyDeclaration: Sendable {
  /// The default name of the header.
  public static let defaultHeader = "Idempotency-Key"

  /// The header's name.
  public var header: Located<String>
  /// What stands in it; nil is computed from flow, item and request.
  public var key: Located<Template>?
}
