internal import Fixtures
internal import FlowModel
internal import FlowSpec
internal import ReactorCore
internal import RunViews
internal import Storage

extension Invocation {
  /// Whether a CI system runs the program. Then no user can decide, and no golden is written without review.
  var isInCI: Bool {
    guard let value = settings.environment["CI"]?.lowercased() else { return false }
    return !["", "0", "false", "no"].contains(value)
  }

  /// The fixture settings that the options request.
  ///
  /// - Parameters:
  ///   - mode: the default handling of requests, when the options do not set one
  ///   - update: the goldens that are written by default, when the options do not set it
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
          "recording is not allowed in CI, because --record \(fixture.mode.rawValue) sends requests",
          help: "record on your own machine and commit the fixtures, or allow it with --allow-record-in-ci")
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

  /// Returns placeholders for the secrets that files name, so that a replay needs and uses no real secret.
  func placeholders(for files: [FileDeclaration]) -> [String: Secret] {
    Dictionary(
      files.flatMap(\.secrets).map { ($0.value, Secret(Scrubber.mark(of: $0.value), standsFor: .recorded)) }
    ) { first, _ in first }
  }

  /// The folder of recordings and goldens.
  func folder(_ option: FixtureFolderOption) -> String {
    settings.value(option.fixtures, "fixtures").map { WholeFile.resolvingLinks(in: $0.text) } ?? "fixtures"
  }

  /// The current time in seconds since 1970: `SOURCE_DATE_EPOCH` when it is set, otherwise the clock.
  var now: Int64 {
    if let text = settings.environment["SOURCE_DATE_EPOCH"], let seconds = Int64(text), seconds >= 0 { return seconds }
    return WallClock.system.sinceEpoch().components.seconds
  }
}
