/// Which redirects are followed.
public enum RedirectDeclaration: String, Sendable, Hashable, CaseIterable {
  /// Those that stay on the same scheme, host and port.
  case sameOrigin = "same_origin"
  /// All but https to http; headers that hold secrets stay with the first origin.
  case any
  /// None: a redirect is an error.
  case none
}
