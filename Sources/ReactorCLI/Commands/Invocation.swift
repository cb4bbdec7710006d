internal import ArgumentParser
internal import SourceDiagnostics

/// A command of the program: its options and its action.
protocol ReactorCommand: ParsableCommand {
  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode
}

/// A command that has the options for output.
protocol OutputCommand: ReactorCommand {
  var output: OutputOptions { get }
}

/// The context of one call of the program: settings, streams, flow assembly and signals.
struct Invocation: Sendable {
  let settings: Settings
  let assembly: any FlowAssembly
  let signals: SignalWatch?
  let console: Console

  var out: OutputSink { console.out }
  var err: OutputSink { console.err }
}

/// The result of parsing a command line.
enum ParsedCommand {
  case command(any ReactorCommand)
  /// A text for standard output, such as a help page.
  case print(String)
  /// A text for standard error, because the command line is wrong.
  case refuse(String)

  /// Parses arguments, without the program's name.
  init(_ arguments: [String]) {
    guard let first = arguments.first else {
      self = .refuse(RootCommand.helpMessage(columns: 100))
      return
    }
    if first == "-V" {
      self = .command(VersionCommand())
      return
    }
    if !first.hasPrefix("-"), !RootCommand.commandNames.contains(first) {
      let suggestion = NearMiss.suggestion(for: first, in: RootCommand.commandNames)
      let help = suggestion.map { "did you mean 'reactor \($0)'?" } ?? "'reactor help' lists the commands"
      self = .refuse("error: unknown command '\(PrintableText.of(first))'\n     = help: \(help)\n")
      return
    }
    self.init(parsing: Self.commandFirst(arguments))
  }

  private init(parsing arguments: [String]) {
    do {
      switch try Self.named(arguments) ?? RootCommand.parseAsRoot(arguments) {
      case let command as any ReactorCommand: self = .command(command)
      case var command:
        // The parser's built-in commands, such as help, throw the text that they print.
        try command.run()
        self = .print("")
      }
    } catch {
      let text = RootCommand.fullMessage(for: error, columns: 100) + "\n"
      self = RootCommand.exitCode(for: error).isSuccess ? .print(text) : .refuse(Self.lowerCased(text))
    }
  }

  /// Parses only the command that the first argument names.
  ///
  /// Parsing from the root takes a third of the time of a short run.
  ///
  /// - Returns: nil when the arguments are wrong or request help; then parsing from the root is needed, because only
  ///   the root knows the command's whole name
  private static func named(_ arguments: [String]) -> (any ParsableCommand)? {
    let command = RootCommand.configuration.subcommands.first { $0._commandName == arguments.first }
    guard let command, command.configuration.subcommands.isEmpty else { return nil }
    // A request for help is parsed as a built-in command of the parser.
    guard let parsed = try? command.parseAsRoot(Array(arguments.dropFirst())), type(of: parsed) == command else {
      return nil
    }
    return parsed
  }

  /// The arguments with the command moved to the front, because a user may write flags before it.
  private static func commandFirst(_ arguments: [String]) -> [String] {
    guard arguments[0].hasPrefix("-"), !["-h", "--help", "--version"].contains(arguments[0]),
      let index = arguments.firstIndex(where: { RootCommand.commandNames.contains($0) })
    else { return arguments }
    var arguments = arguments
    arguments.insert(arguments.remove(at: index), at: 0)
    return arguments
  }

  /// The parser's `Error: …` message in the style of all other messages, safe to print.
  private static func lowerCased(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { PrintableText.of(String($0)) }
    let text = lines.joined(separator: "\n")
    return text.hasPrefix("Error: ") ? "error: " + text.dropFirst(7) : text
  }
}
