public import ReactorCore

internal import Synchronization

/// A provider of one connection, whatever the base URL; it records the URLs that it was asked for.
public final class StubConnectionProvider: ConnectionProvider {
  private let made: any Connection
  private let asked = Mutex<[String]>([])

  /// The base URLs, in order.
  public var baseURLs: [String] { asked.withLock { $0 } }

  /// Provides this connection.
  public init(_ connection: any Connection) { made = connection }

  /// Records the URL and returns the connection.
  public func connection(baseURL: String) -> any Connection {
    asked.withLock { $0.append(baseURL) }
    return made
  }
}
