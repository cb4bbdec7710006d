internal import Fixtures
internal import FlowSpec
internal import ReactorCore
internal import RunViews

extension Invocation {
  /// Whether a CI system runs the program: then nobody can decide, and nothing is written unseen.
  var isInCI: Bool {
    guard let value = settings.environment["CI"]?.lowercased() else { return false }
    return !["", "0", "false", "no"].contains(value)
  }

  /// The settings that the options ask for.
  ///
  /// - Parameters:
  ///   - mode: what is done with requests unless the options say otherwise
  ///   - update: which goldens are written unless they do
  func fixtureSettings(
    _ options: FixtureOptions, mode: FlowTape.Mode, update: FixtureSettings.Update
  ) throws(CommandError) -> FixtureSettings {
    var fixture = FixtureSettings()
    fixture.folder = folder(options.folder)
    fixture.mode = try settings.choice(options.record, "record", default: mode)
    fixture.update = try settings.choice(options.update, "update", default: update)
    fixture.unused = try settings.choice(options.unused, "unused", default: isInCI ? .fail : .warn)
    fixture.stale = try settings.choice(options.stale, "stale", default: .warn)
    fixture.maximumDifferences = try settings.count(options.maximumDifferences, "max-diffs", default: 10)
    if settings.value(options.maximumDifferences, "max-diffs") != nil { fixture.maximumLines = nil }
    switch try settings.choice(options.diff, "diff", default: DifferenceForm.short) {
    case .full: (fixture.maximumDifferences, fixture.maximumLines) = (nil, nil)
    case .none: fixture.maximumDifferences = 0
    case .short: break
    }
    fixture.now = now
    let isAllowed = try settings.isOn(options.allowRecordInCI, "allow-record-in-ci")
    if isInCI, !isAllowed {
      guard fixture.mode == .none else {
        throw CommandError(
          "nothing is recorded in CI: --record \(fixture.mode.rawValue) asks servers",
          help: "record where you work and commit the fixtures, or allow it with --allow-record-in-ci")
      }
      guard fixture.update == .none else {
        throw CommandError(
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

  /// What replaces the secrets of files in a replay: their marks, so that no real secret is needed or used.
  func placeholders(for files: [FileDeclaration]) -> [String: Secret] {
    Dictionary(files.flatMap(\.secrets).map { ($0.value, Secret(Scrubber.mark(of: $0.value))) }) { first, _ in first }
  }

  /// The folder of recordings and goldens.
  func folder(_ option: FixtureFolderOption) -> String {
    settings.value(option.fixtures, "fixtures")?.text ?? "fixtures"
  }

  /// Seconds since 1970: of the clock, or as `SOURCE_DATE_EPOCH` says.
  var now: Int64 {
    if let text = settings.environment["SOURCE_DATE_EPOCH"], let seconds = Int64(text), seconds >= 0 { return seconds }
    return WallClock.system.sinceEpoch().components.seconds
  }
}
