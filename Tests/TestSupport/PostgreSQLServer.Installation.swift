internal import Foundation
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The programs of the newest PostgreSQL here, and the user that may run them.
struct Installation {
  /// Their folder.
  let programs: String
  /// Whom root runs the server as, for the server refuses root; nil for anybody else.
  let account: (user: uid_t, group: gid_t)?

  static let missing = "there is no PostgreSQL server, or no user to run it as; apt-get install postgresql"
  /// Independent of the machine's language and of whoever runs the tests.
  static let environment = [
    "PATH": "/usr/bin:/bin", "LC_ALL": "C", "PGCLIENTENCODING": "UTF8", "PGCONNECT_TIMEOUT": "10",
    "PGPASSFILE": "/nonexistent",
  ]

  /// Nil when anything is missing.
  static let found: Installation? = {
    let packaged = "/usr/lib/postgresql"
    let versions = ((try? FileManager.default.contentsOfDirectory(atPath: packaged)) ?? []).compactMap { Int($0) }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    // The server's programs find each other beside the file that a link leads to.
    let others = path.split(separator: ":").map {
      URL(fileURLWithPath: "\($0)/initdb").resolvingSymlinksInPath().deletingLastPathComponent().path
    }
    let folders = versions.sorted(by: >).map { "\(packaged)/\($0)/bin" } + others
    let programs = folders.first { folder in
      ["initdb", "postgres", "psql"].allSatisfy { FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)") }
    }
    guard let programs else { return nil }
    var account: (uid_t, gid_t)?
    if getuid() == 0 {
      guard let entry = getpwnam("postgres") ?? getpwnam("nobody") else { return nil }
      account = (entry.pointee.pw_uid, entry.pointee.pw_gid)
    }
    let installation = Installation(programs: programs, account: account)
    let trial = installation.asOwner(["\(programs)/postgres", "--version"])
    return (try? installation.run(trial, in: "/")) == nil ? nil : installation
  }()

  /// The command as the user that owns the server's folder.
  func asOwner(_ command: [String]) -> [String] {
    guard let account else { return command }
    return ["/usr/bin/setpriv", "--reuid=\(account.user)", "--regid=\(account.group)", "--clear-groups", "--"] + command
  }

  /// Runs a program to its end, at most a minute, and returns what it wrote.
  @discardableResult
  func run(
    _ command: [String], input: String = "", environment: [String: String] = [:], in folder: String
  ) throws -> String {
    let files = try Workspace.makeFolder("postgresql")
    defer { try? FileManager.default.removeItem(at: files) }
    let names = ["input", "output", "errors"].map { files.appendingPathComponent($0) }
    try Data(input.utf8).write(to: names[0])
    let handles = try [FileHandle(forReadingFrom: names[0])] + names[1...].map { try Self.output($0.path) }
    defer { for handle in handles { try? handle.close() } }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.environment = Self.environment.merging(environment) { $1 }
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    (process.standardInput, process.standardOutput, process.standardError) = (handles[0], handles[1], handles[2])
    try process.run()
    if !PostgreSQLServer.wait(within: 60, until: { !process.isRunning }) {
      _ = systemKill(process.processIdentifier, SIGKILL)
      PostgreSQLServer.wait(within: 10) { !process.isRunning }
    }
    let texts = names[1...].map { String(decoding: (try? Data(contentsOf: $0)) ?? Data(), as: UTF8.self) }
    guard !process.isRunning, process.terminationReason == .exit, process.terminationStatus == 0 else {
      let program = command.first { $0.hasPrefix(programs) } ?? command[0]
      throw PostgreSQLServer.ProgramError(program: program, text: texts[1].trimmingCharacters(in: .newlines))
    }
    return texts[0]
  }

  /// For appending; made when it is not there.
  static func output(_ path: String) throws -> FileHandle {
    if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(fileURLWithPath: path)) }
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.seekToEnd()
    return handle
  }
}
