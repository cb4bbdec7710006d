import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A control group of the kernel in which memory is limited, below the one this process is in; gone with this value.
final class MemoryGroup {
  private let folder: String

  /// Nil where none may be made.
  init?(bytes: Int) {
    let lines = (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8))?.split(separator: "\n") ?? []
    var made: (folder: String, limit: String)?
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3 else { continue }
      let name = "reactor-torture-\(getpid())"
      if parts[1].split(separator: ",").contains("memory") {
        made = ("/sys/fs/cgroup/memory\(parts[2])/\(name)", "memory.limit_in_bytes")
        break
      }
      if parts[0] == "0" { made = ("/sys/fs/cgroup\(parts[2])/\(name)", "memory.max") }
    }
    guard let made, mkdir(made.folder, 0o755) == 0 else { return nil }
    folder = made.folder
    let limit = "\(made.folder)/\(made.limit)"
    guard FileManager.default.fileExists(atPath: limit), Self.write("\(bytes)", to: limit) else {
      rmdir(made.folder)
      return nil
    }
  }

  deinit {
    // The last process in it may be on its way out.
    for _ in 0..<100 where rmdir(folder) != 0 && errno == EBUSY { usleep(10_000) }
  }

  /// The words before a command that is to run in it.
  var wrapper: [String] { ["/bin/sh", "-c", "echo $$ > \(folder)/cgroup.procs && exec \"$0\" \"$@\""] }

  private static func write(_ text: String, to path: String) -> Bool {
    guard let file = FileHandle(forWritingAtPath: path) else { return false }
    defer { try? file.close() }
    return (try? file.write(contentsOf: Data(text.utf8))) != nil
  }
}
