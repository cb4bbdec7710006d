internal import ArgumentParser
internal import CFileCalls
internal import Storage

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A command line whose command is a separate program. It is searched for as git does for its subcommands: in this
/// program's folder, else on PATH.
struct CompanionProgram: Sendable {
  private let command: String
  private let arguments: [String]

  private var name: String { "reactor-\(command)" }

  /// Returns nil when this program itself has the command.
  init?(_ arguments: [String], of root: any ParsableCommand.Type) {
    var words = ParsedCommand.commandFirst(arguments, of: root)
    // `reactor help import dlt` is `reactor import dlt --help`.
    let isAskedForHelp = words.first == "help"
    if isAskedForHelp { words.removeFirst() }
    guard let first = words.first,
      let command = root.configuration.subcommands.first(where: { $0._commandName == first }),
      command is any CompanionCommand.Type
    else { return nil }
    self.command = first
    self.arguments = Array(words.dropFirst()) + (isAskedForHelp ? ["--help"] : [])
  }

  /// Replaces this process with the program (`exec`). Environment, streams and signals stay the same. Returns only when
  /// that fails.
  ///
  /// Call this function before signals are blocked and streams are opened, because the program would inherit that.
  func replaceProcess() -> CommandError {
    // A name without a folder is sought on PATH.
    for place in [Self.folder.map { "\($0)/\(name)" }, name].compactMap({ $0 }) {
      let number = Self.execute(place, arguments)
      guard number == ENOENT || number == ENOTDIR else {
        return CommandError("'\(place)' cannot be run: \(WholeFile.AccessError(number).message)", help: remedy)
      }
    }
    return absence
  }

  /// The error when the program of this command was not found.
  var absence: CommandError {
    CommandError(
      "'reactor \(command)' is the program '\(name)', which is neither beside 'reactor' nor on PATH", help: remedy)
  }

  private var remedy: String { "'scripts/build \(name)' builds it; put it beside 'reactor' or on PATH" }

  /// The folder of this program, with symbolic links resolved; nil if it is unknown.
  private static var folder: String? {
    var path = [UInt8](repeating: 0, count: 4_096)
    let length = Int(reactor_program_path(&path, path.count))
    guard length > 0, let slash = path[..<length].lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return String(decoding: path[..<slash], as: UTF8.self)
  }

  /// Runs the program in this process. Returns only on failure, with the number of the error.
  private static func execute(_ path: String, _ arguments: [String]) -> Int32 {
    var texts: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    defer { for text in texts { free(text) } }
    texts.append(nil)
    _ = execvp(path, texts)
    return errno
  }
}
