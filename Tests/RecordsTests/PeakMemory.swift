import Foundation
import TestSupport

/// The most memory that this process ever had, in KiB.
func peakKilobytes() -> Int {
  guard !Sanitizer.isOn else { return 0 }
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
  return Int(line.filter(\.isNumber)) ?? 0
}
