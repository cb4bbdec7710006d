/// Where the results of a flow lie on disk.
public struct PersistencePlace: Sendable {
  /// The file for a resource.
  public let path: @Sendable (Resource) -> String

  /// A place by any rule. Two resources may share a file; the later one's result replaces the earlier one's.
  public init(_ path: @escaping @Sendable (Resource) -> String) { self.path = path }

  /// One file, for one resource at a time.
  public static func file(_ path: String) -> PersistencePlace { PersistencePlace { _ in path } }

  /// A file for each resource in a folder, named by the resource's fingerprint.
  public static func folder(_ path: String) -> PersistencePlace {
    PersistencePlace { "\(path)/\($0.fingerprint()).json" }
  }
}
