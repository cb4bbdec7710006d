internal import SharedState

extension SealingKey {
  /// The key in `REACTOR_STATE_KEY`; nil without one.
  ///
  /// - Parameter learn: called with each text that no output may show
  static func key(in settings: Settings, learn: (String) -> Void) throws(CommandError) -> SealingKey? {
    guard let (text, origin) = settings.value(nil, "state-key") else { return nil }
    learn(text)
    guard let key = SealingKey(parsing: text) else {
      throw CommandError("\(origin) is neither 32 bytes in base64 nor 64 hexadecimal digits", help: Self.making)
    }
    key.texts.forEach(learn)
    return key
  }

  /// The instruction to make a key.
  static let making = "make a key with 'openssl rand -base64 32', and give it to all processes in REACTOR_STATE_KEY"
}
