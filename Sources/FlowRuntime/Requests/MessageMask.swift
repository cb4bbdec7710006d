internal import ByteCodings
internal import ReactorCore
internal import Synchronization

/// Masks the secrets of a flow in texts. It caches the mask, because thousands of rejected records can each have a
/// message.
final class MessageMask: Sendable {
  private struct State {
    var secrets: [String] = []
    var mask = SecretMask()
  }

  private let state = Mutex(State())

  /// Returns a text with secrets masked.
  ///
  /// It masks the URLs of the flow, all encodings of a secret, and also the part of a secret that is left where the
  /// text was cut. A replay has placeholders instead of secrets; they are masked only in URLs.
  func mask(_ text: String, of plan: FlowPlan, in environment: FlowEnvironment) -> String {
    let text = plan.masks.reduce(text) { $1.masked($0) }
    if environment.transportOverride?.isReplay ?? false { return text }
    var secrets = plan.scope.secrets
    _ = environment.secrets.contains { secret in
      secrets.append(secret)
      return false
    }
    return secrets.isEmpty ? text : mask(text, hiding: secrets)
  }

  private func mask(_ text: String, hiding secrets: [String]) -> String {
    let mask = state.withLock { state in
      if state.secrets != secrets {
        state.secrets = secrets
        state.mask = SecretMask()
        for secret in secrets { state.mask.add(secret) }
      }
      return state.mask
    }
    return mask.mask(text)
  }
}
