package import ArgumentParser
internal import ReactorCore
internal import RunViews

#if canImport(Glibc)
  @preconcurrency internal import Glibc
#else
  @preconcurrency internal import Darwin
#endif

/// The program `reactor`: reads arguments and environment, writes two streams, returns an exit code.
public struct Program: Sendable {
  private let root: any ParsableCommand.Type
  private let arguments: [String]
  /// The error when this process could not be replaced with another program; nil when that was not tried.
  private let obstacle: CommandError?
  private let settings: Settings
  private let out: OutputSink
  private let err: OutputSink
  private let outIsTerminal: Bool
  private let errIsTerminal: Bool
  private let assembly: any FlowAssembly
  private let signals: SignalWatch?

  /// Creates a program with other streams and connections than those of the process.
  package init(
    arguments: [String], environment: [String: String] = [:], out: OutputSink, err: OutputSink,
    assembly: any FlowAssembly
  ) {
    root = RootCommand.self
    self.arguments = arguments
    obstacle = nil
    settings = Settings(environment: environment)
    self.out = out
    self.err = err
    outIsTerminal = false
    errIsTerminal = false
    self.assembly = assembly
    signals = nil
  }

  private init(
    _ root: any ParsableCommand.Type, _ arguments: [String], obstacle: CommandError?, environment: [String: String],
    signals: SignalWatch
  ) {
    self.root = root
    self.arguments = arguments
    self.obstacle = obstacle
    settings = Settings(environment: environment)
    out = OutputSink(descriptor: STDOUT_FILENO)
    err = OutputSink(descriptor: STDERR_FILENO)
    outIsTerminal = isatty(STDOUT_FILENO) == 1
    errIsTerminal = isatty(STDERR_FILENO) == 1
    assembly = LiveAssembly()
    self.signals = signals
  }

  /// Runs the program of this process and ends the process.
  ///
  /// Call this function on the main thread, before any other thread is started.
  public static func main() -> Never { main(RootCommand.self, Array(CommandLine.arguments.dropFirst())) }

  /// Runs a program with other commands than those of `reactor`, and ends the process.
  ///
  /// - Parameters:
  ///   - root: the root of the command line
  ///   - arguments: the arguments, without the program's name
  package static func main(_ root: any ParsableCommand.Type, _ arguments: [String]) -> Never {
    // First of all, because another program shall begin as this process did.
    let obstacle = CompanionProgram(arguments, of: root)?.replaceProcess()
    StandardStreams.occupy()
    if let lack = AddressSpace.lack() {
      let err = OutputSink(descriptor: STDERR_FILENO)
      Console(out: err, err: err).fail(lack.message, help: lack.help)
      err.flush()
      _exit(lack.code.rawValue)
    }
    SignalWatch.prepare()
    var environment: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { environment[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    let signals = SignalWatch()
    let program = Program(root, arguments, obstacle: obstacle, environment: environment, signals: signals)
    // This executor's threads may wait for a disk, as flows do.
    Task(executorPreference: PatientExecutor.shared) {
      let code = await program.run()
      // All output is written at this point. The exit handlers of libraries are skipped, because they would take
      // longer than a request.
      withExtendedLifetime(program) { _exit(code) }
    }
    signals.listen()
  }

  /// Runs the command that the arguments name; returns the exit code.
  public func run() async -> Int32 {
    let code = await perform()
    out.flush()
    if let failure = out.failure { err.write("error: standard output could not be written: \(failure)\n") }
    err.flush()
    return ExitCode.worst(of: out.failure == nil ? [code] : [code, .notWritten]).rawValue
  }

  private func perform() async -> ExitCode {
    switch ParsedCommand(arguments, of: root) {
    case .command(let command):
      var console = Console(out: out, err: err)
      do throws(CommandError) {
        if let options = (command as? any OutputCommand)?.output { console = try self.console(options) }
        if let slip = settings.misspeltOption { throw CommandError(noEffectOf: slip) }
        let invocation = Invocation(settings: settings, assembly: assembly, signals: signals, console: console)
        return try await command.perform(invocation)
      } catch {
        if !error.message.isEmpty { console.fail(error.message, help: error.help) }
        return error.code
      }
    case .companion(let program):
      let error = obstacle ?? program.absence
      Console(out: out, err: err).fail(error.message, help: error.help)
      return error.code
    case .print(let text):
      out.write(text)
      return .passed
    case .refuse(let text):
      err.write(text)
      return .usage
    }
  }

  private enum Format: String, CaseIterable {
    case text
    case json
  }

  private func console(_ options: OutputOptions) throws(CommandError) -> Console {
    // A flag overrides the environment variable of the opposite flag.
    let quietInEnvironment = try settings.isOn(false, "quiet")
    let verboseInEnvironment = try settings.isOn(false, "verbose")
    let isQuiet = options.quiet || (!options.verbose && quietInEnvironment)
    let isVerbose = options.verbose || (!options.quiet && verboseInEnvironment)
    guard !isQuiet || !isVerbose else { throw CommandError("--quiet and --verbose cannot be used together") }
    let environment = settings.environment
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let isUTF8 = locale.uppercased().contains("UTF-8") || locale.uppercased().contains("UTF8")
    func style(isTerminal: Bool) -> TextStyle {
      TextStyle(
        isColored: TextStyle.isColored(isTerminal: isTerminal, environment: environment),
        hasSymbols: isTerminal && isUTF8)
    }
    return Console(
      out: out, err: err, outStyle: style(isTerminal: outIsTerminal), errStyle: style(isTerminal: errIsTerminal),
      isQuiet: isQuiet, isVerbose: isVerbose,
      isJSON: try settings.choice(options.format, "format", default: Format.text) == .json,
      // A terminal that cannot move its cursor gets plain lines only.
      hasProgress: errIsTerminal && !isQuiet && environment["TERM"] != "dumb")
  }
}
