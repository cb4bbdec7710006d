/// The limits of one YAML file, checked on libyaml's events before the tree is built.
public struct YAMLLimits: Sendable, Hashable {
  /// The maximum size of the file in bytes; default 2 MiB.
  public var bytes = 2 << 20
  /// The maximum depth of nested collections; default 64.
  public var depth = 64
  /// The maximum number of nodes in the tree, with expanded aliases; default 200,000.
  public var nodes = 200_000
  /// The maximum number of alias uses; default 100.
  public var aliases = 100
  /// The maximum number of nodes that are added by expanding aliases; default 20,000.
  public var aliasedNodes = 20_000

  /// Creates the default limits.
  public init() {}
}
