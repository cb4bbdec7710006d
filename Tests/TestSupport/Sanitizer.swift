internal import Foundation

/// Whether scripts/sanitize runs the tests, under which everything takes longer and more memory.
public enum Sanitizer {
  /// As the script says.
  public static let isOn = ProcessInfo.processInfo.environment["REACTOR_SANITIZER"] != nil

  /// What a bound on time is multiplied with.
  public static var patience: Int { isOn ? 5 : 1 }
}
