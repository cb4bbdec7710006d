internal import Foundation

/// One planted fault for each target: with `REACTOR_TORTURE_PLANT=t17` it must be found (`scripts/fuzz --planted`).
///
/// Each is out of reach of the seeds and spoils what the harness is given or gives, so that only new inputs that lead
/// somewhere in the code under test can find it.
public enum Plant {
  /// Whether the faults are planted.
  public static let isSet = ProcessInfo.processInfo.environment["REACTOR_TORTURE_PLANT"] == "t17"
}
