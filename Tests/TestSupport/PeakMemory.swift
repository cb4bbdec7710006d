internal import Foundation

/// The most memory that this process has had at once since the last `begin()`, in KiB.
///
/// One number for the whole process: tests that measure run one after the other. Under a sanitizer, whose own memory it
/// would be, it is always 0.
public enum PeakMemory {
  /// Starts anew from the memory in use now, and returns that.
  public static func begin() -> Int {
    guard !Sanitizer.isOn else { return 0 }
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    return value("VmRSS:")
  }

  /// The most since then.
  public static var kilobytes: Int { Sanitizer.isOn ? 0 : value("VmHWM:") }

  private static func value(_ name: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
    return Int(line.filter(\.isNumber)) ?? 0
  }
}
