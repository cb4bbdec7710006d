internal import ArgumentParser
internal import FlowFolders
internal import FlowModel
internal import FlowSpec
internal import RunViews
internal import SourceDiagnostics

/// The command `reactor notify`.
struct NotifyCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "notify", abstract: "Tell the receivers of 'notify' that this is a trial.",
    discussion: """
      Examples:
        reactor notify                      every receiver of flows/
        reactor notify --receiver night     one of them

      A trial has the event 'recovered', so that it raises no alarm. The exit code is 5
      if a receiver could not be told.
      """)

  @Argument(help: ArgumentHelp("Files, or folders to search for *.yaml and *.yml. (default: flows)", valueName: "path"))
  var paths: [String] = []
  @Option(help: ArgumentHelp("The name of a receiver. Repeatable. (default: all)", valueName: "name"))
  var receiver: [String] = []
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode {
    let console = invocation.console
    var inputs = try invocation.inputs(inputs)
    inputs.readsSources = true
    let loaded = FlowFiles(paths).load(inputs.overrides)
    try invocation.refuseUnknown(inputs.overrides, loaded)
    console.show(loaded.diagnostics)
    if loaded.diagnostics.hasErrors { return .configuration }
    var order = invocation.order(inputs)
    // Only the sources of receivers are read, and only for those that are told.
    order.secrets = try invocation.secrets(of: loaded.files, inputs)
    let sender = NoticeSender(order: order, inputs: inputs)
    let (usable, refused) = sender.receivers(in: loaded, console)
    let known = Set(loaded.files.flatMap(\.receivers).map(\.name.value)).sorted()
    if let unknown = receiver.first(where: { !known.contains($0) }) {
      throw CommandError(
        "no file has a receiver '\(PrintableText.of(unknown))'",
        help: NearMiss.suggestion(for: unknown, in: known).map { "did you mean '\($0)'?" })
    }
    guard !known.isEmpty else {
      console.fail("no file has receivers", help: "add 'notify' to a flow file: reactor explain notify")
      return .nothingSelected
    }
    var isComplete = refused == 0
    for one in usable where receiver.isEmpty || receiver.contains(one.name) {
      do throws(NoticeDelivery.Failure) {
        try await sender.delivery(to: one, console).deliver(one.trial(at: invocation.now))
        if !console.isQuiet {
          console.out.write("ok     \(one.name)  \(PrintableText.of(console.out.masked(one.target)))\n")
        }
      } catch {
        isComplete = false
        console.fail("receiver '\(one.name)' (\(one.target)) could not be told: \(error.message)")
      }
    }
    return isComplete ? .passed : .notJudged
  }
}

extension NoticeReceiver {
  /// A notice that says that nothing has happened.
  ///
  /// - Parameter now: seconds since 1970
  fileprivate func trial(at now: Int64) -> Notice {
    Notice(
      trialOf: flows.keys.min() ?? name, receiver: name, host: NoticeSender.host,
      time: now)
  }
}
