/// What a flow file declares for all of its flows: the names that their templates may use.
public struct FileDeclaration: Sendable {
  /// The path as the user named it.
  public var path: String
  /// The path's last component without `.yaml`, `.yml` and `.flow`: the first part of every flow's id.
  public var stem: String
  /// What the file is for.
  public var description: String?
  /// Variables in the order written.
  public var variables: [VariableDeclaration]
  /// Names of secrets in the order written.
  public var secrets: [Located<String>]
}
