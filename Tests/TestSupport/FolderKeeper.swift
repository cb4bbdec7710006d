internal import Foundation
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A folder with a short name, and the server in it.
///
/// Both go with the last reference or with this process: a shell waits for the end of a pipe that only it holds.
final class FolderKeeper: Sendable {
  let folder: String
  private let shell: Mutex<Process>
  private let pipe: Int32

  private static let script = """
    trap '' INT HUP TERM; cat >/dev/null
    if read -r pid <"$1/process"; then
      kill -QUIT "$pid"; left=250
      while kill -0 "$pid" && [ $left -gt 0 ]; do left=$((left - 1)); sleep 0.02; done
      kill -KILL "$pid"
    fi 2>/dev/null
    rm -rf "$1"
    """

  init(owner: (user: uid_t, group: gid_t)?) throws {
    // Not where temporary files belong: the path of a socket has at most some hundred bytes.
    var name = Array("/tmp/rpg-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw POSIXError(.EACCES) }
    folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if let owner { chown(folder, owner.user, owner.group) }
    var ends: [Int32] = [-1, -1]
    guard systemPipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    pipe = ends[1]
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", Self.script, "sh", folder]
    process.standardInput = FileHandle(fileDescriptor: ends[0], closeOnDealloc: false)
    defer { close(ends[0]) }
    try process.run()
    shell = Mutex(process)
  }

  deinit {
    close(pipe)
    _ = shell.withLock { shell in PostgreSQLServer.wait(within: 10) { !shell.isRunning } }
  }

  /// Says which process ends with the folder.
  func ends(_ process: Int32?) throws {
    let text = process.map { "\($0)\n" } ?? ""
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/process"))
  }
}

func systemKill(_ process: Int32, _ signal: Int32) -> Int32 { kill(process, signal) }

func systemPipe(_ ends: inout [Int32]) -> Int32 { pipe(&ends) }

extension String {
  /// Percent-encoded for any part of a URL.
  var encoded: String {
    let isPlain = { (byte: UInt8) in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || (0x30...0x39).contains(byte)
        || "-._~".utf8.contains(byte)
    }
    return utf8.map { isPlain($0) ? String(UnicodeScalar($0)) : String(format: "%%%02X", $0) }.joined()
  }
}
