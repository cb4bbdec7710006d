internal import ArgumentParser
internal import SourceDiagnostics

/// What a command line asks for.
enum ParsedCommand {
  case run(RunCommand)
  case record(RecordCommand)
  case test(TestCommand)
  case review(ReviewCommand)
  case accept(AcceptCommand)
  case reject(RejectCommand)
  case listFixtures(FixturesListCommand)
  case verifyFixtures(FixturesVerifyCommand)
  case pruneFixtures(FixturesPruneCommand)
  case redactFixtures(FixturesRedactCommand)
  case importFixtures(FixturesImportCommand)
  case exportFixtures(FixturesExportCommand)
  case serve(ServeCommand)
  case drift(DriftCommand)
  case start(InitCommand)
  case check(CheckCommand)
  case list(ListCommand)
  case explain(ExplainCommand)
  case schema(SchemaCommand)
  case merge(MergeCommand)
  case stateShow(StateShowCommand)
  case stateSet(StateSetCommand)
  case stateReset(StateResetCommand)
  case version
  /// A text for standard output, such as a help page.
  case print(String)
  /// A text for standard error; the command line is wrong.
  case refuse(String)

  /// Reads arguments, without the program's name.
  init(_ arguments: [String]) {
    guard let first = arguments.first else {
      self = .refuse(RootCommand.helpMessage(columns: 100))
      return
    }
    if first == "-V" {
      self = .version
      return
    }
    if !first.hasPrefix("-"), !RootCommand.commandNames.contains(first) {
      let meant = NearMiss.suggestion(for: first, in: RootCommand.commandNames)
      let help = meant.map { "did you mean 'reactor \($0)'?" } ?? "'reactor help' lists the commands"
      self = .refuse("error: unknown command '\(PrintableText.of(first))'\n     = help: \(help)\n")
      return
    }
    self.init(parsing: Self.commandFirst(arguments))
  }

  private init(parsing arguments: [String]) {
    do {
      switch try Self.named(arguments) ?? RootCommand.parseAsRoot(arguments) {
      case let command as RunCommand: self = .run(command)
      case let command as RecordCommand: self = .record(command)
      case let command as TestCommand: self = .test(command)
      case let command as ReviewCommand: self = .review(command)
      case let command as AcceptCommand: self = .accept(command)
      case let command as RejectCommand: self = .reject(command)
      case let command as FixturesListCommand: self = .listFixtures(command)
      case let command as FixturesVerifyCommand: self = .verifyFixtures(command)
      case let command as FixturesPruneCommand: self = .pruneFixtures(command)
      case let command as FixturesRedactCommand: self = .redactFixtures(command)
      case let command as FixturesImportCommand: self = .importFixtures(command)
      case let command as FixturesExportCommand: self = .exportFixtures(command)
      case let command as ServeCommand: self = .serve(command)
      case let command as DriftCommand: self = .drift(command)
      case let command as InitCommand: self = .start(command)
      case let command as CheckCommand: self = .check(command)
      case let command as ListCommand: self = .list(command)
      case let command as ExplainCommand: self = .explain(command)
      case let command as SchemaCommand: self = .schema(command)
      case let command as MergeCommand: self = .merge(command)
      case let command as StateShowCommand: self = .stateShow(command)
      case let command as StateSetCommand: self = .stateSet(command)
      case let command as StateResetCommand: self = .stateReset(command)
      case is VersionCommand: self = .version
      case var command:
        // The parser's own commands, such as help, tell what they have to say by throwing it.
        try command.run()
        self = .print("")
      }
    } catch {
      let text = RootCommand.fullMessage(for: error, columns: 100) + "\n"
      self = RootCommand.exitCode(for: error).isSuccess ? .print(text) : .refuse(Self.lowerCased(text))
    }
  }

  /// The command that the first argument names, read by itself: the others and what they take are a third of what a short
  /// run would cost. Nil where there is anything to say about the arguments; only from the root it is said with the whole
  /// name of the command.
  private static func named(_ arguments: [String]) -> (any ParsableCommand)? {
    let command = RootCommand.configuration.subcommands.first { $0._commandName == arguments.first }
    guard let command, command.configuration.subcommands.isEmpty else { return nil }
    // A request for help comes back as a command of the parser's own, which would leave out the program's name.
    guard let parsed = try? command.parseAsRoot(Array(arguments.dropFirst())), type(of: parsed) == command else {
      return nil
    }
    return parsed
  }

  /// Flags may also stand before the command.
  private static func commandFirst(_ arguments: [String]) -> [String] {
    guard arguments[0].hasPrefix("-"), !["-h", "--help", "--version"].contains(arguments[0]),
      let place = arguments.firstIndex(where: { RootCommand.commandNames.contains($0) })
    else { return arguments }
    var arguments = arguments
    arguments.insert(arguments.remove(at: place), at: 0)
    return arguments
  }

  /// The parser's `Error: …` in the style of all other messages; what arguments bring along is made visible.
  private static func lowerCased(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { PrintableText.of(String($0)) }
    let text = lines.joined(separator: "\n")
    return text.hasPrefix("Error: ") ? "error: " + text.dropFirst(7) : text
  }
}
