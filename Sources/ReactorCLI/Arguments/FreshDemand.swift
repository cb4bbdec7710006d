/// What a run requests from servers: the values of `--fresh`.
package enum FreshDemand: String, Sendable, Hashable, CaseIterable {
  /// The default: requests what is new, unless a persisted result is fresh.
  case usual
  /// Requests what is new, even if a persisted result is fresh.
  case always
  /// Requests everything: flows with a cursor or with `only: changed` forget their position and replace their results.
  case everything
  /// Asks servers only whether persisted results are still valid, whatever their age.
  case validate
  /// Requests only items that failed and records that were rejected.
  case rejected
  /// Sends no request: only persisted results are used.
  case never
}

extension FreshDemand {
  /// Reads the values of `--fresh`, or of its environment variable.
  ///
  /// `1` and `true`, `0` and `false` are for the environment variable, as for every option that needs no value.
  init(_ flags: [String], _ settings: Settings) throws(CommandError) {
    if let other = flags.first(where: { $0 != flags[0] }) {
      throw CommandError("--fresh=\(flags[0]) and --fresh=\(other) cannot be used together")
    }
    self =
      switch settings.value(flags.first, "fresh")?.text {
      case "1", "true": .always
      case "0", "false": .usual
      default: try settings.choice(flags.first, "fresh", default: .usual)
      }
  }
}
