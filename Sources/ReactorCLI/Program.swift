internal import Fixtures
internal import FlowSpec
internal import ReactorCore
internal import RunViews
internal import SourceDiagnostics

#if canImport(Glibc)
  @preconcurrency internal import Glibc
#else
  @preconcurrency internal import Darwin
#endif

/// The program `reactor`: arguments and environment in, text on two streams and an exit code out.
public struct Program: Sendable {
  let arguments: [String]
  let settings: Settings
  let out: OutputSink
  let err: OutputSink
  let outIsTerminal: Bool
  let errIsTerminal: Bool
  let assembly: any FlowAssembly
  let signals: SignalWatch?

  /// A program on other streams and other connections than the process's own.
  package init(
    arguments: [String], environment: [String: String] = [:], out: OutputSink, err: OutputSink,
    assembly: any FlowAssembly
  ) {
    self.arguments = arguments
    settings = Settings(environment: environment)
    self.out = out
    self.err = err
    outIsTerminal = false
    errIsTerminal = false
    self.assembly = assembly
    signals = nil
  }

  private init(arguments: [String], environment: [String: String], signals: SignalWatch) {
    self.arguments = arguments
    settings = Settings(environment: environment)
    out = OutputSink(descriptor: STDOUT_FILENO)
    err = OutputSink(descriptor: STDERR_FILENO)
    outIsTerminal = isatty(STDOUT_FILENO) == 1
    errIsTerminal = isatty(STDERR_FILENO) == 1
    assembly = LiveAssembly()
    self.signals = signals
  }

  /// Runs the program of this process and ends it. Call it on the main thread, before any other is started.
  public static func main() -> Never {
    StandardStreams.occupy()
    SignalWatch.prepare()
    var environment: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { environment[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    let signals = SignalWatch()
    let program = Program(
      arguments: Array(CommandLine.arguments.dropFirst()), environment: environment, signals: signals)
    // On threads that may wait for a disk, where flows run too.
    Task(executorPreference: PatientExecutor.shared) {
      let code = await program.run()
      // Everything of ours is written by now; what thirty libraries would do at an orderly end takes longer than a request.
      withExtendedLifetime(program) { _exit(code) }
    }
    signals.listen()
  }

  /// Does what the arguments say; gives the exit code.
  public func run() async -> Int32 {
    let code = await perform()
    out.flush()
    if let failure = out.failure { err.write("error: standard output could not be written: \(failure)\n") }
    err.flush()
    return ExitCode.worst(of: out.failure == nil ? [code] : [code, .notWritten]).rawValue
  }

  private func perform() async -> ExitCode {
    do throws(UsageError) {
      switch ParsedCommand(arguments) {
      case .run(let command): return try await run(command)
      case .record(let command): return try await record(command)
      case .test(let command): return try await test(command)
      case .review(let command): return try review(command)
      case .accept(let command): return try decide(command.decision, .accept)
      case .reject(let command): return try decide(command.decision, .reject)
      case .listFixtures(let command): return try listFixtures(command)
      case .verifyFixtures(let command): return try verifyFixtures(command)
      case .pruneFixtures(let command): return try await pruneFixtures(command)
      case .redactFixtures(let command): return try redactFixtures(command)
      case .importFixtures(let command): return try importFixtures(command)
      case .exportFixtures(let command): return try exportFixtures(command)
      case .serve(let command): return try await serve(command)
      case .drift(let command): return try await drift(command)
      case .start(let command): return try await start(command)
      case .check(let command): return try check(command)
      case .list(let command): return try list(command)
      case .explain(let command): return try await explain(command)
      case .schema(let command): return try schema(command)
      case .merge(let command): return try merge(command)
      case .stateShow(let command): return try await state(.show, command.selection, command.options)
      case .stateSet(let command):
        return try await state(.set(command.value, parent: command.parent), command.selection, command.options)
      case .stateReset(let command):
        return try await state(.reset(parent: command.parent), command.selection, command.options)
      case .version:
        out.write("reactor \(ToolVersion.text)\n\(ToolVersion.libraries)")
        return .passed
      case .print(let text):
        out.write(text)
        return .passed
      case .refuse(let text):
        err.write(text)
        return .usage
      }
    } catch {
      err.write("error: \(PrintableText.of(error.message))\n")
      if let help = error.help { err.write("     = help: \(PrintableText.of(help))\n") }
      return .usage
    }
  }

  // MARK: - What commands share

  enum Format: String, CaseIterable {
    case text
    case json
  }

  func console(_ options: OutputOptions) throws(UsageError) -> Console {
    let color = try settings.choice(options.color, "color", default: ColorChoice.auto)
    // A flag also takes back what the environment says for its opposite.
    let quietInEnvironment = try settings.isOn(false, "quiet")
    let verboseInEnvironment = try settings.isOn(false, "verbose")
    let isQuiet = options.quiet || (!options.verbose && quietInEnvironment)
    let isVerbose = options.verbose || (!options.quiet && verboseInEnvironment)
    guard !isQuiet || !isVerbose else { throw UsageError("--quiet and --verbose exclude each other") }
    let environment = settings.environment
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let isUTF8 = locale.uppercased().contains("UTF-8") || locale.uppercased().contains("UTF8")
    return Console(
      out: out, err: err,
      outStyle: TextStyle(
        isColored: color.colors(isTerminal: outIsTerminal, environment: environment),
        hasSymbols: outIsTerminal && isUTF8),
      errStyle: TextStyle(
        isColored: color.colors(isTerminal: errIsTerminal, environment: environment),
        hasSymbols: errIsTerminal && isUTF8),
      isQuiet: isQuiet, isVerbose: isVerbose,
      isJSON: try settings.choice(options.format, "format", default: Format.text) == .json,
      // A terminal that cannot move its cursor gets lines only.
      hasProgress: errIsTerminal && !isQuiet && environment["TERM"] != "dumb")
  }
}
