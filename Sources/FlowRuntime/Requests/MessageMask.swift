internal import ByteCodings
internal import Synchronization

/// Masks secrets in messages. It caches the mask, because thousands of rejected records can each have a message.
final class MessageMask: Sendable {
  private struct State {
    var secrets: [String] = []
    var mask = SecretMask()
  }

  private let state = Mutex(State())

  /// Returns the text with all given secrets replaced.
  func mask(_ text: String, hiding secrets: [String]) -> String {
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
