/// Bounds on what one YAML file may hold, counted on libyaml's event stream before anything is built.
public struct YAMLLimits: Sendable, Hashable {
  /// Bytes of the file; default 2 MiB.
  public var bytes = 2 << 20
  /// Nesting of collections; default 64.
  public var depth = 64
  /// Nodes of the tree, aliases expanded; default 200,000.
  public var nodes = 200_000
  /// Alias uses; default 100.
  public var aliases = 100
  /// Nodes added by expanding aliases; default 20,000.
  public var aliasedNodes = 20_000

  /// The defaults.
  public init() {}
}
