package import ArgumentParser
internal import RunViews
internal import SourceDiagnostics

/// A command of the program: its options and its action.
package protocol ReactorCommand: ParsableCommand {
  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode
}

/// A command that has the options for output.
package protocol OutputCommand: ReactorCommand {
  var output: OutputOptions { get }
}

/// The context of one call of the program: settings, streams, flow assembly and signals.
package struct Invocation: Sendable {
  let settings: Settings
  let assembly: any FlowAssembly
  let signals: SignalWatch?
  package let console: Console
  /// The last entry of each flow in the shared history; nil when the history is that of the results' folder.
  var sharedHistory: [HistoryEntry]?

  package var out: OutputSink { console.out }
  var err: OutputSink { console.err }
}

/// The result of parsing a command line.
enum ParsedCommand {
  case command(any ReactorCommand)
  /// A command that is a separate program.
  case companion(CompanionProgram)
  /// A text for standard output, such as a help page.
  case print(String)
  /// A text for standard error, because the command line is wrong.
  case refuse(String)

  /// Parses arguments, without the program's name.
  init(_ arguments: [String], of root: any ParsableCommand.Type) {
    guard let first = arguments.first else {
      self = .refuse(root.helpMessage(columns: 100))
      return
    }
    if first == "-V" {
      self.init(parsing: ["version"], of: root)
      return
    }
    let names = Self.commandNames(of: root)
    if !first.hasPrefix("-"), !names.contains(first) {
      let suggestion = NearMiss.suggestion(for: first, in: names)
      let help = suggestion.map { "did you mean 'reactor \($0)'?" } ?? "'reactor help' lists the commands"
      self = .refuse("error: unknown command '\(PrintableText.of(first))'\n     = help: \(help)\n")
      return
    }
    if let companion = CompanionProgram(arguments, of: root) {
      self = .companion(companion)
      return
    }
    self.init(parsing: Self.spelledOut(Self.commandFirst(arguments, of: root)), of: root)
  }

  private init(parsing arguments: [String], of root: any ParsableCommand.Type) {
    do {
      switch try Self.named(arguments, of: root) ?? root.parseAsRoot(arguments) {
      case let command as any ReactorCommand: self = .command(command)
      case var command:
        // The parser's built-in commands, such as help, throw the text that they print.
        try command.run()
        self = .print("")
      }
    } catch {
      let text = root.fullMessage(for: error, columns: 100) + "\n"
      self =
        root.exitCode(for: error).isSuccess
        ? .print(text) : .refuse(RetiredOption.refusal(of: arguments) ?? Self.lowerCased(text))
    }
  }

  /// Parses only the command that the first argument names.
  ///
  /// Parsing from the root takes a third of the time of a short run.
  ///
  /// - Returns: nil when the arguments are wrong or request help; then parsing from the root is needed, because only
  ///   the root knows the command's whole name
  private static func named(_ arguments: [String], of root: any ParsableCommand.Type) -> (any ParsableCommand)? {
    let command = root.configuration.subcommands.first { $0._commandName == arguments.first }
    guard let command, command.configuration.subcommands.isEmpty else { return nil }
    // A request for help is parsed as a built-in command of the parser.
    guard let parsed = try? command.parseAsRoot(Array(arguments.dropFirst())), type(of: parsed) == command else {
      return nil
    }
    return parsed
  }

  /// Returns the arguments of `reactor run` with `--fresh=always` instead of a lone `--fresh`, and those of
  /// `reactor check` with `--state=declared` instead of `--state` without a URL, because the parser would use the next
  /// argument as the value. A lone `--otlp` is spelled out, too.
  private static func spelledOut(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let isCheck = arguments.first == "check"
    return arguments[..<end].enumerated().map { index, argument in
      if argument == "--fresh" { return "--fresh=always" }
      let next = index + 1 < end ? arguments[index + 1] : ""
      if argument == "--otlp", !next.contains("://") { return "--otlp=\(OTLPExport.alone)" }
      let hasURL = next.hasPrefix("postgres")
      return isCheck && argument == "--state" && !hasURL ? "--state=\(StateOption.alone)" : argument
    } + arguments[end...]
  }

  /// The names of all commands, with which a command line may begin.
  private static func commandNames(of root: any ParsableCommand.Type) -> [String] {
    root.configuration.subcommands.map { $0._commandName } + ["help"]
  }

  /// The arguments with the command moved to the front, because a user may write flags before it.
  static func commandFirst(_ arguments: [String], of root: any ParsableCommand.Type) -> [String] {
    guard let first = arguments.first, first.hasPrefix("-"), !["-h", "--help", "--version"].contains(first) else {
      return arguments
    }
    let names = commandNames(of: root)
    guard let index = arguments.firstIndex(where: { names.contains($0) }) else { return arguments }
    var arguments = arguments
    arguments.insert(arguments.remove(at: index), at: 0)
    return arguments
  }

  /// Returns the parser's `Error: …` message as `error: …`, like all other messages, and safe to print.
  private static func lowerCased(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { PrintableText.of(String($0)) }
    let text = lines.joined(separator: "\n")
    return text.hasPrefix("Error: ") ? "error: " + text.dropFirst(7) : text
  }
}
