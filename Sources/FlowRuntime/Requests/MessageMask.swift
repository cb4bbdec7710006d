internal import ByteCodings
internal import Synchronization

/// Hides secrets in messages, and remembers how: thousands of rejected records may have one each.
final class MessageMask: Sendable {
  private struct State {
    var secrets: [String] = []
    var mask = SecretMask()
  }

  private let state = Mutex(State())

  /// The text with all of these secrets replaced.
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
