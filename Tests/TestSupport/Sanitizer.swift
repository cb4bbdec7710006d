internal import Foundation

/// Whether scripts/sanitize runs the tests, under which everything takes longer and more memory.
public enum Sanitizer {
  /// As the script says.
  public static let isOn = ProcessInfo.processInfo.environment["REACTOR_SANITIZER"] != nil

  /// What a bound on time is multiplied with.
  public static var patience: Int { isOn ? 5 : 1 }

  /// What the size of a stack is multiplied with: frames hold guards between their variables.
  public static var frames: Int { isOn ? 8 : 1 }
}
