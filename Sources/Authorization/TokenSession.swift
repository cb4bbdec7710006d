internal import ReactorCore
internal import Synchronization

/// The token of a run: obtained with the first request that needs it and shared by all flows that declare the same.
///
/// However many flows wait, one request is under way. A token is renewed a tenth of its lifetime, and at most a minute,
/// before it expires. A server's 401 renews it once. When the new one is refused too before any request succeeded with it,
/// the 401 stands and no further token is asked for. The same holds after `patience` renewals in a row that did not help
/// the request that needed them. An error that another request cannot fix, such as refused credentials, is remembered: a
/// wrong password is sent once and not once for each flow.
public final class TokenSession: Sendable {
  /// The maximum of renewals in a row that do not help: otherwise each resource that always gives 401 would cost a token.
  static let patience = 3

  /// A token in use.
  public struct Token: Sendable {
    /// Counts the tokens of a session from 1.
    let generation: Int
    /// Ready to be sent.
    let credential: Credential
    /// Whether it replaces one that the server refused.
    let isReplacement: Bool
    /// When to renew it, on the session's stopwatch; nil: when the server refuses it.
    let renewal: Duration?
  }

  private struct State {
    var token: Token?
    var failure: ReactorError?
    /// The newest generation that the server refused.
    var refused = 0
    /// The newest generation with which a request succeeded.
    var accepted = 0
    /// Renewals in a row that have not helped.
    var vain = 0
  }

  private let source: any TokenSource
  private let secrets: KnownSecrets
  private let stopwatch: Stopwatch
  private let work: SharedWork<Token>
  private let state = Mutex(State())

  init(_ source: any TokenSource, secrets: KnownSecrets, stopwatch: Stopwatch) {
    self.source = source
    self.secrets = secrets
    self.stopwatch = stopwatch
    work = SharedWork(mustFinish: source.mustFinish)
  }

  /// The token to send now.
  func token() async throws(ReactorError) -> Token {
    if let known = known() { return try known.get() }
    return try await work.value { await self.obtain() }
  }

  /// Notes that the server took a token.
  func accept(_ token: Token) {
    state.withLock { $0.accepted = max($0.accepted, token.generation) }
  }

  /// Notes whether a renewal has helped the request that was sent again with it.
  func judge(_ replacement: Token, helped: Bool) {
    if helped { accept(replacement) }
    state.withLock { $0.vain = helped ? 0 : $0.vain + 1 }
  }

  /// A token in place of one that the server refused; nil when the refusal stands.
  func replacement(for token: Token) async throws(ReactorError) -> Token? {
    let isWorthIt = state.withLock { state in
      // Another flow has renewed it meanwhile.
      if let current = state.token, current.generation > token.generation { return true }
      guard state.vain < Self.patience, !token.isReplacement || state.accepted >= token.generation else { return false }
      state.refused = max(state.refused, token.generation)
      return true
    }
    return isWorthIt ? try await self.token() : nil
  }

  /// Waits for a request under way that must come to its end.
  public func settle() async { await work.settle() }

  /// What is known without asking: a token that is good, or why there will be none.
  private func known() -> Result<Token, ReactorError>? {
    let now = stopwatch.reading()
    return state.withLock { state in
      if let failure = state.failure { return .failure(failure) }
      guard let token = state.token, token.generation > state.refused, token.renewal.map({ now < $0 }) ?? true else {
        return nil
      }
      return .success(token)
    }
  }

  private func obtain() async -> Result<Token, ReactorError> {
    // Another flow's request may just have ended.
    if let known = known() { return known }
    let start = stopwatch.reading()
    do throws(ReactorError) {
      let obtained = try await source.obtain(secrets)
      secrets.add(obtained.credential.secret)
      return state.withLock { state in
        let generation = (state.token?.generation ?? 0) + 1
        let token = Token(
          generation: generation, credential: obtained.credential,
          isReplacement: state.refused > 0 && state.refused == generation - 1,
          renewal: obtained.lifetime.map { start + $0 - min($0 / 10, .seconds(60)) })
        state.token = token
        return .success(token)
      }
    } catch {
      if Self.isLasting(error) { state.withLock { $0.failure = error } }
      return .failure(error)
    }
  }

  /// Whether asking again would end the same.
  private static func isLasting(_ error: ReactorError) -> Bool {
    switch error.kind {
    case .parser, .persistence: true
    case .server: error.status.map { (400..<500).contains($0) && ![408, 425, 429].contains($0) } ?? false
    case .noConnectivity, .timeout, .fixture, .cancelled: false
    }
  }
}
