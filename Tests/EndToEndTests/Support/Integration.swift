import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One shipped flow file, run against its real server in a folder of its own.
struct Integration {
  let workspace: Workspace
  var environment: [String: String]
  private let file: String

  /// Nil, after a line that says so, where the server cannot be had.
  init?(_ file: String, server: String) async throws {
    guard let environment = try await RealServers.environment(for: server) else { return nil }
    self.file = Repository.flows.appendingPathComponent(file).path
    self.environment = environment
    workspace = try Workspace()
  }

  /// The address of a server.
  func address(_ server: String) throws -> String {
    try #require(environment["REACTOR_VAR_\(server.uppercased())"])
  }

  /// Runs the file's flows; all must pass.
  @discardableResult
  func run(_ arguments: String..., location: SourceLocation = #_sourceLocation) async throws -> Summary {
    let outcome = try await start(arguments)
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)", sourceLocation: location)
    return try Summary(outcome, location)
  }

  /// Runs the file's flows, whatever comes of it.
  func start(_ arguments: [String]) async throws -> Program.Outcome {
    try await workspace.start(["run", file, "--format", "json"] + arguments, environment: environment).end()
  }

  /// The records of a `.jsonl` file below `out/`.
  func records(_ path: String, _ location: SourceLocation = #_sourceLocation) throws -> [NSObject] {
    try Records.lines(workspace.text("out/\(path)"), location)
  }

  /// What a server answers to a request of the test itself.
  struct Answer {
    var status: Int
    var headers: [AnyHashable: Any]
    var body: Data

    /// The body as JSON.
    var json: Any? { try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed) }
    /// A member of the body's object.
    subscript(_ name: String) -> Any? { (json as? [String: Any])?[name] }
  }

  /// Sends a request of the test itself; a body that is no text is sent as JSON.
  @discardableResult
  static func send(
    _ method: String, _ url: String, _ body: Any? = nil, headers: [String: String] = [:], user: String? = nil
  ) async throws -> Answer {
    var request = URLRequest(url: try #require(URL(string: url)))
    request.httpMethod = method
    request.timeoutInterval = 20
    request.cachePolicy = .reloadIgnoringLocalCacheData
    if let text = body as? String {
      request.httpBody = Data(text.utf8)
    } else if let body {
      request.httpBody = try JSONSerialization.data(withJSONObject: body)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    if let user {
      request.setValue("Basic \(Data(user.utf8).base64EncodedString())", forHTTPHeaderField: "Authorization")
    }
    let (data, response) = try await URLSession.shared.data(for: request)
    let http = try #require(response as? HTTPURLResponse)
    return Answer(status: http.statusCode, headers: http.allHeaderFields, body: data)
  }

  /// A name that no other test uses.
  static func ownName(_ prefix: String) -> String { "\(prefix)\(UUID().uuidString.prefix(8).lowercased())" }

  /// A number with leading zeros.
  static func padded(_ number: Int, to digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
