public import ReactorCore

/// Replaces the network of flows, for example by recordings.
///
/// It replaces the innermost connection: pages, retries and logins use it like the real one. The real one is made only
/// on request.
public struct TransportOverride: Sendable {
  /// Makes the real connection.
  public typealias Opening = @Sendable () throws(ReactorError) -> any Connection

  /// Which connection of which flow it is.
  public struct ConnectionKey: Sendable, Hashable {
    /// The flow's id.
    public let flow: String
    /// What the server is to the flow: `base` for the one that it asks for records, a name of its own for others, such
    /// as that which gives tokens.
    public let name: String
    /// The server.
    public let baseURL: BaseURL

    /// Names a connection.
    public init(flow: String, name: String, baseURL: BaseURL) {
      self.flow = flow
      self.name = name
      self.baseURL = baseURL
    }
  }

  /// Gives the connection of a place.
  public let connection: @Sendable (ConnectionKey, @escaping Opening) throws(ReactorError) -> any Connection
  /// Whether no host is ever asked: then flows share nothing, and each goes its own way in its own time.
  public let isReplay: Bool

  /// Builds an override.
  public init(
    isReplay: Bool = false,
    connection: @escaping @Sendable (ConnectionKey, @escaping Opening) throws(ReactorError) -> any Connection
  ) {
    self.isReplay = isReplay
    self.connection = connection
  }
}
