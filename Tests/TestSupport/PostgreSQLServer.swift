internal import Foundation
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A real PostgreSQL server of one test, with an empty database.
///
/// It listens on a Unix socket in a folder of its own, and on 127.0.0.1 when asked. It ends, and its folder goes, when
/// the last reference goes or this process ends, however that happens. All functions block their thread.
package final class PostgreSQLServer: Sendable {
  package static let database = "shop"
  /// The superuser that owns the database.
  package static let user = "reactor"

  /// Holds the socket, the data (`data`) and the log.
  package let folder: String
  /// Of 127.0.0.1; nil when it only listens on the socket.
  package let port: UInt16?
  private let password: String?
  private let wrapper: [String]
  private let settings: [String]
  private let installation: Installation
  private let keeper: FolderKeeper
  private let reserved: LoopbackSocket?
  private let postmaster = Mutex<Process?>(nil)

  /// Starts a server and waits until it can be used.
  ///
  /// With a password every connection is asked for it (SCRAM-SHA-256). A server that is not durable is faster, and may
  /// lose its last commits when it is killed. `settings` are further ones, such as `timezone=Asia/Tokyo`. `wrapper` is a
  /// command that becomes the server, such as `nsenter`.
  package init(
    password: String? = nil, isDurable: Bool = false, listensOnLoopback: Bool = false, settings: [String] = [],
    through wrapper: [String] = []
  ) throws {
    guard let installation = Installation.found else { throw Repository.Missing(what: Installation.missing) }
    let template = try Self.template.get()
    keeper = try FolderKeeper(owner: installation.account)
    folder = keeper.folder
    self.installation = installation
    self.password = password
    self.wrapper = wrapper
    reserved = listensOnLoopback ? try LoopbackSocket() : nil
    port = reserved?.port
    let fast = isDurable ? [] : ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]
    // Shared memory in files of the folder: what a killed server leaves in /dev/shm, nobody would remove.
    self.settings =
      [
        "unix_socket_directories=\(folder)", "listen_addresses=\(listensOnLoopback ? "127.0.0.1" : "")",
        "port=\(reserved?.port ?? Self.usualPort)", "shared_buffers=32MB", "max_connections=40", "autovacuum=off",
        "logging_collector=off", "dynamic_shared_memory_type=mmap",
      ] + fast + settings
    try installation.run(["/bin/cp", "-a", "\(template.folder)/data", "\(folder)/data"], in: folder)
    if let password { try Self.demand(password, of: folder, installation) }
    try restart()
  }

  // MARK: - Where it is

  /// A connection URI over the socket, without the password.
  package var url: String {
    let port = port.map { "&port=\($0)" } ?? ""
    return "postgresql:///\(Self.database)?host=\(folder.encoded)&user=\(Self.user)\(port)"
  }

  /// A connection URI over a port of 127.0.0.1, such as a proxy's.
  package func url(port: UInt16, password: String? = nil) -> String {
    let password = password.map { ":\($0.encoded)" } ?? ""
    return "postgresql://\(Self.user)\(password)@127.0.0.1:\(port)/\(Self.database)"
  }

  package var socketPath: String { "\(folder)/.s.PGSQL.\(port ?? Self.usualPort)" }

  /// What the server has logged so far.
  package var log: String { (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? "" }

  // MARK: - Use

  /// Runs statements with psql, and returns the rows.
  ///
  /// One row is one line, with `|` between the columns. An error has what psql said.
  @discardableResult
  package func sql(_ text: String) throws -> String {
    try installation.run(
      ["\(installation.programs)/psql", "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-f", "-", url], input: text,
      environment: password.map { ["PGPASSWORD": $0] } ?? [:], in: folder
    ).trimmingCharacters(in: .newlines)
  }

  /// Crashes it: all its processes end without a word to clients.
  ///
  /// A server that is not durable forgets what it confirmed just before.
  package func kill() {
    postmaster.withLock { process in
      guard let running = process else { return }
      let identifier = running.processIdentifier
      // Stopped, it neither starts further processes nor hears of the end of those it has.
      _ = systemKill(identifier, SIGSTOP)
      let all = Self.children(of: identifier) + [identifier]
      for each in all { _ = systemKill(each, SIGKILL) }
      Self.wait(within: 10) { !running.isRunning && !all.contains(where: Self.isAlive) }
      removeSharedMemory()
      forget(&process)
    }
  }

  /// Ends it at once, without writing what it holds; clients may hear of it (PostgreSQL's immediate shutdown).
  package func quit() {
    let isOver = postmaster.withLock { process in
      guard let running = process else { return true }
      _ = systemKill(running.processIdentifier, SIGQUIT)
      guard Self.wait(within: 10, until: { !running.isRunning }) else { return false }
      forget(&process)
      return true
    }
    if !isOver { kill() }
  }

  /// Starts it on the same folder and port; a running one is stopped first.
  package func restart() throws {
    stop()
    try postmaster.withLock { process in
      let server = Process()
      let command =
        wrapper
        + installation.asOwner(
          ["\(installation.programs)/postgres", "-D", "\(folder)/data"] + settings.flatMap { ["-c", $0] })
      server.executableURL = URL(fileURLWithPath: command[0])
      server.arguments = Array(command.dropFirst())
      server.environment = Installation.environment
      server.currentDirectoryURL = URL(fileURLWithPath: folder)
      server.standardInput = FileHandle.nullDevice
      let log = try Installation.output("\(folder)/log")
      defer { try? log.close() }
      server.standardOutput = log
      server.standardError = log
      try server.run()
      try keeper.ends(server.processIdentifier)
      process = server
      // The file is written by the server, and a crash leaves the old one.
      let isReady = Self.wait(within: 30) {
        let lines = self.statusLines
        let isOwn = lines.first == "\(server.processIdentifier)"
        return !server.isRunning || isOwn && lines.last?.hasPrefix("ready") == true
      }
      guard isReady, server.isRunning else { throw ProgramError(program: "postgres", text: self.log) }
    }
    try sql("select 1")
  }

  /// Ends it in the way an operator would: clients are disconnected, everything is written.
  package func stop() {
    let isStopped = postmaster.withLock { process in
      guard let running = process else { return true }
      _ = systemKill(running.processIdentifier, SIGINT)
      guard Self.wait(within: 30, until: { !running.isRunning }) else { return false }
      forget(&process)
      return true
    }
    if !isStopped { kill() }
  }

  // MARK: - Whether there is one

  /// Whether this machine has what the server needs.
  package static var isAvailable: Bool { Installation.found != nil }

  /// As `isAvailable`, and says what is skipped.
  ///
  /// An error where real servers are required (`REACTOR_REQUIRE_REAL_SERVERS=1`).
  package static func isAvailable(for purpose: String) throws -> Bool {
    if isAvailable { return true }
    let line = "skipped: \(purpose): \(Installation.missing)"
    guard ProcessInfo.processInfo.environment["REACTOR_REQUIRE_REAL_SERVERS"] != "1" else {
      throw Repository.Missing(what: line)
    }
    print(line)
    return false
  }

  /// The user that the server runs as where that is not the user of the tests.
  package static var owner: (user: UInt32, group: UInt32)? { Installation.found?.account }

  /// What one of its programs said when it failed.
  package struct ProgramError: Error, CustomStringConvertible {
    package var program: String
    package var text: String
    package var description: String { "\(program): \(text)" }
  }

  // MARK: - Its data

  private static let usualPort: UInt16 = 5432

  /// Made once: initdb takes longer than copying what it makes.
  private static let template = Result {
    guard let installation = Installation.found else { throw Repository.Missing(what: Installation.missing) }
    let keeper = try FolderKeeper(owner: installation.account)
    let initialise = [
      "\(installation.programs)/initdb", "-D", "\(keeper.folder)/data", "--auth=trust", "-U", user, "--encoding=UTF8",
      "--locale=C.UTF-8", "--no-sync",
    ]
    try installation.run(installation.asOwner(initialise), in: keeper.folder)
    try alone("CREATE DATABASE \(database)", in: keeper.folder, installation)
    return keeper
  }

  private static func demand(_ password: String, of folder: String, _ installation: Installation) throws {
    precondition(!password.contains("\n"), "one line is one statement here")
    let quoted = password.replacingOccurrences(of: "'", with: "''")
    try alone("ALTER ROLE \(user) PASSWORD '\(quoted)'", in: folder, installation)
    let rules = ["local all all", "host all all 127.0.0.1/32"].map { "\($0) scram-sha-256\n" }.joined()
    try Data(rules.utf8).write(to: URL(fileURLWithPath: "\(folder)/data/pg_hba.conf"))
  }

  /// Runs one statement without a server; its failure shows when the server is used.
  private static func alone(_ statement: String, in folder: String, _ installation: Installation) throws {
    let command = ["\(installation.programs)/postgres", "--single", "-F", "-D", "\(folder)/data", "postgres"]
    try installation.run(installation.asOwner(command), input: statement + "\n", in: folder)
  }

  // MARK: - Its processes

  /// Of the file in which the server tells its state: the process's number first, the state last.
  private var statusLines: [String] {
    let text = try? String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
    return text?.split(separator: "\n").map(String.init) ?? []
  }

  private func forget(_ process: inout Process?) {
    process = nil
    try? keeper.ends(nil)
  }

  /// The segment by which a server notices that another one has its folder; only a restart would remove it.
  private func removeSharedMemory() {
    for line in statusLines {
      let words = line.split(separator: " ").compactMap { Int32($0) }
      if words.count == 2 { shmctl(words[1], IPC_RMID, nil) }
    }
  }

  /// Empty where there is no /proc; there they end by themselves soon after the postmaster.
  private static func children(of parent: Int32) -> [Int32] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.compactMap { Int32($0) }.filter { status(of: $0).dropFirst().first == "\(parent)" }
  }

  private static func isAlive(_ process: Int32) -> Bool { status(of: process).first.map { $0 != "Z" } ?? false }

  /// The state and the parent (proc(5)); nothing when there is no such process.
  private static func status(of process: Int32) -> [Substring] {
    let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    return text.split(separator: ")").last?.split(separator: " ") ?? []
  }

  @discardableResult
  static func wait(within seconds: Double, until condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while !condition() {
      if ContinuousClock.now > deadline { return false }
      usleep(2_000)
    }
    return true
  }
}
