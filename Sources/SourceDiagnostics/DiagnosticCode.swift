/// The stable name of a kind of problem, for example `yaml.duplicate-key`.
public struct DiagnosticCode: Sendable, Hashable, RawRepresentable {
  /// `area.kind` in lower case with hyphens; never changes once released.
  public let rawValue: String

  /// Names a code.
  public init(rawValue: String) { self.rawValue = rawValue }
}
