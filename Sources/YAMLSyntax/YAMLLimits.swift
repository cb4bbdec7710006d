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

/// What a reading accepts in addition to the YAML of flow files.
package struct YAMLPolicy: OptionSet, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// No document, or several.
  package static let anyNumberOfDocuments = YAMLPolicy(rawValue: 1 << 0)
  /// Tags outside the core schema, and core tags on any kind of node.
  package static let anyTags = YAMLPolicy(rawValue: 1 << 1)
  /// `%TAG` directives.
  package static let tagDirectives = YAMLPolicy(rawValue: 1 << 2)
  /// Collections and nothing as keys.
  package static let anyKeys = YAMLPolicy(rawValue: 1 << 3)
  /// The same key twice.
  package static let repeatedKeys = YAMLPolicy(rawValue: 1 << 4)
  /// `<<` as an ordinary key.
  package static let plainMergeKeys = YAMLPolicy(rawValue: 1 << 5)
  /// The same anchor twice.
  package static let reusedAnchors = YAMLPolicy(rawValue: 1 << 6)
  /// Line breaks and spaces that cannot be seen as such, text that changes the direction of writing.
  package static let hiddenCharacters = YAMLPolicy(rawValue: 1 << 7)

  /// What `YAMLDocument` reads.
  package static let strict: YAMLPolicy = []
  /// As much as libyaml takes.
  package static let anyYAML: YAMLPolicy = [
    .anyNumberOfDocuments, .anyTags, .tagDirectives, .anyKeys, .repeatedKeys, .plainMergeKeys, .reusedAnchors,
    .hiddenCharacters,
  ]
}
