public import ReactorCore

internal import Synchronization

/// A provider of one connection, whatever the base URL; it notes what it was asked for.
public final class StubConnectionProvider: ConnectionProvider {
  private let made: any Connection
  private let checked: any Reachability
  private let asked = Mutex<[String]>([])

  /// What was made, each as `connection URL` or `reachability URL`.
  public var madeParts: [String] { asked.withLock { $0 } }

  /// Provides these two.
  public init(_ connection: any Connection, reachability: any Reachability = AlwaysReachable()) {
    made = connection
    checked = reachability
  }

  /// Notes the question and gives the connection.
  public func connection(baseURL: String) -> any Connection {
    asked.withLock { $0.append("connection \(baseURL)") }
    return made
  }

  /// Notes the question and gives the reachability.
  public func reachability(baseURL: String) -> any Reachability {
    asked.withLock { $0.append("reachability \(baseURL)") }
    return checked
  }
}
