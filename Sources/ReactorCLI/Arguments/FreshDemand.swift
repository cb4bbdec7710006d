/// What a run asks servers for: the values of `--fresh`.
package enum FreshDemand: String, Sendable, Hashable, CaseIterable {
  /// The default without the option: what is new, unless a persisted result is fresh.
  case usual
  /// What is new, even if a persisted result is fresh.
  case always
  /// Everything: flows with a cursor or with `only: changed` forget their position and replace their results.
  case everything
  /// Whether persisted results are still valid, whatever their age.
  case validate
  /// Only items that failed and records that were rejected.
  case rejected
  /// Nothing: only persisted results are used.
  case never
}

extension FreshDemand {
  /// Reads the values of the option, or of its environment variable.
  ///
  /// `1` and `true`, `0` and `false` are for the environment variable, as for every option that can stand alone.
  init(_ flags: [String], _ settings: Settings) throws(CommandError) {
    if let other = flags.first(where: { $0 != flags[0] }) {
      throw CommandError("--fresh=\(flags[0]) and --fresh=\(other) exclude each other")
    }
    self =
      switch settings.value(flags.first, "fresh")?.text {
      case "1", "true": .always
      case "0", "false": .usual
      default: try settings.choice(flags.first, "fresh", default: .usual)
      }
  }
}
