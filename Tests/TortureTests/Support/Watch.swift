import Foundation
import TestSupport

/// Looks at a program from outside until it ends (Linux; elsewhere it sees nothing).
final class Watch {
  private let program: Program
  /// The most memory it has had resident.
  private(set) var peakKiB = 0
  /// The most files, sockets and others it has had open when looked at.
  private(set) var descriptors = 0

  init(_ program: Program) { self.program = program }

  func end(within seconds: Double, also look: () -> Void = {}) async -> Program.Outcome {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while program.isRunning, ContinuousClock.now < deadline {
      let proc = "/proc/\(program.identifier)"
      if let status = try? String(contentsOfFile: "\(proc)/status", encoding: .utf8),
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
        let kibibytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Int($0) })
      {
        // A sanitizer's memory is not the program's.
        if !Sanitizer.isOn { peakKiB = max(peakKiB, kibibytes) }
      }
      if let open = try? FileManager.default.contentsOfDirectory(atPath: "\(proc)/fd") {
        descriptors = max(descriptors, open.count)
      }
      look()
      await Pause.short()
    }
    return await program.end(within: 1)
  }
}
