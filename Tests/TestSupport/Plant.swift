internal import Foundation

/// One planted fault for each item of the torture programme: `REACTOR_TORTURE_PLANT=t5` must turn that item's tests red.
///
/// The switch is in tests only: they expect something wrong, or leave out what they test.
public enum Plant {
  /// Whether the fault of an item is planted.
  public static func isSet(_ item: String) -> Bool {
    ProcessInfo.processInfo.environment["REACTOR_TORTURE_PLANT"] == item
  }
}
