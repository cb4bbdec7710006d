public import ReactorCore

/// Where the network of flows can be taken out and something else be put in: recordings, for one.
///
/// What stands in is the innermost connection: pages, retries and logins are built on it as on the real one. The real one
/// is made only when it is asked for.
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

  /// The time of day at which a flow is taken to run, since 1970; nil for the present.
  public let moment: @Sendable (_ flow: String) -> Duration?

  /// Builds a seam.
  public init(
    isReplay: Bool = false, moment: @escaping @Sendable (_ flow: String) -> Duration? = { _ in nil },
    connection:
      @escaping @Sendable (ConnectionKey, @escaping Opening) throws(ReactorError) -> any Connection
  ) {
    self.isReplay = isReplay
    self.moment = moment
    self.connection = connection
  }
}
