import Foundation
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file system in memory with limits, in a mount namespace of its own that ends with this process, seen from outside
/// by way of `/proc`.
final class SmallDisk {
  let root: URL
  /// Where it is for programs that run by way of `wrapper`.
  var path: String { workspace.folder.path }
  private let holder: Program
  private let workspace: Workspace

  /// Nil where nothing may be mounted.
  init?(_ options: String) async {
    guard let workspace = try? Workspace() else { return nil }
    self.workspace = workspace
    let disk = workspace.folder.path
    let line = "mount -t tmpfs -o \(options) tmpfs \(disk) && echo ready && exec sleep 600"
    let namespace = getuid() == 0 ? "-m" : "-rm"
    guard
      let program = try? Program(
        "/usr/bin/env", ["unshare", namespace, "--propagation", "private", "sh", "-c", line], in: workspace.folder,
        environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]),
      await program.wait(within: 20, until: { $0.stdout == "ready\n" })
    else { return nil }
    holder = program
    root = URL(fileURLWithPath: "/proc/\(program.identifier)/root\(disk)")
  }

  deinit { holder.signal(SIGKILL) }

  /// The words before a command that runs where the disk is mounted.
  var wrapper: [String] {
    ["/usr/bin/env", "nsenter", "-t", "\(holder.identifier)", "-m"]
      + (getuid() == 0 ? [] : ["-U", "--preserve-credentials"]) + ["--"]
  }

  /// Changes the limits, or makes it read-only.
  func remount(_ options: String) async throws -> Bool {
    let users = getuid() == 0 ? [] : ["-U", "--preserve-credentials"]
    let program = try Program(
      "/usr/bin/env",
      ["nsenter", "-t", "\(holder.identifier)", "-m"] + users
        + ["mount", "-o", "remount,\(options)", workspace.folder.path],
      in: FileManager.default.temporaryDirectory, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
    return await program.end(within: 20).status == 0
  }
}
