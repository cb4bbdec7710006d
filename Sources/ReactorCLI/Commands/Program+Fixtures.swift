internal import Fixtures
internal import FlowSpec
internal import ReactorCore
internal import RunViews

extension Program {
  /// Whether a CI system runs the program: then nobody can answer, and nothing may be written unseen.
  var isInCI: Bool {
    guard let value = settings.environment["CI"]?.lowercased() else { return false }
    return !["", "0", "false", "no"].contains(value)
  }

  /// What the options say.
  ///
  /// - Parameters:
  ///   - mode: what is done with requests unless the options say otherwise
  ///   - update: which goldens are written unless they do
  func fixtureSettings(
    _ options: FixtureOptions, mode: FlowTape.Mode, update: FixtureSettings.Update
  ) throws(UsageError) -> FixtureSettings {
    var fixture = FixtureSettings()
    fixture.folder = settings.value(options.folder.fixtures, "fixtures")?.text ?? "fixtures"
    fixture.mode = try settings.choice(options.record, "record", default: mode)
    fixture.update = try settings.choice(options.update, "update", default: update)
    fixture.unused = try settings.choice(options.unused, "unused", default: isInCI ? .fail : .warn)
    fixture.stale = try settings.choice(options.stale, "stale", default: .warn)
    fixture.mostDifferences = try settings.count(options.mostDifferences, "max-diffs", default: 10)
    if settings.value(options.mostDifferences, "max-diffs") != nil { fixture.mostLines = nil }
    switch try settings.choice(options.diff, "diff", default: DifferenceForm.short) {
    case .full: (fixture.mostDifferences, fixture.mostLines) = (nil, nil)
    case .none: fixture.mostDifferences = 0
    case .short: break
    }
    fixture.now = now
    let isAllowed = try settings.isOn(options.allowRecordInCI, "allow-record-in-ci")
    if isInCI, !isAllowed {
      guard fixture.mode == .none else {
        throw UsageError(
          "nothing is recorded in CI: --record \(fixture.mode.rawValue) asks servers",
          help: "record where you work and commit the fixtures, or allow it with --allow-record-in-ci")
      }
      guard fixture.update == .none else {
        throw UsageError(
          "no golden is written in CI: --update \(fixture.update.rawValue)",
          help: "'reactor test --patch FILE' writes what 'git apply' needs to accept the differences")
      }
      fixture.keepsPending = false
    }
    return fixture
  }

  private enum DifferenceForm: String, CaseIterable {
    case short, full, none
  }

  /// Seconds since 1970: of the clock, or as `SOURCE_DATE_EPOCH` says.
  var now: Int64 {
    if let text = settings.environment["SOURCE_DATE_EPOCH"], let seconds = Int64(text), seconds >= 0 { return seconds }
    return WallClock.system.sinceEpoch().components.seconds
  }

  /// What stands for the secrets of some files in a replay: their marks, so that no real one is needed or used.
  func placeholders(for files: [FileDeclaration]) -> [String: String] {
    Dictionary(files.flatMap(\.secrets).map { ($0.value, Scrubber.mark(of: $0.value)) }) { first, _ in first }
  }

  /// Makes a session, or says why there is none.
  func session(
    _ settings: FixtureSettings, _ declarations: [FlowDeclaration], secrets: @escaping @Sendable () -> [String: String],
    _ console: Console
  ) -> FixtureSession? {
    do throws(FixtureError) {
      return try FixtureSession(
        settings, declarations, environment: self.settings.environment, secrets: secrets)
    } catch {
      console.fail(error.message, help: error.help)
      return nil
    }
  }
}
