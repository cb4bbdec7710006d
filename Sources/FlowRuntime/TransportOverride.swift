public import ReactorCore
public import Records

/// Replaces the network of flows, for example with recordings.
///
/// It replaces the innermost connection: pages, retries and logins use the replacement like the real connection. The
/// real connection is opened only when the override calls for it.
public struct TransportOverride: Sendable {
  /// Opens the real connection.
  public typealias Opening = @Sendable () throws(ReactorError) -> any Connection

  /// Identifies one connection of one flow.
  public struct ConnectionKey: Sendable, Hashable {
    /// The flow's id.
    public let flow: String
    /// The role of the server for the flow.
    ///
    /// `base` is the server with the records. Other servers, such as a token server, have other names.
    public let name: String
    /// The URL of the server.
    public let baseURL: BaseURL

    /// Creates a key.
    public init(flow: String, name: String, baseURL: BaseURL) {
      self.flow = flow
      self.name = name
      self.baseURL = baseURL
    }
  }

  /// Returns the connection for a key.
  public let connection: @Sendable (ConnectionKey, @escaping Opening) throws(ReactorError) -> any Connection
  /// Returns the rows that a flow would read from a database for one of its parents, given by its zero-based index. Nil
  /// to read the rows from the database.
  public var rows:
    (
      @Sendable (
        _ flow: String, _ parent: Int, _ read: @escaping @Sendable () async throws(ReactorError) -> any RecordFile
      ) async throws(ReactorError) -> any RecordFile
    )?
  /// Whether no host is ever contacted. Flows then share no rate limits and do not wait for each other.
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
