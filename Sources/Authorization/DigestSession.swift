internal import ByteCodings
internal import ReactorCore
internal import Synchronization

/// Answers a server's challenges with a digest of user name and password (RFC 7616).
///
/// The first request is sent without credentials; the response with status 401 has the challenge, and the request is
/// sent again with a digest. Later requests have a digest for the same challenge from the start, with the next count,
/// until the server requires a new nonce. Other requests wait while the first one is under way. A password that the
/// server refuses is not sent again. The session must be used by one origin.
public final class DigestSession: Sendable {
  private struct State {
    var challenge: DigestChallenge?
    /// The number of requests that were sent with the nonce of the current challenge.
    var count = 0
    /// Whether the server has accepted a digest.
    var isAccepted = false
    /// Whether the server has refused the credentials, so that no further digest is sent.
    var isRefused = false
    /// Whether the first request has ended, for which all other requests wait.
    var isKnown = false
  }

  /// The digest that was sent with a request.
  private struct Answer {
    let challenge: DigestChallenge
    let count: Int
  }

  private let credentials: DigestCredentials
  /// Returns a new client nonce (`cnonce`) for a request.
  private let nonce: @Sendable () -> String
  private let state = Mutex(State())
  private let first = SharedWork<Void>()

  /// Creates a session without a challenge.
  public convenience init(_ credentials: DigestCredentials) {
    self.init(credentials) { RandomText.hex(bytes: 16) }
  }

  init(_ credentials: DigestCredentials, nonce: @escaping @Sendable () -> String) {
    self.credentials = credentials
    self.nonce = nonce
  }

  /// Sends a request with a digest for the server's challenge, and again after a new challenge.
  func response(for resource: Resource, over connection: any Connection) async throws(ReactorError) -> Response {
    guard let request = try OwnRequest(resource, base: connection.baseURL) else {
      return try await connection.response(for: resource)
    }
    if state.withLock({ $0.isKnown }) { return try await exchange(request, connection) }
    let own = Mutex<Result<Response, ReactorError>?>(nil)
    try await first.value { [self] in
      if state.withLock({ $0.isKnown }) { return .success(()) }
      let result: Result<Response, ReactorError>
      do throws(ReactorError) {
        result = .success(try await exchange(request, connection))
        state.withLock { $0.isKnown = true }
      } catch {
        result = .failure(error)
      }
      own.withLock { $0 = result }
      return .success(())
    }
    if let result = own.withLock({ $0 }) { return try result.get() }
    return try await exchange(request, connection)
  }

  private func exchange(
    _ request: OwnRequest, _ connection: any Connection
  ) async throws(ReactorError) -> Response {
    var tries = 0
    while true {
      tries += 1
      let answer = next()
      var resource = request.resource
      resource.resends += tries - 1
      if let answer { resource.headers["Authorization"] = field(answer, resource, target: request.target) }
      let response = try await connection.response(for: resource)
      let isAnswered = take(response, to: answer)
      guard isAnswered, tries < 4 else { return response }
      response.body.cancel()
    }
  }

  private func next() -> Answer? {
    state.withLock { state in
      guard let challenge = state.challenge, !state.isRefused else { return nil }
      state.count += 1
      return Answer(challenge: challenge, count: state.count)
    }
  }

  /// Stores the challenge of a response with status 401; returns whether the request must be sent again.
  private func take(_ response: Response, to answer: Answer?) -> Bool {
    state.withLock { state in
      guard response.status == 401 else {
        guard let answer else { return false }
        state.isAccepted = true
        if state.challenge == answer.challenge,
          let renewed = answer.challenge.renewed(by: response.headers.values("Authentication-Info"))
        {
          (state.challenge, state.count) = (renewed, 0)
        }
        return false
      }
      guard !state.isRefused, let challenge = DigestChallenge(response.headers.values("WWW-Authenticate")) else {
        return false
      }
      // Another request may have received a newer challenge.
      let isNewest = state.challenge == answer?.challenge
      if isNewest { (state.challenge, state.count) = (challenge, 0) }
      guard let answer else { return true }
      // Servers that do not say 'stale' forget nonces too, so a digest with a nonce that was good is sent again.
      if challenge.isStale || answer.count > 1 || !isNewest { return true }
      if !state.isAccepted { state.isRefused = true }
      return false
    }
  }

  // MARK: - Answer

  /// The value of the field `Authorization` (RFC 7616, section 3.4).
  private func field(_ answer: Answer, _ resource: Resource, target: String) -> String {
    let challenge = answer.challenge
    let algorithm = challenge.algorithm
    func digest(_ text: String) -> String { Hex.text(algorithm.digest(of: Array(text.utf8))) }
    let own = nonce()
    let username = credentials.username
    var secret = digest("\(username):\(challenge.realm):\(credentials.password)")
    if challenge.isSession { secret = digest("\(secret):\(challenge.nonce):\(own)") }
    var request = "\(resource.method.rawValue):\(target)"
    if challenge.protection == "auth-int" { request += ":" + Hex.text(algorithm.digest(of: resource.body ?? [])) }
    let digits = String(answer.count, radix: 16)
    let count = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    let middle = challenge.protection.map { "\(count):\(own):\($0):" } ?? ""
    let response = digest("\(secret):\(challenge.nonce):\(middle)\(digest(request))")
    var parts = [userPart(challenge, digest("\(username):\(challenge.realm)"))]
    parts.append("realm=\(Self.quoted(challenge.realm))")
    parts.append("uri=\(Self.quoted(target))")
    if let name = challenge.algorithmName { parts.append("algorithm=\(name)") }
    parts.append("nonce=\(Self.quoted(challenge.nonce))")
    if let protection = challenge.protection { parts += ["nc=\(count)", "cnonce=\"\(own)\"", "qop=\(protection)"] }
    parts.append("response=\"\(response)\"")
    if let opaque = challenge.opaque { parts.append("opaque=\(Self.quoted(opaque))") }
    if challenge.hidesUser { parts.append("userhash=true") }
    return "Digest " + parts.joined(separator: ", ")
  }

  private func userPart(_ challenge: DigestChallenge, _ hidden: String) -> String {
    let username = credentials.username
    if challenge.hidesUser { return "username=\"\(hidden)\"" }
    if username.utf8.allSatisfy({ $0 < 0x80 }) { return "username=\(Self.quoted(username))" }
    return "username*=UTF-8''\(PercentCoding.encode(username))"
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

extension DigestSession: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The kind; never the password.
  public var description: String { "digest session" }
  /// The same text as `description`.
  public var debugDescription: String { description }
  /// No children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
