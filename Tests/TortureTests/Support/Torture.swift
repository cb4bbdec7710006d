import Foundation

/// How much of the programme runs, with which seed, and what is broken on purpose.
enum Torture {
  private static let environment = ProcessInfo.processInfo.environment

  /// All of it (`scripts/torture`), not the short form that is part of every test run.
  static let isFull = environment["REACTOR_TORTURE"] == "full"

  /// The beginning of every random choice; `REACTOR_TORTURE_SEED` sets another one.
  static let seed = environment["REACTOR_TORTURE_SEED"].flatMap { UInt64($0) } ?? 20_261_101

  /// The number for the form that runs.
  static func count(short: Int, full: Int) -> Int { isFull ? full : short }

  /// Whether the fixtures of an item are to break its promise, so that its test must turn red.
  static func isPlanted(_ item: String) -> Bool { environment["REACTOR_TORTURE_PLANT"] == item }

  /// One line for `scripts/torture`.
  static func report(_ item: String, _ text: String) { print("torture: \(item): \(text)") }

  /// What cannot be tried on this machine, and why.
  static func skip(_ item: String, _ reason: String) { print("skipped: torture \(item): \(reason)") }
}
