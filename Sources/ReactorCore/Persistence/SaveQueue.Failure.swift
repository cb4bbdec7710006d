extension SaveQueue {
  /// A deferred save that failed.
  public struct Failure: Sendable, Hashable, CustomStringConvertible {
    /// The flow's name.
    public let name: String
    /// What was to be kept.
    public let resource: Resource
    /// Why it was not.
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
