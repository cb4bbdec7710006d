internal import ReactorCore
internal import Synchronization

/// The token of a run; all flows that declare the same credentials share it.
///
/// The token is obtained with the first request that needs it. Only one token request runs at a time, however many
/// flows wait for it. A token is renewed shortly before it expires. This margin is a tenth of the token's lifetime, at
/// most a minute. A 401 response of the server renews the token once. When the server also rejects the new token before
/// any request has succeeded with it, the 401 is final and no further token is requested. The 401 is also final after
/// `patience` consecutive renewals that did not help the request for which they were made. An error that another
/// request cannot fix, such as rejected credentials, is remembered. A wrong password is therefore sent once, and not
/// once for each flow.
public final class TokenSession: Sendable {
  /// The maximum number of consecutive renewals that do not help.
  ///
  /// Without this maximum, each resource that always returns 401 would cost a token.
  static let patience = 3

  /// A token in use.
  public struct Token: Sendable {
    /// The number of the token in its session, from 1.
    let generation: Int
    /// The credential to send.
    let credential: Credential
    /// Whether the token replaces a token that the server rejected.
    let isReplacement: Bool
    /// When to renew the token, as a reading of the session's stopwatch; nil: only when the server rejects it.
    let renewal: Duration?
  }

  private struct State {
    var token: Token?
    var failure: ReactorError?
    /// The newest generation that the server rejected.
    var refused = 0
    /// The newest generation with which a request succeeded.
    var accepted = 0
    /// The number of consecutive renewals that have not helped.
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

  /// Returns the token to send now, and obtains it if necessary.
  func token() async throws(ReactorError) -> Token {
    if let known = known() { return try known.get() }
    return try await work.value { await self.obtain() }
  }

  /// Records that the server accepted a token.
  func accept(_ token: Token) {
    state.withLock { $0.accepted = max($0.accepted, token.generation) }
  }

  /// Records whether the server accepted the request that was sent again with a renewed token.
  func judge(_ replacement: Token, helped: Bool) {
    if helped { accept(replacement) }
    state.withLock { $0.vain = helped ? 0 : $0.vain + 1 }
  }

  /// Returns a token to replace a token that the server rejected; nil when the rejection is final.
  func replacement(for token: Token) async throws(ReactorError) -> Token? {
    let isWorthIt = state.withLock { state in
      // Another flow has renewed the token in the meantime.
      if let current = state.token, current.generation > token.generation { return true }
      guard state.vain < Self.patience, !token.isReplacement || state.accepted >= token.generation else { return false }
      state.refused = max(state.refused, token.generation)
      return true
    }
    return isWorthIt ? try await self.token() : nil
  }

  /// Waits until a running token request has ended, if its response may contain a token that is sent only once.
  public func settle() async { await work.settle() }

  /// Returns the result that is known without a request: a valid token, or the error that no request can fix.
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
    // A request of another flow may just have ended.
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

  /// Whether another token request would fail with the same error.
  private static func isLasting(_ error: ReactorError) -> Bool {
    switch error.kind {
    case .parser: true
    // Shared state that was away may be back at the next request.
    case .persistence: !error.isOfSharedState
    case .server: error.status.map { (400..<500).contains($0) && ![408, 425, 429].contains($0) } ?? false
    case .noConnectivity, .timeout, .fixture, .cancelled: false
    }
  }
}
