/// The values that templates may use, fixed before the first request.
public struct ResolutionScope: Sendable {
  /// Values of the file's variables.
  public var variables: [String: VariableValue]
  /// Values of the file's secrets.
  public var secrets: [String: Secret]
  /// The environment.
  public var environment: [String: String]
  /// What a login has taken from its answers so far, by name.
  public var captures: [String: Secret] = [:]

  /// Builds a scope.
  public init(
    variables: [String: VariableValue] = [:], secrets: [String: Secret] = [:], environment: [String: String] = [:]
  ) {
    self.variables = variables
    self.secrets = secrets
    self.environment = environment
  }
}
