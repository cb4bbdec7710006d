extension SaveQueue {
  /// A deferred save that failed.
  public struct Failure: Sendable, Hashable, CustomStringConvertible {
    /// The flow's name.
    public let name: String
    /// What the save belongs to.
    public let resource: Resource
    /// Why it failed.
    public let error: ReactorError

    /// Builds a failure.
    public init(name: String, resource: Resource, error: ReactorError) {
      self.name = name
      self.resource = resource
      self.error = error
    }

    /// `name: message`
    public var description: String { name.isEmpty ? error.description : "\(name): \(error)" }
  }
}
